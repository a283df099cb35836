import { CircleCheck } from 'lucide-react';
import { Time } from '../../../components/display/values.tsx';
import { useText } from '../../../i18n/text.ts';
import { credentialHealthQuery } from '../../../queries/settings.ts';
import { useAppState } from '../../../stores/app-state-store.ts';

/**
 * How results of a profile arrive on this computer: by callbacks that its password verifies, or by status checks; and
 * when that worked last.
 */
export const ResultWay = ({ id }: { id: string }) => {
  const t = useText();
  const { value: health } = credentialHealthQuery.use({ id });
  const way = useAppState(({ appState }) => {
    if (appState?.watchedProfiles.includes(id)) return 'asks';
    const isSandbox = appState?.profiles.some(one => one.id === id && one.kind === 'sandbox');
    return isSandbox || appState?.settings.receiver.enabled || appState?.sharing ? 'callbacks' : 'none';
  });
  const workedAt = (way === 'asks' ? health?.lookedUpAt : health?.verifiedAt) ?? null;
  return (
    <>
      {t(`health.way.${way}`)}{' '}
      {workedAt !== null ? (
        <span className="health good">
          <CircleCheck size={14} aria-hidden="true" />
          {t('health.way.worked')} <Time at={workedAt} />
        </span>
      ) : way === 'none' || health === null ? null : (
        <span className="quiet">{t('health.way.not-yet')}</span>
      )}
    </>
  );
};
