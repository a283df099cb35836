import type { ReactNode } from 'react';
import { FieldError, Input, Label, Text, TextField, type TextFieldProps } from 'react-aria-components';

type Box = Pick<TextFieldProps, 'isRequired'> & {
  label: string;
  value: string;
  onChange: (text: string) => void;
  problem: string | null;
};

const HiddenBox = ({
  label,
  hint,
  problem,
  placeholder = '',
  inputClass = '',
  ...field
}: Box &
  Omit<TextFieldProps, keyof Box> & { hint?: ReactNode; placeholder?: string; inputClass?: string }) => (
  <TextField
    {...field}
    className="field"
    type="password"
    isInvalid={problem !== null}
    validationBehavior="aria"
  >
    <div className="field-label">
      <Label>{label}</Label>
    </div>
    <div className="input-frame line gap-1">
      <Input className={`input ${inputClass}`} {...(placeholder === '' ? {} : { placeholder })} />
    </div>
    {hint === undefined ? null : (
      <Text slot="description" className="hint">
        {hint}
      </Text>
    )}
    <FieldError className="problem">{problem}</FieldError>
  </TextField>
);

/** A field for a PIN: only digits, never shown. `focused`: whether it takes the initial focus of its container. */
export const PinBox = ({ onChange, focused = false, ...box }: Box & { focused?: boolean }) => (
  <HiddenBox
    {...box}
    inputMode="numeric"
    autoComplete="off"
    maxLength={12}
    onChange={text => onChange(text.replaceAll(/\D/g, ''))}
    inputClass="code"
    // oxlint-disable-next-line jsx_a11y/no-autofocus -- the only field of its dialog
    autoFocus={focused}
  />
);

/** A write-only field: its content is never shown and never prefilled. */
export const SecretBox = (box: Box & { name: string; hint: ReactNode; placeholder: string }) => (
  <HiddenBox {...box} autoComplete="new-password" />
);
