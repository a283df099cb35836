import { FieldError, Input, Label, TextField } from 'react-aria-components';

/** A field for a PIN: only digits, never shown. */
export const PinBox = ({
  label,
  value,
  onChange,
  problem,
  focused = false,
}: {
  label: string;
  value: string;
  onChange: (pin: string) => void;
  problem: string | null;
  /** Whether it takes the initial focus of its container. */
  focused?: boolean;
}) => (
  <TextField
    className="field"
    type="password"
    inputMode="numeric"
    autoComplete="off"
    maxLength={12}
    value={value}
    onChange={text => onChange(text.replaceAll(/\D/g, ''))}
    isInvalid={problem !== null}
    validationBehavior="aria"
    // oxlint-disable-next-line jsx_a11y/no-autofocus -- the only field of its dialog
    autoFocus={focused}
  >
    <div className="field-label">
      <Label>{label}</Label>
    </div>
    <div className="input-frame line gap-1">
      <Input className="input code" />
    </div>
    <FieldError className="problem">{problem}</FieldError>
  </TextField>
);
