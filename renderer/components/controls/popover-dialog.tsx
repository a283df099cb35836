import type { ReactElement, ReactNode } from 'react';
import { Dialog, DialogTrigger, Popover, type PopoverProps } from 'react-aria-components';

/** A button that opens a small dialog beside it. The content gets what closes it. */
export const PopoverDialog = ({
  name,
  button,
  placement = 'bottom',
  popoverClass = 'filter-popover',
  dialogClass = 'filter-dialog pad-3 no-outline',
  children,
  ...opening
}: {
  /** Of the dialog, for screen readers. */
  name: string;
  button: ReactElement;
  placement?: NonNullable<PopoverProps['placement']>;
  popoverClass?: string;
  dialogClass?: string;
  isOpen?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
  children: (close: () => void) => ReactNode;
}) => (
  <DialogTrigger {...opening}>
    {button}
    <Popover className={`popover ${popoverClass}`} placement={placement}>
      <Dialog className={dialogClass} aria-label={name}>
        {({ close }) => children(close)}
      </Dialog>
    </Popover>
  </DialogTrigger>
);
