import { useRef, useState } from 'react';
import { AlarmClock, ListChecks, RefreshCw, ScrollText } from 'lucide-react';
import { ownCustomer } from '../../../shared/merchant-texts/own-customer.ts';
import { paymentKey, type PaymentKey } from '../../../shared/payments/payment-row.ts';
import { maxPerJob } from '../../../shared/look-ups/bulk-look-up.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import {
  isAtRest,
  reconciliationCauses,
  type ReconciliationCause,
} from '../../../shared/reports/reconcile.ts';
import type { ReviewList } from '../../../shared/review/review.ts';
import { formatMoney } from '../../../shared/money/format-amount.ts';
import { Button, SingleKey } from '../../components/controls/button.tsx';
import { CancelWaitButton, PageError, Empty, Note } from '../../components/display/notes.tsx';
import { useScreenKeys } from '../../components/controls/use-screen-keys.ts';
import { selectedOf } from '../../components/controls/select-box.tsx';
import { Screen } from '../../components/display/screen.tsx';
import { clockTime } from '../../components/display/values.tsx';
import { useLocaleChoice, useText } from '../../i18n/text.ts';
import { useSelf, useRefusal } from '../../use-rights.ts';
import { useActiveProfile, useAppState } from '../../stores/app-state-store.ts';
import { startLookUps } from '../../queries/bulk-look-up.ts';
import { queueQuery, useReviewCounts, type Queued } from '../../queries/review.ts';
import { useRefundRun } from '../../stores/reports/refund-run-store.ts';
import { collectGroup, useQueueActions, useReviewActions } from '../../queries/review-actions.ts';
import { go, goInPlace } from '../../stores/route-store.ts';
import { useFocusRows } from '../../hooks/use-focus-rows.ts';
import { roomForPane, useMedia } from '../../hooks/use-media.ts';
import { ExportButton } from '../export/export-button.tsx';
import { OthersNote } from '../team/others-note.tsx';
import { PaymentPane } from '../payment/payment-pane.tsx';
import { ChoiceSheet, ResolveSheet, RefundRunSheet } from './review-sheets.tsx';
import { GroupHead } from './group-head.tsx';
import { ReviewBar, Lists } from './review-bar.tsx';
import { ReviewGrid, type ReviewGroup } from './review-grid.tsx';
import { snoozeTimes, snoozeUntil, type SnoozeTime } from './snooze-times.ts';
import { currentTime } from '../../i18n/time-left.ts';

/** Why the person at this computer may not do something about a payment that needs review; null: they may. */
const useReviewRefusals = () => ({
  resolve: useRefusal({ request: 'review.resolve' }),
  reopen: useRefusal({ request: 'review.reopen' }),
  // Everyone who works on payments may take one.
  assign: null,
  'assign-to-others': useRefusal({ right: 'review' }),
  snooze: useRefusal({ request: 'review.snooze' }),
  'look-up': useRefusal({ request: 'lookUps.start' }),
});

type Asking = { what: 'resolve' | 'assign' | 'snooze'; rows: readonly PaymentRow[] };

