import { useEffect, useMemo, useRef } from 'react';
import { FileUp, Webhook, X, Settings2 } from 'lucide-react';
import {
  Tab,
  TabList,
  TabPanel,
  Tabs,
  DropZone,
  isFileDropItem,
  Text,
  Label,
  TextArea,
  TextField,
} from 'react-aria-components';
import { Button, IconButton } from '../../components/controls/button.tsx';
import { Screen } from '../../components/display/screen.tsx';
import { useNumber, useText } from '../../i18n/text.ts';
import { callbacksTabs, type CallbacksTab } from '../../routes.ts';
import { isTyping } from '../../shortcuts.ts';
import { useCallbackFile } from '../../stores/callbacks/callback-file-store.ts';
import { inboxLimit, inboxQuery, type Received } from '../../queries/callbacks.ts';
import { useInspector } from '../../stores/callbacks/inspector-store.ts';
import { goInPlace, go } from '../../stores/route-store.ts';
import { groupDeliveries } from './deliveries.ts';
import { Inbox } from './inbox.tsx';
import { ErrorNote } from '../../components/display/error-note.tsx';
import { Empty, Note } from '../../components/display/note.tsx';
import { FilePanel } from './file-panel.tsx';
import { TextInspection } from './inspection-result.tsx';
import { containsCardNumber } from '../../../shared/card-number.ts';
import { useAppState } from '../../stores/app-state-store.ts';
import { EventHealthPanel } from './event-health-panel.tsx';
import { ReceiverHealthPanel } from './receiver-health-panel.tsx';

/** The receiver's state and addresses, and which types of callbacks came. */
const ReceiverTab = () => {
  const t = useText();
  const health = useAppState(state => state.appState?.receiver ?? null);
  return (
    <>
      {health ? <ReceiverHealthPanel health={health} /> : null}
      <EventHealthPanel />
      <div className="line">
        <Button icon={Settings2} onPress={() => go({ screen: 'settings', section: 'receiver', id: null })}>
          {t('callbacks.receiver-settings')}
        </Button>
      </div>
    </>
  );
};

/**
 * The field for a pasted callback. Unlike other fields it must accept everything that a gateway sent. A card number
 * causes a warning and is not dropped: main masks it before anything is shown or stored.
 */
const PasteBox = () => {
  const t = useText();
  const { text, take, clear } = useInspector();
  const area = useRef<HTMLTextAreaElement>(null);
  const isEmpty = text === '';
  // A browser scrolls to the end of what is pasted; the id is at its start.
  useEffect(() => {
    if (isEmpty) return undefined;
    const frame = requestAnimationFrame(() => area.current?.scrollTo(0, 0));
    return () => cancelAnimationFrame(frame);
  }, [isEmpty]);
  return (
    <div className="stack tight">
      <TextField
        className="field"
        value={text}
        onChange={typed => take(typed, 'paste')}
        onKeyDown={event => {
          if (event.key === 'Escape' && !isEmpty) clear();
          else event.continuePropagation();
        }}
      >
        <div className="field-label">
          <Label>{t('callbacks.paste')}</Label>
          {isEmpty ? null : <IconButton name={t('callbacks.clear')} icon={<X size={14} />} onPress={clear} />}
        </div>
        <TextArea
          ref={area}
          className="input area code"
          rows={isEmpty ? 7 : 5}
          spellCheck={false}
          placeholder={'id=…\norder_number=…\ntype=sale\nstatus=success\nhash=…'}
        />
      </TextField>
      {text.length < 20_000 && containsCardNumber(text) ? (
        <Note tone="warning">{t('callbacks.card')}</Note>
      ) : null}
    </div>
  );
};

/** Paste, drop or open one callback or many, in any form; below, what they mean. */
const Inspector = () => {
  const t = useText();
  const { inspection, problem, inspecting, fileName } = useInspector();
  const { file } = useCallbackFile();
  return (
    <>
      <DropZone
        className="drop stack gap-1 panel"
        onDrop={event => {
          const item = event.items.find(isFileDropItem);
          if (item) void item.getFile().then(useCallbackFile.getState().drop);
        }}
      >
        <Text slot="label" className="out-of-sight">
          {t('callbacks.drop')}
        </Text>
        <PasteBox />
        <p className="hint">
          {fileName === null ? t('callbacks.forms') : t('callbacks.file', { name: fileName })}
        </p>
      </DropZone>
      <FilePanel />
      {problem ? <ErrorNote error={problem} /> : null}
      {inspection ? (
        <TextInspection inspection={inspection} />
      ) : inspecting ? (
        <output className="quiet">{t('loading')}</output>
      ) : problem || file ? null : (
        <Empty
          icon={<Webhook size={28} />}
          title={t('callbacks.empty')}
          action={
            <span className="line wrap">
              <Button onPress={() => void useInspector.getState().trySample(true)}>
                {t('callbacks.example.valid')}
              </Button>
              <Button onPress={() => void useInspector.getState().trySample(false)}>
                {t('callbacks.example.invalid')}
              </Button>
            </span>
          }
        >
          {t('callbacks.empty.text')}
        </Empty>
      )}
    </>
  );
};

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
          icon={FileUp}
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
