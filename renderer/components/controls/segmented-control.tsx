import type { ComponentProps } from 'react';
import { RadioChoice } from './radio-choice.tsx';

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
