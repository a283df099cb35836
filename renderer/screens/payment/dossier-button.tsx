import { FileCheck } from 'lucide-react';
import { Button } from '../../components/controls/button.tsx';
import { Note } from '../../components/display/note.tsx';
import { usePayment } from '../../stores/payments/payment.ts';
import { useText } from '../../i18n/text.ts';

/** Exports everything about the payment, with its proof, to a file; then shows the file's path and what it proves. */
export const DossierButton = () => {
  const t = useText();
  const { writeDossier, dossier, busy } = usePayment();
  return (
    <>
      <Button
        variant="quiet"
        icon={<FileCheck size={16} />}
        isPending={busy === 'dossier'}
        onPress={() => void writeDossier()}
      >
        {t('dossier.name')}
      </Button>
      {dossier ? (
        <output>
          <Note tone={dossier.proven ? 'info' : 'warning'}>
            <span className="break">
              {t(dossier.proven ? 'dossier.proven' : 'dossier.unproven', { file: dossier.file })}
            </span>
          </Note>
        </output>
      ) : null}
    </>
  );
};
