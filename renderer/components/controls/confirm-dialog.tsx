import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Sheet } from './dialog.tsx';

/** Asks before something that cannot be undone. Esc and `refuse` change nothing. */
export const ConfirmDialog = ({
  title,
  isOpen = true,
  isPending = false,
  hasFields = false,
  confirm,
  refuse,
  onConfirm,
  onClose,
  children,
}: {
  title: string;
  isOpen?: boolean;
  /** Whether what was confirmed is being done while the question stays open. */
  isPending?: boolean;
  /** The first field has the initial focus, not the safe answer. */
  hasFields?: boolean;
  confirm: string;
  refuse: string;
  onConfirm: () => void;
  onClose: () => void;
  /** What will happen. */
  children: ReactNode;
}) => (
  <Sheet title={title} isOpen={isOpen} onClose={onClose} role="alertdialog">
    <div className="stack">
      {children}
      <div className="line end">
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus */}
        <Button autoFocus={!hasFields} onPress={onClose}>
          {refuse}
        </Button>
        <Button variant="danger" isPending={isPending} onPress={onConfirm}>
          {confirm}
        </Button>
      </div>
    </div>
  </Sheet>
);
