import { Eye } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { RequestOutput } from '../../../shared/contract/contract.ts';
import { useLocaleChoice, useText } from '../../i18n/text.ts';
import { request } from '../../ipc-client.ts';
import { useAppState } from '../../stores/app-state-store.ts';

/** Interval of saying that a payment is shown, and of reading who else looks at it. */
const intervalMs = 5_000;

/** Who looks at the same payment at another installation; nothing if no one else does. */
export const Viewers = ({ profileId, orderNumber }: { profileId: string; orderNumber: string }) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const hasTeam = useAppState(state => (state.appState?.team ?? null) !== null);
  const [viewers, setViewers] = useState<RequestOutput<'team.look'>['viewers']>([]);
  useEffect(() => {
    if (!hasTeam) return undefined;
    let isCurrent = true;
    const look = async (): Promise<void> => {
      const answer = await request('team.look', { payment: { profileId, orderNumber } });
      if (isCurrent) setViewers(answer.ok ? answer.value.viewers : []);
    };
    void look();
    const timer = window.setInterval(() => void look(), intervalMs);
    return () => {
      isCurrent = false;
      window.clearInterval(timer);
      void request('team.look', { payment: null });
    };
  }, [hasTeam, profileId, orderNumber]);
  return (
    <output>
      {viewers.length === 0 ? null : (
        <span className="line small muted">
          <Eye size={14} aria-hidden="true" />
          {t('payment.viewers', {
            people: new Intl.ListFormat(locale).format(
              viewers.map(({ agent, installation }) => t('team.at', { agent, installation })),
            ),
          })}
        </span>
      )}
    </output>
  );
};
