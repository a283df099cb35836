import { RefreshCw } from 'lucide-react';
import type { HealthCheck } from '../../../../shared/contract/contract.ts';
import { Button } from '../../../components/controls/button.tsx';
import { ErrorNote } from '../../../components/display/error-note.tsx';
import { Checked } from '../../../components/display/time.tsx';
import { useText } from '../../../i18n/text.ts';
import { healthQuery } from '../../../queries/settings.ts';
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
  const { value: health, problem, isReading } = healthQuery.use('health');
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
        <Button icon={RefreshCw} isPending={isReading} onPress={() => void healthQuery.read('health')}>
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
