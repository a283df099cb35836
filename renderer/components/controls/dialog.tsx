import { X } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useText } from '../../i18n/text.ts';
import { IconButton, Button } from './button.tsx';

/** Focuses the first field of an opening dialog that is typed in, unless the focus is inside already. */
const FirstField = ({ children }: { children: ReactNode }) => {
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (content.current === null || content.current.contains(document.activeElement)) return;
    content.current
      .querySelector<HTMLElement>(
        'textarea:enabled, input:enabled:not([type="checkbox"], [type="radio"], [type="hidden"], [type="file"], [tabindex="-1"]), [role="spinbutton"]',
      )
      ?.focus();
  }, []);
  return (
    <div className="dialog-content" ref={content}>
      {children}
    </div>
  );
};

/** A dialog over the screen; Esc closes it and the focus returns to its previous place. */
export const Sheet = ({
  title,
  isOpen = true,
  onClose,
  role = 'dialog',
  wide = false,
  side = false,
  children,
}: {
  title: string;
  isOpen?: boolean;
  onClose: () => void;
  role?: 'dialog' | 'alertdialog';
  wide?: boolean;
  /** At the side of the window, as high as it: the screen stays in view. */
  side?: boolean;
  children: ReactNode;
}) => {
  const t = useText();
  return (
    <ModalOverlay
      className="shade tracks"
      isOpen={isOpen}
      onOpenChange={open => {
        if (!open) onClose();
      }}
      isDismissable
    >
      <Modal className={`modal scrolls rounded-l shadow-2 ${wide ? 'wide' : ''} ${side ? 'side' : ''}`}>
        <Dialog className="dialog" role={role}>
          <header className="dialog-head line gap-3 spread">
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            <IconButton name={t('close')} icon={<X size={16} />} onPress={onClose} />
          </header>
          <FirstField>{children}</FirstField>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
};

/** Asks before something that is hard to undo. Esc and `refuse` change nothing. */
export const ConfirmDialog = ({
  title,
  isOpen = true,
  isPending = false,
  hasFields = false,
  variant = 'danger',
  confirm,
  refuse = null,
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
  /** `primary`: nothing is lost by it. */
  variant?: 'danger' | 'primary';
  confirm: string;
  /** Null: "Cancel". */
  refuse?: string | null;
  onConfirm: () => void;
  onClose: () => void;
  /** What will happen. */
  children: ReactNode;
}) => {
  const t = useText();
  return (
    <Sheet title={title} isOpen={isOpen} onClose={onClose} role="alertdialog">
      <div className="stack">
        {children}
        <div className="line end">
          {/* oxlint-disable-next-line jsx-a11y/no-autofocus */}
          <Button autoFocus={!hasFields} onPress={onClose}>
            {refuse ?? t('cancel')}
          </Button>
          <Button variant={variant} isPending={isPending} onPress={onConfirm}>
            {confirm}
          </Button>
        </div>
      </div>
    </Sheet>
  );
};
