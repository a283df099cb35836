import { CirclePause, CirclePlay, CircleStop, X } from 'lucide-react';
import { useDismissLater } from '../../hooks/use-dismiss-later.ts';
import { Link } from 'react-aria-components';
import { lookUpOutcomes, type BulkLookUp } from '../../../shared/look-ups/bulk-look-up.ts';
import { Button, IconButton } from '../../components/controls/button.tsx';
import { Progress } from '../../components/display/progress.tsx';
import { focusScreen } from '../../focus.ts';
import { hrefOf } from '../../routes.ts';
import { controlLookUps, useBulkLookUp } from '../../queries/bulk-look-up.ts';
import { useText, type Translate } from '../../i18n/text.ts';

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
