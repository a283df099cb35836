import { Radio, RadioGroup } from 'react-aria-components';

/** A choice among few options, side by side; the arrow keys move it. */
export const SegmentedControl = <T extends string>({
  label,
  options,
  value,
  onChange,
}: {
  label: string;
  options: readonly { id: T; name: string }[];
  value: T;
  onChange: (value: T) => void;
}) => (
  <RadioGroup
    className="segments"
    aria-label={label}
    orientation="horizontal"
    value={value}
    onChange={chosen => {
      const option = options.find(({ id }) => id === chosen);
      if (option) onChange(option.id);
    }}
  >
    {options.map(({ id, name }) => (
      <Radio key={id} value={id} className="segment">
        {name}
      </Radio>
    ))}
  </RadioGroup>
);
