import { ConfirmDialog } from '../../components/controls/dialog.tsx';
import { Note } from '../../components/display/notes.tsx';
import { useText } from '../../i18n/text.ts';

/** Erasing a customer's details cannot be undone, so it requires a confirmation. */
export const EraseQuestion = ({
  isOpen,
  text,
  series,
  onErase,
  onClose,
}: {
  isOpen: boolean;
  /** What is erased. */
  text: string;
  /** What happens to the series of the erased payments; null if there is none. */
  series: string | null;
  onErase: () => void;
  onClose: () => void;
}) => {
  const t = useText();
  return (
    <ConfirmDialog
      title={t('erase.title')}
      isOpen={isOpen}
      confirm={t('erase.yes')}
      onConfirm={() => {
        onClose();
        onErase();
      }}
      onClose={onClose}
    >
      <p>{text}</p>
      {series === null ? null : <Note tone="warning">{series}</Note>}
    </ConfirmDialog>
  );
};
