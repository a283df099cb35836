import { useState, type ReactNode, type Ref } from 'react';
import {
  FieldError,
  Input,
  Label,
  Text,
  TextArea,
  TextField,
  type TextFieldProps,
} from 'react-aria-components';
import { createCardGuard } from '../../digit-runs.ts';
import { useText } from '../../i18n/text.ts';

/**
 * The text field of all forms. A typed or pasted card number is dropped before it reaches any state, and the field
 * says why.
 */
export const TextBox = ({
  label,
  hint,
  problem,
  lines,
  onChange,
  inputClass,
  labelExtra,
  lead,
  trail,
  inputRef,
  placeholder,
  isAllowed = () => false,
  ...rest
}: Omit<TextFieldProps, 'children' | 'className' | 'onChange' | 'isInvalid'> & {
  label: string;
  hint?: ReactNode;
  /** The problem with its value, or null. */
  problem?: string | null;
  /** More than one makes it a text area. */
  lines?: number;
  onChange: (text: string) => void;
  inputClass?: string;
  labelExtra?: ReactNode;
  lead?: ReactNode;
  trail?: ReactNode;
  inputRef?: Ref<HTMLInputElement>;
  placeholder?: string;
  /** What is no card number although it passes the check, such as a telephone number in its own field. */
  isAllowed?: (text: string) => boolean;
}) => {
  const t = useText();
  const [guard] = useState(() => createCardGuard());
  // The message stays until the field is left.
  const [dropped, setDropped] = useState(false);
  const take = (typed: string): void => {
    const { text, hasCard } = guard(typed, rest.value ?? '', isAllowed(typed));
    if (hasCard) setDropped(true);
    onChange(text);
  };
  const problemText = dropped ? t('card-number.dropped') : (problem ?? null);
  return (
    <TextField
      {...rest}
      className="field"
      onChange={take}
      onBlur={event => {
        setDropped(false);
        rest.onBlur?.(event);
      }}
      isInvalid={problemText !== null}
      validationBehavior="aria"
    >
      <div className="field-label">
        <Label>{label}</Label>
        {labelExtra}
      </div>
      {lines === undefined || lines === 1 ? (
        <div className="input-frame line gap-1">
          {lead}
          <Input
            className={`input ${inputClass ?? ''}`}
            {...(inputRef ? { ref: inputRef } : {})}
            {...(placeholder ? { placeholder } : {})}
          />
          {trail}
        </div>
      ) : (
        <TextArea
          spellCheck
          className={`input area ${inputClass ?? ''}`}
          rows={lines}
          {...(placeholder ? { placeholder } : {})}
        />
      )}
      {hint === undefined ? null : (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
      <FieldError className="problem">{problemText}</FieldError>
    </TextField>
  );
};
