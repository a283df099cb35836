import { FieldError, Input, Label, TextField } from 'react-aria-components';

/** A box for a PIN: digits alone, never shown. */
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
  /** Whether what it stands in begins at it. */
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
    // oxlint-disable-next-line jsx_a11y/no-autofocus -- a sheet that asks for one thing begins at it
    autoFocus={focused}
  >
    <div className="field-label">
      <Label>{label}</Label>
    </div>
    <div className="input-frame">
      <Input className="input code" />
    </div>
    <FieldError className="problem">{problem}</FieldError>
  </TextField>
);
