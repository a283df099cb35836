import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useText } from '../text.ts';
import { IconButton } from './button.tsx';
import { useEarlyEscape } from './use-early-escape.ts';

/** A question or a sheet over the screen; Esc closes it and the focus goes back where it was. */
export const Sheet = ({
  title,
  isOpen,
  onClose,
  role = 'dialog',
  wide = false,
  children,
}: {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  role?: 'dialog' | 'alertdialog';
  wide?: boolean;
  children: ReactNode;
}) => {
  const t = useText();
  useEarlyEscape(isOpen, onClose);
  return (
    <ModalOverlay
      className="shade"
      isOpen={isOpen}
      onOpenChange={open => {
        if (!open) onClose();
      }}
      isDismissable
    >
      <Modal className={`modal ${wide ? 'wide' : ''}`}>
        <Dialog className="dialog" role={role}>
          <header className="dialog-head">
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            <IconButton name={t('close')} icon={<X size={16} />} onPress={onClose} />
          </header>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
};
