import { Check, ChevronDown } from 'lucide-react';
import { type ReactNode, useState, type Ref, type ComponentProps } from 'react';
import {
  Button,
  FieldError,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Select,
  SelectValue,
  Switch,
  Text,
  Input,
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

export type Option<K extends string = string> = { id: K; name: string; detail?: string };

/** An option in the list of a select: its name, and a detail beside it. */
export const OptionItem = ({ option }: { option: Option }) => (
  <ListBoxItem id={option.id} textValue={option.name} className="option hovers">
    {({ isSelected }) => (
      <>
        <span className="row gap-2 at-baseline">
          {option.name}
          {option.detail === undefined ? null : (
            <span className="option-detail quiet tiny">{option.detail}</span>
          )}
        </span>
        {isSelected ? <Check size={14} aria-hidden="true" /> : null}
      </>
    )}
  </ListBoxItem>
);

/** One of several options; typing selects by the first letters, open or closed. */
export const SelectBox = <K extends string>({
  label,
  options,
  value,
  onChange,
  hint,
  problem,
  labelExtra,
  placeholder,
  field,
  isDisabled = false,
}: {
  label: string;
  options: readonly Option<K>[];
  /** Null: nothing is chosen yet. */
  value: K | null;
  onChange: (value: K) => void;
  hint?: ReactNode;
  problem?: string | null;
  labelExtra?: ReactNode;
  /** Shown while nothing is chosen. */
  placeholder?: string;
  /** The path by which a form finds it, to focus it. */
  field?: string;
  isDisabled?: boolean;
}) => (
  <Select
    className="field"
    data-field={field}
    {...(placeholder === undefined ? {} : { placeholder })}
    value={value}
    isDisabled={isDisabled}
    isInvalid={(problem ?? null) !== null}
    onChange={key => {
      const chosen = options.find(option => option.id === key);
      if (chosen) onChange(chosen.id);
    }}
  >
    <div className="field-label">
      <Label>{label}</Label>
      {labelExtra}
    </div>
    <Button className="input select">
      <SelectValue className="clip">
        {({ selectedText, defaultChildren }) => <span title={selectedText ?? ''}>{defaultChildren}</span>}
      </SelectValue>
      <ChevronDown size={14} aria-hidden="true" />
    </Button>
    {hint === undefined ? null : (
      <Text slot="description" className="hint">
        {hint}
      </Text>
    )}
    <FieldError className="problem">{problem}</FieldError>
    <Popover className="popover">
      <ListBox className="options" items={options}>
        {option => <OptionItem option={option} />}
      </ListBox>
    </Popover>
  </Select>
);

/** On or off. */
export const Toggle = ({
  children,
  isEnabled,
  onChange,
  hint,
  mark,
  isDisabled = false,
}: {
  children: ReactNode;
  isEnabled: boolean;
  onChange: (isEnabled: boolean) => void;
  hint?: ReactNode;
  /** What else is to be known about the setting. */
  mark?: ReactNode;
  isDisabled?: boolean;
}) => (
  <Switch
    className="switch row at-start small medium pointer"
    isSelected={isEnabled}
    onChange={onChange}
    isDisabled={isDisabled}
  >
    <span className="switch-track fixed pill on-sunken" aria-hidden="true">
      <span className="switch-thumb block round" />
    </span>
    <span className="switch-words stack min-0 anywhere">
      <span>{children}</span>
      {hint === undefined ? null : <span className="hint">{hint}</span>}
      {mark}
    </span>
  </Switch>
);

type HiddenProps = Omit<ComponentProps<typeof TextBox>, 'type' | 'isAllowed'>;

/** What is typed is never shown, and may have the digits of a card number. */
const HiddenBox = (box: HiddenProps) => <TextBox {...box} type="password" isAllowed={() => true} />;

/** A field for a PIN: only digits, never shown. `focused`: whether it takes the initial focus of its container. */
export const PinBox = ({ onChange, focused = false, ...box }: HiddenProps & { focused?: boolean }) => (
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
export const SecretBox = (box: HiddenProps) => <HiddenBox {...box} autoComplete="new-password" />;
