import { CirclePause, CirclePlay, CircleStop, X, RotateCw, FolderOpen } from 'lucide-react';
import { useDismissLater } from '../../hooks/use-dismiss-later.ts';
import { Link } from 'react-aria-components';
import { lookUpOutcomes, type BulkLookUp } from '../../../shared/look-ups/bulk-look-up.ts';
import { Button, IconButton } from '../../components/controls/button.tsx';
import { Progress } from '../../components/display/progress.tsx';
import { focusScreen } from '../../focus.ts';
import { hrefOf } from '../../routes.ts';
import { controlLookUps, useBulkLookUp } from '../../queries/bulk-look-up.ts';
import { useText, type Translate, useMessage } from '../../i18n/text.ts';
import { useState } from 'react';
import { ConfirmDialog } from '../../components/controls/dialog.tsx';
import { useTask } from '../../forms/form.tsx';
import { request } from '../../ipc-client.ts';
import { useAppState } from '../../stores/app-state-store.ts';
import { flushDrafts } from '../../stores/new-payment/keep-drafts.ts';
import { useNewPayment } from '../../stores/new-payment/new-payment-store.ts';
import { allDrafts, isInUse } from '../../stores/new-payment/drafts.ts';
import { useExport } from '../../stores/reports/export-store.ts';

/** Display time of a finished export's message; extended while it is hovered or has the focus. */
const exportShownMs = 30_000;

const writtenText = (
  { count, signed, file }: { count: number | null; signed: boolean; file: string },
  t: Translate,
): string => {
  const name = file.replace(/^.*[\\/]/, '');
  if (count === null) return t(signed ? 'export.done.plain' : 'export.done.plain.unsigned', { file: name });
  return t(signed ? 'export.done.signed' : 'export.done.file', { count, file: name });
};

/** The running export, on every screen: its progress, the cancel button, and its result. */
export const ExportStrip = () => {
  const t = useText();
  const { requestId, progress, result, stop, dismiss, showFile } = useExport();
  const isQuiet = requestId === null ? result === null : progress === null;
  const description =
    result === null
      ? ''
      : result.kind === 'written'
        ? writtenText(result, t)
        : result.kind === 'stopped'
          ? t('export.stopped')
          : `${t(`error.${result.error.code}`)} ${t(`hint.${result.error.code}`)}`;
  const dismissesItself = requestId === null && result !== null && result.kind !== 'failed';
  const frame = useDismissLater<HTMLDivElement>(dismiss, exportShownMs, dismissesItself);
  return (
    // It stays in the page while empty, so that screen readers announce later messages.
    <div
      ref={frame}
      className={isQuiet ? 'out-of-sight' : 'job-strip line wrap line-above on-surface'}
      data-testid="export-strip"
    >
      <div className="job-state">
        {requestId !== null && progress !== null ? (
          <>
            <Progress name={t('export.strip')} done={progress.written} total={progress.total ?? 0} />
            <span className="small quiet">{t('export.done', { count: progress.written })}</span>
          </>
        ) : null}
        <output className="small break" {...(result?.kind === 'written' ? { title: result.file } : {})}>
          {description}
        </output>
      </div>
      {isQuiet ? null : (
        <span className="line push">
          {requestId === null && result?.kind === 'written' ? (
            <Button variant="quiet" icon={FolderOpen} onPress={showFile}>
              {t('export.show')}
            </Button>
          ) : null}
          {requestId === null ? (
            <IconButton
              name={t('dismiss')}
              icon={<X size={16} />}
              onPress={() => {
                dismiss();
                focusScreen();
              }}
            />
          ) : (
            <Button variant="quiet" icon={CircleStop} onPress={stop}>
              {t('export.stop')}
            </Button>
          )}
        </span>
      )}
    </div>
  );
};

/** Whether a restart would lose what was typed. */
const isTextLost = (): boolean => {
  const state = useNewPayment.getState();
  return state.kept !== 'restart' && allDrafts(state).some(isInUse);
};