/** Payments with missing or conflicting information, by cause, gravest first, each with the next step. */
export const ReconciliationScreen = ({
  cause,
  list: wanted,
}: {
  cause: ReconciliationCause | null;
  list?: ReviewList | undefined;
}) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const profile = useActiveProfile();
  const self = useSelf();
  const agents = useAppState(({ appState }) => appState?.agents ?? []);
  const refusals = useReviewRefusals();
  const [refused, setRefused] = useState<string | null>(null);
  const actions = useReviewActions();
  const [current, setCurrent] = useState(0);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [asking, setAsking] = useState<Asking | null>(null);
  const [isPaneOpen, setPaneOpen] = useState(true);
  const grid = useRef<HTMLDivElement>(null);
  const focusGrid = (): void => grid.current?.focus({ preventScroll: true });
  const hasRoom = useMedia(roomForPane);
  const profileId = profile?.id ?? null;
  const list = wanted ?? (cause !== null && isAtRest(cause) ? 'information' : 'all');
  const queue = profileId === null ? null : { profileId, cause, list };
  const place = JSON.stringify(queue);
  const [shownPlace, setShownPlace] = useState(place);
  if (shownPlace !== place) {
    setShownPlace(place);
    setCurrent(0);
    setChosen(new Set());
  }
  const { value, problem, isReading } = queueQuery.use(queue);
  const { rows = [], next = null } = value ?? {};
  const { counts, needsReview, lists } = useReviewCounts();
  const hasChanged = value !== null && JSON.stringify(value.counted) !== JSON.stringify(counts);
  const { failed, requestId, lookedUp, isLoadingMore, more, lookUp: lookUpOne, stop } = useQueueActions();
  const hasRows = rows.length > 0;
  useFocusRows(hasRows);

  const groups: ReviewGroup[] =
    list === 'resolved'
      ? [{ id: 'resolved', name: t('review.list.resolved'), head: null, rows }]
      : reconciliationCauses
          .map(under => ({ under, members: rows.filter(row => row.under === under) }))
          .filter(({ members }) => members.length > 0)
          .map(({ under, members }) => ({
            id: under,
            name: t(`cause.${under}`),
            rows: members,
            head: (
              <GroupHead
                cause={under}
                rows={members}
                count={
                  list === 'all' || list === 'information'
                    ? (counts.find(count => count.cause === under) ?? null)
                    : null
                }
                selected={selectedOf(
                  members.filter(row => chosen.has(paymentKey(row))).length,
                  members.length,
                )}
                onChoose={isChosen => chooseGroup(members, isChosen)}
                onLookUpAll={() => {
                  void startLookUps(members.slice(0, maxPerJob));
                  focusGrid();
                }}
                onResolveAll={list === 'snoozed' ? null : () => void resolveGroup(under)}
              />
            ),
          }));
  const ordered = groups.flatMap(group => group.rows);
  const at = Math.max(0, Math.min(current, ordered.length - 1));
  const selected = ordered.filter(row => chosen.has(paymentKey(row)));
  const currentRow = ordered[at];
  const targets = (): readonly Queued[] => (selected.length > 0 ? selected : currentRow ? [currentRow] : []);
  const chooseGroup = (members: readonly Queued[], isChosen: boolean): void =>
    setChosen(old => {
      const keys = new Set(old);
      for (const row of members)
        if (isChosen) keys.add(paymentKey(row));
        else keys.delete(paymentKey(row));
      return keys;
    });
  const after = (): void => {
    setAsking(null);
    setChosen(new Set());
    focusGrid();
  };
  const ask = (what: Asking['what'], on: readonly PaymentRow[]): void => {
    if (on.length === 0 || actions.busy) return;
    setRefused(refusals[what]);
    if (refusals[what] === null) setAsking({ what, rows: on });
  };
  const resolve = (): void => {
    if (list !== 'resolved') ask('resolve', targets());
    else if (refusals.reopen === null && targets().length > 0) {
      void actions.reopen(targets());
      after();
    } else setRefused(refusals.reopen);
  };
  const resolveGroup = async (under: ReconciliationCause): Promise<void> => {
    if (profileId !== null) ask('resolve', await collectGroup(profileId, list, under));
  };
  const assignToMe = (): void => {
    if (self === null || list === 'resolved' || targets().length === 0) return;
    void actions.assign(targets(), self.name);
    after();
  };
  const snooze = (): void => {
    if (list === 'resolved') return;
    if (list !== 'snoozed') ask('snooze', targets());
    else if (refusals.snooze === null && targets().length > 0) {
      void actions.snooze(targets(), null);
      after();
    } else setRefused(refusals.snooze);
  };
  const lookUp = (): void => {
    const [one, ...others] = targets();
    setRefused(refusals['look-up']);
    if (!one || profileId === null || refusals['look-up'] !== null) return;
    if (others.length === 0) void lookUpOne({ profileId, cause, list }, one);
    else void startLookUps(targets()).then(after);
    focusGrid();
  };
  const open = ({ profileId: of, orderNumber }: PaymentKey): void =>
    go({ screen: 'payment', profileId: of, orderNumber });
  const refresh = (): void => {
    void queueQuery.refresh();
    focusGrid();
  };
  const move = (to: number): void => {
    setCurrent(Math.max(0, Math.min(ordered.length - 1, to)));
    focusGrid();
  };
  useScreenKeys({
    j: () => move(at + 1),
    k: () => move(at - 1),
    e: resolve,
    i: assignToMe,
    h: snooze,
    u: lookUp,
    z: () => void actions.undo(),
    ...(hasChanged ? { r: refresh } : {}),
  });
  if (profileId === null) return null;

  const choices = (): { id: string; name: string; detail?: string }[] =>
    asking?.what === 'snooze'
      ? snoozeTimes.flatMap(time => {
          const until = snoozeUntil(time, currentTime());
          return until === null
            ? []
            : [
                {
                  id: time,
                  name: t(`review.until.${time}`),
                  detail: clockTime(until, locale, currentTime()),
                },
              ];
        })
      : [
          ...agents
            .filter(({ name }) => refusals['assign-to-others'] === null || name === self?.name)
            .map(({ id, name }) => ({ id, name })),
          { id: '', name: t('review.unassigned') },
        ];
  const choose = (id: string): void => {
    if (asking === null) return;
    if (asking.what === 'snooze')
      void actions.snooze(asking.rows, snoozeUntil(id as SnoozeTime, currentTime()));
    else void actions.assign(asking.rows, agents.find(agent => agent.id === id)?.name ?? null);
    after();
  };
  const [onlyAsked, ...otherAsked] = asking?.rows ?? [];
  const named =
    onlyAsked && otherAsked.length === 0
      ? [
          onlyAsked.amount === null ? '' : formatMoney(onlyAsked.amount, onlyAsked.currency ?? '', locale),
          ownCustomer(onlyAsked)?.name ?? onlyAsked.orderNumber,
        ]
          .filter(text => text !== '')
          .join(', ')
      : t('list.count', { count: asking?.rows.length ?? 0 });
  const ofCause = counts.find(count => count.cause === cause) ?? { count: 0, more: false };
  const pane = hasRoom && isPaneOpen ? currentRow : undefined;
  const snoozed = lists?.snoozed.count ?? 0;
  return (
    <Screen
      className="reconciliation"
      title={t('nav.reconciliation')}
      label={t('nav.reconciliation')}
      actions={
        <>
          <CancelWaitButton
            isWaiting={requestId !== null}
            description={t('waiting-for.look-up')}
            onCancel={stop}
            isOverPage
          />
          <output className="quiet small">
            {value === null && problem === null
              ? t('loading')
              : cause === null
                ? t(needsReview.more ? 'review.count-more' : 'review.count', { count: needsReview.count })
                : t(ofCause.more ? 'reconciliation.count-more' : 'list.count', { count: ofCause.count })}
          </output>
          {hasChanged && !isReading ? (
            <Button variant="primary" icon={RefreshCw} onPress={refresh}>
              {t('reconciliation.changed')}
              <SingleKey>R</SingleKey>
            </Button>
          ) : null}
          <ExportButton subject={{ kind: 'review', of: { profileId, cause, list } }}>
            {t('export.open')}
          </ExportButton>
        </>
      }
    >
      <div className="line wrap review-bar-top">
        <Lists list={list} />
        {cause === null ? null : (
          <Button size="small" onPress={() => goInPlace({ screen: 'reconciliation', cause: null, list })}>
            {t('reconciliation.all')}
          </Button>
        )}
      </div>
      <OthersNote />
      <PageError error={problem} isEmpty={!hasRows} />
      <PageError error={failed && JSON.stringify(failed.place) === place ? failed.error : actions.problem} />
      {refused === null ? null : (
        <div className="over-page">
          <Note>{refused}</Note>
        </div>
      )}
      <output className="out-of-sight">
        {lookedUp === null ? '' : t('reconciliation.status-checked', { order: lookedUp.orderNumber })}
      </output>
      {hasRows ? (
        <div
          className={`list-and-pane stack gap-0 grow review-and-pane ${pane === undefined ? '' : 'split'}`}
        >
          <div className="review-scroll stack gap-3 min-0">
            <ReviewGrid
              ref={grid}
              label={t(`review.list.${list}`)}
              groups={groups}
              current={at}
              chosen={chosen}
              onCurrent={setCurrent}
              onChosen={setChosen}
              onOpen={open}
              onPressed={row => (hasRoom ? setPaneOpen(true) : open(row))}
            />
            {next === null ? null : (
              <Button
                className="queue-more"
                isPending={isLoadingMore}
                onPress={() => void more({ profileId, cause, list })}
              >
                {t('reconciliation.more')}
              </Button>
            )}
          </div>
          {pane === undefined ? null : (
            <PaymentPane
              profileId={pane.profileId}
              orderNumber={pane.orderNumber}
              onClose={() => {
                setPaneOpen(false);
                focusGrid();
              }}
            />
          )}
        </div>
      ) : value !== null && problem === null ? (
        <div className="panel">
          <Empty
            icon={<ListChecks size={28} />}
            title={t(cause === null ? `review.empty.${list}` : 'reconciliation.empty.cause')}
            action={
              <span className="line wrap">
                {list !== 'snoozed' && snoozed > 0 ? (
                  <Button
                    icon={AlarmClock}
                    onPress={() => goInPlace({ screen: 'reconciliation', cause: null, list: 'snoozed' })}
                  >
                    {t('review.show-snoozed', { count: snoozed })}
                  </Button>
                ) : null}
                <Button
                  request="payments.handoverNote"
                  icon={ScrollText}
                  onPress={() => go({ screen: 'handover-note' })}
                >
                  {t('nav.handover-note')}
                </Button>
              </span>
            }
          >
            {t(cause === null ? `review.empty.${list}.text` : 'reconciliation.empty.cause.text')}
          </Empty>
        </div>
      ) : null}
      <ReviewBar
        count={selected.length}
        isResolved={list === 'resolved'}
        isSnoozed={list === 'snoozed'}
        onResolve={resolve}
        onAssign={() => ask('assign', selected)}
        onSnooze={snooze}
        onLookUp={lookUp}
        onRefund={
          selected.length > 1 && profile?.operations.refund === true
            ? () => void useRefundRun.getState().start(selected)
            : null
        }
        onClear={() => {
          setChosen(new Set());
          focusGrid();
        }}
      />
      {asking?.what === 'resolve' ? (
        <ResolveSheet
          rows={asking.rows}
          title={t('review.resolve.title', { what: named })}
          onResolve={(reason, text) => {
            void actions.resolve(asking.rows, reason, text);
            after();
          }}
          onClose={() => setAsking(null)}
        />
      ) : null}
      <RefundRunSheet />
      <ChoiceSheet
        title={t(asking?.what === 'snooze' ? 'review.snooze.title' : 'review.assign.title', { what: named })}
        choices={choices()}
        isOpen={asking !== null && asking.what !== 'resolve'}
        onChoose={choose}
        onClose={() => setAsking(null)}
      />
    </Screen>
  );
};
