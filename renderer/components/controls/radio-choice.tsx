import type { ComponentProps, ReactNode } from 'react';
import { Label, Radio, RadioGroup, type RadioGroupProps } from 'react-aria-components';

/**
 * A choice of one among a few options. The arrow keys move it, and the focus stays in it: what an option opens moves
 * the focus only if it was not chosen by an arrow key.
 */
export const RadioChoice = <T extends string>({
  label,
  isLabelHidden = false,
  options,
  value,
  onChange,
  optionClass,
  box,
  lead,
  children,
  ...group
}: Pick<RadioGroupProps, 'className' | 'isInvalid' | 'orientation'> & {
  label: string;
  isLabelHidden?: boolean;
  options: readonly { id: T; name: ReactNode; className?: string; autoFocus?: boolean }[];
  value: T | null;
  onChange: (value: T) => void;
  optionClass: string;
  /** The class of a box around the options. */
  box?: string;
  /** Between the label and the options. */
  lead?: ReactNode;
  /** Below the options. */
  children?: ReactNode;
}) => {
  const all = options.map(({ id, name, className, ...rest }) => (
    <Radio {...rest} key={id} value={id} className={`${optionClass} ${className ?? ''}`}>
      {name}
    </Radio>
  ));
  return (
    <RadioGroup
      {...group}
      {...(isLabelHidden ? { 'aria-label': label } : {})}
      value={value}
      validationBehavior="aria"
      onChange={chosen => {
        const option = options.find(({ id }) => id === chosen);
        if (option) onChange(option.id);
      }}
    >
      {isLabelHidden ? null : <Label>{label}</Label>}
      {lead}
      {box === undefined ? all : <div className={box}>{all}</div>}
      {children}
    </RadioGroup>
  );
};

/** A choice among few options, side by side. */
export const SegmentedControl = <T extends string>(
  choice: Pick<ComponentProps<typeof RadioChoice<T>>, 'label' | 'options' | 'value' | 'onChange'>,
) => (
  <RadioChoice
    {...choice}
    isLabelHidden
    className="segments"
    optionClass="segment"
    orientation="horizontal"
  />
);
