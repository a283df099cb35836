import '../../styles/handover-note.css';
import { Printer, RefreshCw } from 'lucide-react';
import { createPortal } from 'react-dom';
import { Button } from '../../components/controls/button.tsx';
import { ErrorNote } from '../../components/display/error-note.tsx';
import { Screen } from '../../components/display/screen.tsx';
import { PaperHead } from '../../components/papers/paper-head.tsx';
import { useActiveProfile } from '../../stores/app-state-store.ts';
import { handoverNoteQuery } from '../../queries/reports.ts';
import { useText } from '../../i18n/text.ts';
import { HandoverNoteSheet } from './handover-note-sheet.tsx';

/** The handover note for the next shift, for reading and printing. */
export const HandoverNoteScreen = () => {
  const t = useText();
  const profile = useActiveProfile();
  const of = { profileId: profile?.id ?? null };
  const { value, problem, isReading } = handoverNoteQuery.use(of);
  // An earlier one must not be printed as the present one.
  const note = isReading ? null : value;
  const merchant = profile?.name ?? '';
  return (
    <Screen
      title={t('nav.handover-note')}
      label={t('nav.handover-note')}
      lead={t('handover-note.lead')}
      className="handover-note"
      actions={
        <>
          <Button
            request="payments.handoverNote"
            icon={<RefreshCw size={16} />}
            onPress={() => void handoverNoteQuery.read(of)}
          >
            {t('handover-note.refresh')}
          </Button>
          <Button
            variant="primary"
            icon={<Printer size={16} />}
            isDisabled={note === null}
            onPress={() => window.print()}
          >
            {t('print')}
          </Button>
        </>
      }
    >
      {problem && !isReading ? <ErrorNote error={problem} /> : null}
      {note === null ? null : (
        <>
          <article className="panel handover-sheet" data-testid="handover-note">
            <HandoverNoteSheet note={note} merchant={merchant} />
          </article>
          {createPortal(
            <section className="slip handover-sheet" aria-hidden="true">
              <PaperHead profile={profile} title={t('nav.handover-note')} />
              <HandoverNoteSheet note={note} merchant={merchant} />
            </section>,
            document.body,
          )}
        </>
      )}
    </Screen>
  );
};
