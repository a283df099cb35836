import { CirclePause, CirclePlay, CircleStop, X } from 'lucide-react';
import { Link } from 'react-aria-components';
import { roundOutcomes, type Round } from '../../../shared/payments/bulk-look-up.ts';
import { Button, IconButton } from '../../components/controls/button.tsx';
import { Progress } from '../../components/display/progress.tsx';
import { hrefOf } from '../../routes.ts';
import { useRound } from '../../stores/payments/bulk-look-up.ts';
import { useText, type Say } from '../../i18n/text.ts';

/** How the round stands, in words that are spoken when it turns, not at every step. */
const saysOf = ({ phase, done, total, outcomes, problem }: Round, t: Say): string => {
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

/** The round of look-ups, on every screen: how far it is, what it found, and how to hold it. */
export const RoundStrip = () => {
  const t = useText();
  const { round, steer } = useRound();
  if (round === null) return null;
  const { phase, done, total, outcomes, problem } = round;
  return (
    <section className="round" aria-label={t('round.name')}>
      <div className="round-state">
        {phase === 'over' ? null : <Progress name={t('round.name')} done={done} total={total} />}
        <output className={phase === 'running' ? 'out-of-sight' : 'small'}>{saysOf(round, t)}</output>
        {problem ? <p className="tiny quiet">{t(`hint.${problem.code}`)}</p> : null}
      </div>
      <ul className="round-outcomes line wrap">
        {roundOutcomes
          .filter(outcome => outcomes[outcome] > 0)
          .map(outcome => (
            <li key={outcome}>
              <Link className={`round-outcome ${outcome}`} href={hrefOf({ screen: 'round', outcome })}>
                {t(`round.outcome.${outcome}`, { count: outcomes[outcome] })}
              </Link>
            </li>
          ))}
      </ul>
      <span className="line push">
        {phase === 'running' ? (
          <Button icon={<CirclePause size={16} />} onPress={() => void steer('pause')}>
            {t('round.pause')}
          </Button>
        ) : null}
        {phase === 'paused' ? (
          <Button look="primary" icon={<CirclePlay size={16} />} onPress={() => void steer('go-on')}>
            {t('round.go-on')}
          </Button>
        ) : null}
        {phase === 'over' ? (
          <IconButton name={t('round.forget')} icon={<X size={16} />} onPress={() => void steer('forget')} />
        ) : (
          <Button look="quiet" icon={<CircleStop size={16} />} onPress={() => void steer('stop')}>
            {t('round.stop')}
          </Button>
        )}
      </span>
    </section>
  );
};
