import type { ReactNode } from 'react';
import { useText } from '../../i18n/text.ts';
import { Button, type ButtonIcon } from './button.tsx';
import { Sheet } from './dialog.tsx';

/** Asks before an order or a customer gets a second link, because the customer could pay both. Esc and "go back" change nothing. */
export const SecondLinkQuestion = ({
  title,
  safeAnswer: { name, ...safeAnswer },
  create,
  onCreate,
  onClose,
  children,
}: {
  title: string;
  /** The answer that creates no link; it has the initial focus. */
  safeAnswer: { name: string; icon?: ButtonIcon; onPress: () => void };
  /** The name of the answer that creates another link. */
  create?: string;
  onCreate: () => void;
  onClose: () => void;
  /** The first link, and the risk. */
  children: ReactNode;
}) => {
  const t = useText();
  return (
    <Sheet title={title} role="alertdialog" onClose={onClose}>
      <div className="stack">
        {children}
        <div className="line wrap dialog-actions">
          {/* oxlint-disable-next-line jsx-a11y/no-autofocus */}
          <Button variant="primary" autoFocus {...safeAnswer}>
            {name}
          </Button>
          <Button onPress={onCreate}>{create ?? t('duplicate.create')}</Button>
          <Button variant="quiet" onPress={onClose} className="push">
            {t('go-back')}
          </Button>
        </div>
      </div>
    </Sheet>
  );
};
