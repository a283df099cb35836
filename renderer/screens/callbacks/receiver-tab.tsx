import { Settings2 } from 'lucide-react';
import { Button } from '../../components/controls/button.tsx';
import { useText } from '../../i18n/text.ts';
import { useAppState } from '../../stores/app-state-store.ts';
import { go } from '../../stores/route-store.ts';
import { EventHealthPanel } from './event-health-panel.tsx';
import { ReceiverHealthPanel } from './receiver-health-panel.tsx';

/** The receiver's state and addresses, and which types of callbacks came. */
export const ReceiverTab = () => {
  const t = useText();
  const health = useAppState(state => state.appState?.receiver ?? null);
  return (
    <>
      {health ? <ReceiverHealthPanel health={health} /> : null}
      <EventHealthPanel />
      <div className="line">
        <Button
          icon={<Settings2 size={16} />}
          onPress={() => go({ screen: 'settings', section: 'receiver', id: null })}
        >
          {t('callbacks.receiver-settings')}
        </Button>
      </div>
    </>
  );
};