/** The version that is installed when the console closes, on every screen. A restart asks before text is lost. */
export const UpdateStrip = () => {
  const t = useText();
  const say = useMessage();
  const version = useAppState(({ appState }) => appState?.updates.version ?? null);
  const last = useAppState(({ appState }) => appState?.updates.problem ?? null);
  const [isAsking, setIsAsking] = useState(false);
  const { isBusy, problem, send } = useTask();
  if (version === null) return null;

  const restart = (): Promise<void> => {
    setIsAsking(false);
    return send(async () => {
      await flushDrafts();
      return request('updates.restart', {});
    });
  };

  return (
    <section className="job-strip line wrap line-above on-surface" aria-label={t('update.title')}>
      <div className="job-state">
        <output className="small">
          {problem === null
            ? last?.code === 'update.failed'
              ? `${say(last.message)} ${last.hint ? say(last.hint) : ''}`
              : t('update.ready', { version })
            : `${t(`error.${problem.code}`)} ${t(`hint.${problem.code}`)}`}
        </output>
      </div>
      <span className="line push">
        <Button
          variant="quiet"
          icon={RotateCw}
          isPending={isBusy}
          onPress={() => (isTextLost() ? setIsAsking(true) : void restart())}
        >
          {t('update.restart')}
        </Button>
      </span>
      <ConfirmDialog
        title={t('update.restart.typed')}
        isOpen={isAsking}
        confirm={t('update.restart')}
        refuse={t('update.restart.later')}
        onConfirm={() => void restart()}
        onClose={() => setIsAsking(false)}
      >
        <p>{t('update.restart.typed.text')}</p>
      </ConfirmDialog>
    </section>
  );
};

/** The state of the job as text, announced when the phase changes, not at every step. */
const describeJob = ({ phase, done, total, outcomes, problem }: BulkLookUp, t: Translate): string => {
  if (phase === 'running') return t('bulk-look-up.running', { total });
  if (phase === 'over')
    return t(done < total ? 'bulk-look-up.stopped' : 'bulk-look-up.finished', {
      done,
      total,
      changed: outcomes['paid-now'] + outcomes.changed,
      failed: outcomes.failed,
    });
  return problem
    ? t('bulk-look-up.paused-by-error', { error: t(`error.${problem.code}`) })
    : t('bulk-look-up.paused');
};

/** How long a result without failures is shown, milliseconds; longer while it is hovered or has the focus. */
const shownMs = 20_000;

/** The bulk look-up job, on every screen: its progress, its results, and the buttons to pause and stop it. */
export const BulkLookUpStrip = () => {
  const t = useText();
  // The first screen does not wait for it.
  const job = useBulkLookUp(500);
  const isDone = job?.phase === 'over' && job.failures.length === 0;
  const frame = useDismissLater<HTMLElement>(() => void controlLookUps('forget'), shownMs, isDone);
  if (job === null) return null;
  const { phase, done, total, outcomes, failures, problem } = job;
  return (
    <section
      ref={frame}
      className="job-strip line wrap line-above on-surface"
      aria-label={t('bulk-look-up.name')}
    >
      <div className="job-state">
        {phase === 'over' ? null : <Progress name={t('bulk-look-up.name')} done={done} total={total} />}
        <output className={phase === 'running' ? 'out-of-sight' : 'small'}>{describeJob(job, t)}</output>
        {problem
          ? null
          : failures.map(({ code, count }) => (
              <p key={code} className="tiny quiet">
                {t('bulk-look-up.failures', { count, error: t(`error.${code}`) })}
              </p>
            ))}
        {problem ? <p className="tiny quiet">{t(`hint.${problem.code}`)}</p> : null}
      </div>
      <ul className="no-padding no-margin no-bullets line wrap">
        {lookUpOutcomes
          .filter(outcome => outcomes[outcome] > 0)
          .map(outcome => (
            <li key={outcome}>
              <Link
                className={`job-outcome lined hovers pill muted small undecorated ${outcome}`}
                href={hrefOf({ screen: 'bulk-look-up', outcome })}
              >
                {t(`bulk-look-up.outcome.${outcome}`, { count: outcomes[outcome] })}
              </Link>
            </li>
          ))}
      </ul>
      <span className="line push">
        {phase === 'running' ? (
          <Button icon={CirclePause} onPress={() => void controlLookUps('pause')}>
            {t('bulk-look-up.pause')}
          </Button>
        ) : null}
        {phase === 'paused' ? (
          <Button variant="primary" icon={CirclePlay} onPress={() => void controlLookUps('go-on')}>
            {t('bulk-look-up.resume')}
          </Button>
        ) : null}
        {phase === 'over' ? (
          <IconButton
            name={t('dismiss')}
            icon={<X size={16} />}
            onPress={() => {
              void controlLookUps('forget');
              focusScreen();
            }}
          />
        ) : (
          <Button variant="quiet" icon={CircleStop} onPress={() => void controlLookUps('stop')}>
            {t('bulk-look-up.stop')}
          </Button>
        )}
      </span>
    </section>
  );
};
