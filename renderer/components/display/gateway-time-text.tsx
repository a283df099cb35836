import { readGatewayTime } from '../../../shared/gateway-time.ts';
import { useText } from '../../i18n/text.ts';
import { useAppState } from '../../stores/app-state-store.ts';
import { Time } from './time.tsx';

/**
 * A time as the gateway wrote it, and as local time: read in the profile's zone, which is marked as an assumption
 * (§2.5).
 */
export const GatewayTime = ({ text, profileId }: { text: string; profileId: string }) => {
  const t = useText();
  const zone = useAppState(
    state => state.appState?.profiles.find(({ id }) => id === profileId)?.gatewayZone ?? 'UTC',
  );
  const at = readGatewayTime(text, zone);
  return (
    <span className="small quiet">
      {at === null ? null : (
        <>
          <Time at={at} clock />
          {' · '}
        </>
      )}
      {at === null
        ? t('look-up.gateway-time', { time: text })
        : t('look-up.gateway-time.zone', { time: text, zone })}
    </span>
  );
};
