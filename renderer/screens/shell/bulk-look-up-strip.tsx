import { CirclePause, CirclePlay, CircleStop, X } from 'lucide-react';
import { Link } from 'react-aria-components';
import { lookUpOutcomes, type BulkLookUp } from '../../../shared/payments/bulk-look-up.ts';
import { Button, IconButton } from '../../components/controls/button.tsx';
import { Progress } from '../../components/display/progress.tsx';
import { hrefOf } from '../../routes.ts';
import { useBulkLookUp } from '../../stores/payments/bulk-look-up.ts';
import { useText, type Translate } from '../../i18n/text.ts';

/** The state of the job as text, announced when the phase changes, not at every step. */
const describeJob = ({ phase, done, total, outcomes, problem }: BulkLookUp, t: Translate): string => {
  if (phase === 'running') return t('round.running', { total });
  if (phase === 'over')
    return t(done < total ? 'round.stopped' : 'round.over', {
      done,
      total,
      changed: outcomes['paid-now'] + outcomes.changed,
      failed: outcomes.failed,
    });
  return problem ? t('round.paused-itself', { error: t(`error.${problem.code}`) }) : t('round.paused');
};

/** The bulk look-up job, on every screen: its progress, its results, and the buttons to pause and stop it. */
export const BulkLookUpStrip = () => {
  const t = useText();
  const { job, control } = useBulkLookUp();
  if (job === null) return null;
  const { phase, done, total, outcomes, problem } = job;
  return (
    <section className="round" aria-label={t('round.name')}>
      <div className="round-state">
        {phase === 'over' ? null : <Progress name={t('round.name')} done={done} total={total} />}
        <output className={phase === 'running' ? 'out-of-sight' : 'small'}>{describeJob(job, t)}</output>
        {problem ? <p className="tiny quiet">{t(`hint.${problem.code}`)}</p> : null}
      </div>
      <ul className="round-outcomes line wrap">
        {lookUpOutcomes
          .filter(outcome => outcomes[outcome] > 0)
          .map(outcome => (
            <li key={outcome}>
              <Link className={`round-outcome ${outcome}`} href={hrefOf({ screen: 'bulk-look-up', outcome })}>
                {t(`round.outcome.${outcome}`, { count: outcomes[outcome] })}
              </Link>
            </li>
          ))}
      </ul>
      <span className="line push">
        {phase === 'running' ? (
          <Button icon={<CirclePause size={16} />} onPress={() => void control('pause')}>
            {t('round.pause')}
          </Button>
        ) : null}
        {phase === 'paused' ? (
          <Button variant="primary" icon={<CirclePlay size={16} />} onPress={() => void control('go-on')}>
            {t('round.go-on')}
          </Button>
        ) : null}
        {phase === 'over' ? (
          <IconButton name={t('dismiss')} icon={<X size={16} />} onPress={() => void control('forget')} />
        ) : (
          <Button variant="quiet" icon={<CircleStop size={16} />} onPress={() => void control('stop')}>
            {t('round.stop')}
          </Button>
        )}
      </span>
    </section>
  );
};
