import { useEffect, useMemo } from 'react';
import { FileUp } from 'lucide-react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { Button } from '../../components/controls/button.tsx';
import { Screen } from '../../components/display/screen.tsx';
import { useNumber, useText } from '../../i18n/text.ts';
import { callbacksTabs, type CallbacksTab } from '../../routes.ts';
import { isTyping } from '../../shortcuts.ts';
import { useCallbackFile } from '../../stores/callbacks/callback-file-store.ts';
import { inboxLimit, inboxQuery, type Received } from '../../queries/callbacks.ts';
import { useInspector } from '../../stores/callbacks/inspector-store.ts';
import { goInPlace } from '../../stores/route-store.ts';
import { groupDeliveries } from './deliveries.ts';
import { Inbox } from './inbox.tsx';
import { Inspector } from './inspector.tsx';
import { ReceiverTab } from './receiver-tab.tsx';

const none: readonly Received[] = [];

const show = (tab: CallbacksTab): void =>
  goInPlace(tab === 'inspect' ? { screen: 'callbacks' } : { screen: 'callbacks', tab });

/** Explains a callback in any form; beside it, in tabs, the callbacks that arrived and the receiver. */
export const CallbacksScreen = ({ tab }: { tab: CallbacksTab }) => {
  const t = useText();
  const events = inboxQuery.use('inbox').value ?? none;
  const groups = useMemo(() => groupDeliveries(events), [events]);
  useEffect(() => {
    // A paste anywhere on this screen goes to the inspector.
    const onPaste = (event: ClipboardEvent): void => {
      if (isTyping(event.target)) return;
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (text === '') return;
      event.preventDefault();
      show('inspect');
      useInspector.getState().take(text, 'paste');
    };
    window.addEventListener('paste', onPaste);
    return () => window.removeEventListener('paste', onPaste);
  }, []);
  const count = `${useNumber()(groups.length)}${events.length < inboxLimit ? '' : '+'}`;
  return (
    <Screen
      title={t('nav.callbacks')}
      label={t('nav.callbacks')}
      lead={t(`callbacks.lead.${tab}`)}
      className="callbacks"
      actions={
        <Button
          icon={<FileUp size={16} />}
          onPress={() => {
            show('inspect');
            void useCallbackFile.getState().open();
          }}
        >
          {t('callbacks.open-file')}
        </Button>
      }
    >
      <Tabs
        className="stack tabs no-outline"
        selectedKey={tab}
        onSelectionChange={key => show(callbacksTabs.find(one => one === key) ?? 'inspect')}
      >
        <TabList className="segments" aria-label={t('nav.callbacks')}>
          {callbacksTabs.map(id => (
            <Tab key={id} id={id} className="segment">
              {id === 'inbox' && groups.length > 0
                ? `${t('callbacks.tab.inbox')} ${count}`
                : t(`callbacks.tab.${id}`)}
            </Tab>
          ))}
        </TabList>
        <TabPanel id="inspect" className="stack">
          <Inspector />
        </TabPanel>
        <TabPanel id="inbox" className="stack">
          <Inbox groups={groups} />
        </TabPanel>
        <TabPanel id="receiver" className="stack">
          <ReceiverTab />
        </TabPanel>
      </Tabs>
    </Screen>
  );
};
