import { RefreshCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Health as HealthReport, HealthCheck } from '../../../../shared/contract/contract.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { Button } from '../../../components/controls/button.tsx';
import { ErrorNote } from '../../../components/display/error-note.tsx';
import { Checked } from '../../../components/display/time.tsx';
import { useText } from '../../../i18n/text.ts';
import { request } from '../../../ipc-client.ts';
import { useAppState } from '../../../stores/app-state-store.ts';
import { HealthStep } from '../health-step.tsx';

const Check = ({ check: { name, profileId, state, finding, todo } }: { check: HealthCheck }) => {
  const t = useText();
  const profile = useAppState(({ appState }) => appState?.profiles.find(({ id }) => id === profileId)?.name);
  const title =
    name === 'profile'
      ? t('health.check.profile', { profile: profile ?? profileId ?? '' })
      : t(`health.check.${name}`);
  return <HealthStep title={title} state={state} finding={finding} todo={todo} />;
};

/** What `counterfoil --status` reports, in words. */
export const Health = () => {
  const t = useText();
  const [health, setHealth] = useState<HealthReport | null>(null);
  const [problem, setProblem] = useState<AppError | null>(null);
  /** The number of requests, and of answers. */
  const [asked, setAsked] = useState(1);
  const [answered, setAnswered] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    const read = async (): Promise<void> => {
      const answer = await request('health.read', {});
      if (!isCurrent) return;
      setAnswered(asked);
      setProblem(answer.ok ? null : answer.error);
      if (answer.ok) setHealth(answer.value);
    };
    void read();
    return () => {
      isCurrent = false;
    };
  }, [asked]);
  const wrong = health?.checks.filter(({ state }) => state === 'attention' || state === 'broken') ?? [];
  return (
    <section className="panel stack" aria-label={t('settings.health')}>
      <div className="line spread wrap">
        <div className="measure">
          <h2>{t('settings.health')}</h2>
          <output className="small">
            {health === null ? null : (
              <>
                {wrong.length === 0
                  ? t('health.summary.good')
                  : t('health.summary.attention', { count: wrong.length })}{' '}
                <Checked at={health.at} />
              </>
            )}
          </output>
        </div>
        <Button
          icon={<RefreshCw size={16} />}
          isPending={answered < asked}
          onPress={() => setAsked(asked + 1)}
        >
          {t('health.again')}
        </Button>
      </div>
      {problem ? <ErrorNote error={problem} /> : null}
      {health === null ? null : (
        <ol>
          {health.checks.map(check => (
            <Check key={`${check.name} ${check.profileId ?? ''}`} check={check} />
          ))}
        </ol>
      )}
      <p className="tiny quiet">{t('health.text', { command: 'counterfoil --status' })}</p>
    </section>
  );
};
