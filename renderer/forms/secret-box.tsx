import type { ReactNode } from 'react';
import { FieldError, Input, Label, Text, TextField } from 'react-aria-components';

/** A write-only field: its content is never shown and never prefilled. */
export const SecretBox = ({
  label,
  name,
  value,
  onChange,
  hint,
  problem,
  placeholder,
  isRequired = false,
}: {
  label: string;
  name: string;
  value: string;
  onChange: (text: string) => void;
  hint: ReactNode;
  problem: string | null;
  placeholder: string;
  isRequired?: boolean;
}) => (
  <TextField
    className="field"
    name={name}
    type="password"
    autoComplete="new-password"
    value={value}
    onChange={onChange}
    isRequired={isRequired}
    isInvalid={problem !== null}
    validationBehavior="aria"
  >
    <div className="field-label">
      <Label>{label}</Label>
    </div>
    <div className="input-frame line gap-1">
      <Input className="input" placeholder={placeholder} />
    </div>
    <Text slot="description" className="hint">
      {hint}
    </Text>
    <FieldError className="problem">{problem}</FieldError>
  </TextField>
);
