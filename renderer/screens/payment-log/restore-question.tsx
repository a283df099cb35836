import { TriangleAlert } from 'lucide-react';
import { ConfirmDialog } from '../../components/controls/dialog.tsx';
import { Note } from '../../components/display/notes.tsx';
import { useMaintenance } from '../../stores/payment-log/payment-log-maintenance-store.ts';
import { useMessage, useText } from '../../i18n/text.ts';

/** The content of a copy and the events that would be missing, before it replaces the log. */
export const RestoreQuestion = () => {
  const t = useText();
  const say = useMessage();
  const { candidate, running, clearCandidate, restore } = useMaintenance();
  if (!candidate) return null;
  const { report, inUse } = candidate;
  const missing = inUse === null ? null : Math.max(0, inUse - report.events);
  return (
    <ConfirmDialog
      title={t('restore.title')}
      isPending={running !== null}
      confirm={t('restore.yes')}
      onConfirm={() => void restore()}
      onClose={clearCandidate}
    >
      <p className="break">
        {t('restore.contents', { name: candidate.name, events: report.events, payments: report.payments })}
      </p>
      {report.problems.length > 0 ? (
        <Note tone="warning">
          <p>{t('restore.broken', { count: report.problems.length })}</p>
          <p className="tiny">{report.problems[0] ? say(report.problems[0].message) : null}</p>
        </Note>
      ) : (
        <p className="small muted">{t('restore.sound')}</p>
      )}
      {missing === null ? null : missing > 0 ? (
        <p className="line">
          <TriangleAlert size={16} aria-hidden="true" />
          {t('restore.missing', { count: missing })}
        </p>
      ) : (
        <p className="small muted">{t('restore.nothing-missing')}</p>
      )}
      <p className="small muted">{t('restore.current')}</p>
    </ConfirmDialog>
  );
};
