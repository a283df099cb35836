import { useEffect, useState } from 'react';
import { RotateCw, TriangleAlert } from 'lucide-react';
import type { AppError } from '../../../shared/errors.ts';
import { Button } from '../../components/controls/button.tsx';
import { ConfirmDialog } from '../../components/controls/dialog.tsx';
import { ErrorNote } from '../../components/display/notes.tsx';
import { Progress } from '../../components/display/progress.tsx';
import { useMaintenance } from '../../stores/payment-log/payment-log-maintenance-store.ts';
import { useText } from '../../i18n/text.ts';
import { RestoreQuestion } from './restore-question.tsx';
import { Link } from 'react-aria-components';
import type { AppState } from '../../../shared/contract/contract.ts';
import { hrefOf } from '../../routes.ts';
import { useAppState } from '../../stores/app-state-store.ts';

/** Confirmed events that the payment log has lost, on every screen until a person has settled the loss. */
export const MissingEvents = ({ loss }: { loss: NonNullable<AppState['log']['loss']> }) => {
  const t = useText();
  const settle = useAppState(state => state.settleLoss);
  const { missing: count, from, until } = loss;
  return (
    <section className="note warning" aria-label={t('loss.name')}>
      <TriangleAlert size={16} aria-hidden="true" />
      <div className="stack tight">
        <p className="bold">{t('loss.title', { count })}</p>
        <p className="small">
          {from === 0 ? t('loss.text.unknown', { count, until }) : t('loss.text', { count, from, until })}
        </p>
        <p className="small">{t('loss.todo')}</p>
        <div className="line wrap">
          <Link
            className="button plain regular"
            href={hrefOf({ screen: 'settings', section: 'data', id: null })}
          >
            {t('loss.data')}
          </Link>
          <Button request="log.settleLoss" onPress={() => void settle()}>
            {t('loss.settle')}
          </Button>
        </div>
      </div>
    </section>
  );
};

/** A log that cannot be opened or written: the problem, and each remedy. */
export const LogProblem = ({ error }: { error: AppError }) => {
  const t = useText();
  const { running, copies, problem, listen, readCopies, reopen, checkCopy, createNew } = useMaintenance();
  const [asking, setAsking] = useState(false);
  useEffect(() => listen(), [listen]);
  const isMissing = error.code === 'log.missing';
  const replaceable = ['log.missing', 'log.corrupt', 'log.altered', 'log.newer'].includes(error.code);
  useEffect(() => {
    if (replaceable) void readCopies();
  }, [replaceable, readCopies]);
  const newest = copies?.copies[0];
  return (
    <section className="stack tight" aria-label={t('data.file')}>
      <ErrorNote error={error}>
        <Button
          variant="primary"
          icon={RotateCw}
          isPending={running?.job === 'other'}
          onPress={() => void reopen()}
        >
          {t(isMissing ? 'log-problem.look-again' : 'log-problem.try-again')}
        </Button>
        {replaceable ? (
          <>
            {newest ? (
              <Button
                request="log.checkCopy"
                isPending={running?.job === 'check'}
                onPress={() => void checkCopy(newest.name)}
              >
                {t('log-problem.restore-newest', { at: newest.at })}
              </Button>
            ) : null}
            <Button request="log.checkCopy" onPress={() => void checkCopy(null)}>
              {t('data.restore.file')}
            </Button>
            <Button request="log.createNew" onPress={() => setAsking(true)}>
              {t('log-problem.start-new')}
            </Button>
          </>
        ) : null}
      </ErrorNote>
      {running?.job === 'check' ? (
        <Progress name={t('data.checking')} done={running.done} total={running.total} />
      ) : null}
      {problem ? <ErrorNote error={problem} /> : null}
      <RestoreQuestion />
      <ConfirmDialog
        title={t('log-problem.start-new')}
        isOpen={asking}
        confirm={t('log-problem.start-new.yes')}
        onConfirm={() => {
          setAsking(false);
          void createNew();
        }}
        onClose={() => setAsking(false)}
      >
        <p>{t(isMissing ? 'log-problem.start-new.missing' : 'log-problem.start-new.text')}</p>
      </ConfirmDialog>
    </section>
  );
};
