import { inLine } from '../../../shared/plain-text.ts';
import { useEffect, useMemo, useRef, useState } from 'react';
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
  GridList,
  GridListItem,
} from 'react-aria-components';
import { Button, IconButton } from '../../components/controls/button.tsx';
import { Screen } from '../../components/display/screen.tsx';
import { useNumber, useText } from '../../i18n/text.ts';
import { callbacksTabs, type CallbacksTab } from '../../routes.ts';
import { isTyping } from '../../shortcuts.ts';
import { useCallbackFile, useInspector } from '../../stores/callbacks/inspector-store.ts';
import { inboxLimit, inboxQuery, type Received } from '../../queries/callbacks.ts';
import { goInPlace, go } from '../../stores/route-store.ts';
import { groupDeliveries, inboxFilters, matchesFilter, type InboxFilter } from './deliveries.ts';
import { ErrorNote, Empty, Note } from '../../components/display/notes.tsx';
import { FilePanel } from './file-panel.tsx';
import { TextInspection } from './inspection-result.tsx';
import { containsCardNumber } from '../../../shared/card-number.ts';
import { useAppState } from '../../stores/app-state-store.ts';
import { EventHealthPanel, ReceiverHealthPanel } from './receiver-health-panel.tsx';
import { callbackOutcome } from '../../../shared/callbacks/outcome-labels.ts';
import { SegmentedControl } from '../../components/controls/radio-choice.tsx';
import { Money, Time, Truncate } from '../../components/display/values.tsx';
import { VerificationMark } from '../../components/display/marks.tsx';
import { useClock } from '../../stores/clock-store.ts';
import type { MessageKey } from '../../../shared/messages/message.ts';

const valueOf = (event: Received, name: string): string =>
  event.body.fields.find(([field]) => field === name)?.[1] ?? '';

/** The result of a verified callback in words. What an unverified one claims is no fact: its raw words. */
export const resultOf = (event: Received): MessageKey | null =>
  event.body.verification.verdict === 'verified'
    ? callbackOutcome(valueOf(event, 'type'), valueOf(event, 'status'))
    : null;

const columns = ['signature', 'result', 'order', 'amount', 'received'] as const;

/** The live inbox: received callbacks, verified or not, with duplicates grouped as deliveries of one event. */
const Inbox = ({ groups }: { groups: ReturnType<typeof groupDeliveries> }) => {
  const t = useText();
  const now = useClock(({ wallClock }) => Math.floor(wallClock / 60_000) * 60_000);
  const [filter, setFilter] = useState<InboxFilter>('all');
  const shown = groups.filter(({ event }) => matchesFilter(event, filter, now));
  return (
    <section className="stack tight">
      <SegmentedControl
        label={t('inbox.filter')}
        options={inboxFilters.map(id => ({ id, name: t(`inbox.filter.${id}`) }))}
        value={filter}
        onChange={setFilter}
      />
      <div className="panel flush">
        <div
          className="inbox-item hovers focus-inside stack line-below small no-outline received inbox-head"
          aria-hidden="true"
        >
          {columns.map(column => (
            <span key={column} className={`inbox-head-${column}`}>
              {t(`inbox.column.${column}`)}
            </span>
          ))}
        </div>
        <GridList
          className="inbox whole"
          aria-label={t('inbox.name')}
          items={shown.map(group => ({ ...group, id: group.event.id }))}
          onAction={key => {
            const event = shown.find(group => group.event.id === key)?.event;
            if (event?.orderNumber)
              go({ screen: 'payment', profileId: event.profileId, orderNumber: event.orderNumber });
          }}
          renderEmptyState={() => (
            <p className="small quiet inbox-empty">
              {t(groups.length === 0 ? 'inbox.empty' : 'inbox.no-match')}
            </p>
          )}
        >
          {({ event, deliveries }) => {
            const type = valueOf(event, 'type') || '–';
            const status = valueOf(event, 'status') || '–';
            const result = resultOf(event);
            const amount = valueOf(event, 'order_amount');
            return (
              <GridListItem
                className="inbox-item hovers focus-inside stack line-below small no-outline received"
                id={event.id}
                textValue={inLine(
                  `${result === null ? `${type} ${status}` : t(result)} ${event.orderNumber ?? ''}`,
                )}
              >
                <VerificationMark verification={event.body.verification} />
                {result === null ? (
                  <span className="code quiet">
                    {type} · {status}
                  </span>
                ) : (
                  <strong className="inbox-result medium">{t(result)}</strong>
                )}
                {event.orderNumber === null ? (
                  <span className="tag warning">{t('inbox.no-order.warning')}</span>
                ) : (
                  <Truncate className="code" text={event.orderNumber} />
                )}
                <span className="tabular text-end">
                  {amount === '' ? null : (
                    <Money amount={amount} currency={valueOf(event, 'order_currency')} />
                  )}
                </span>
                <span className="line to-end">
                  {deliveries.length > 1 ? (
                    <span className="tag">{t('inbox.deliveries', { count: deliveries.length })}</span>
                  ) : null}
                  <Time at={event.happenedAt} />
                </span>
              </GridListItem>
            );
          }}
        </GridList>
      </div>
    </section>
  );
};

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
