import type { Handlers, OperationOffer, RefundRun } from '../../../shared/contract/contract.ts';
import { fail, ok, type AppError } from '../../../shared/errors.ts';
import { msg, type Message } from '../../../shared/messages/message.ts';
import { exactAmount } from '../../../shared/money/wire-amount.ts';
import type { OperationState } from '../../../shared/operations/operation-kinds.ts';
import { needsSecondPerson } from '../../../shared/operations/rules.ts';
import { paymentKey, rowOf, type PaymentKey } from '../../../shared/payments/payment-row.ts';
import { headOf } from '../../../shared/reports/head.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import type { AppDependencies } from '../common/app-context.ts';
import { refused } from './operation-terms.ts';

type RefundRunHandlers = Pick<
  Handlers,
  'refunds.start' | 'refunds.send' | 'refunds.control' | 'refunds.read'
>;
type Item = NonNullable<RefundRun['item']>;
type Result = RefundRun['results'][number];

const isPositive = (wire: string | null): wire is string => (exactAmount(wire) ?? 0n) > 0n;

const itemOf = (
  row: PaymentRow,
  offer: OperationOffer,
  payment: OperationOffer['payments'][number],
): Item | null => {
  const { remaining, hasUnknownPart, onTheWay } = payment.balance;
  const refund = payment.offers.find(({ kind }) => kind === 'refund');
  if (!refund || refund.refusal !== null || offer.currency === null) return null;
  if (!isPositive(remaining) || isPositive(onTheWay)) return null;
  const needsSecond = needsSecondPerson(remaining, offer.limits);
  return {
    row,
    paymentId: payment.paymentId,
    cardLast4: payment.cardLast4,
    remaining,
    currency: offer.currency,
    needsOrderNumber: offer.needsOrderNumber,
    onlyOnPage: hasUnknownPart ? 'unknown-part' : needsSecond ? 'second-person' : null,
  };
};

/** Whether an order still is as the person was shown it. */
const isAsShown = (now: Item, shown: Item): boolean =>
  now.paymentId === shown.paymentId &&
  now.remaining === shown.remaining &&
  now.onlyOnPage === shown.onlyOnPage &&
  now.row.entries.length === shown.row.entries.length;

/** Why nothing of an order can be refunded now. */
const refusalOf = ({ payments }: OperationOffer): Message => {
  if (payments.some(({ balance }) => isPositive(balance.onTheWay))) return msg('operation.under-way');
  const refusals = payments.flatMap(({ offers }) => offers.find(({ kind }) => kind === 'refund') ?? []);
  return refusals.find(({ refusal }) => refusal !== null)?.refusal ?? msg('operation.no.switched-off');
};

/** Errors before anything was recorded or sent, which the person can correct in the form. */
const isCorrectable = ({ code }: AppError): boolean => ['input.invalid', 'input.card-number'].includes(code);

/** What is known after an error if no operation was recorded: only these are found before sending. */
const outcomeOf = ({ code }: AppError): OperationState =>
  ['operation.', 'gateway.', 'agent.'].some(group => code.startsWith(group)) ? 'not-sent' : 'unknown';

/**
 * Refunds several payments, one after the other; a person confirms each. It runs in main, so that its results outlive a
 * lock of the console and a reload of the window.
 */
export const createRefundRun = (
  parts: AppDependencies,
  operations: Pick<Handlers, 'operations.offer' | 'operations.begin' | 'operations.send'>,
): { handlers: RefundRunHandlers; isRunning: () => boolean } => {
  let run: RefundRun | null = null;
  /** The selected orders that were not read yet, each once. */
  let orders: readonly PaymentKey[] = [];
  /** The payment of the current order that the question names, then its others: at most one goes back. */
  let items: readonly Item[] = [];

  const change = (changes: Partial<RefundRun>): void => {
    if (run === null) return;
    const { total } = run;
    run = { ...run, place: total - orders.length, item: items[0] ?? null, ...changes };
    parts.notify('refunds.changed', { run });
  };
  const note = (result: Result): void => change({ results: [...(run?.results ?? []), result] });
  const resultOf = (
    { row, paymentId, remaining, currency }: Item,
    outcome: Result['outcome'],
    message: Result['message'] = null,
  ): Result => ({ orderNumber: row.orderNumber, paymentId, amount: remaining, currency, outcome, message });
  const without = (
    { orderNumber }: PaymentKey,
    outcome: Result['outcome'],
    message: Message | null,
  ): Result => ({ orderNumber, paymentId: null, amount: null, currency: null, outcome, message });

  const end = (): void => {
    for (const item of items) note(resultOf(item, 'not-reached'));
    for (const order of orders) note(without(order, 'not-reached', null));
    [items, orders] = [[], []];
    change({ phase: 'ended' });
  };

  /** The payments of an order that can be refunded, first the one to ask about; a message says why there is none. */
  const readOrder = async (order: PaymentKey): Promise<readonly Item[] | Message> => {
    const offer = await operations['operations.offer'](order);
    if (!offer.ok) return offer.error.message;
    const payment = parts.log.ok ? await parts.log.value.payment(order.profileId, order.orderNumber) : null;
    if (payment === null) return msg('payment.missing', { order: order.orderNumber });
    const row = rowOf(payment);
    const found = offer.value.payments.flatMap(one => itemOf(row, offer.value, one) ?? []);
    if (found.length < 2) return found.length > 0 ? found : refusalOf(offer.value);
    const { action } = headOf(row, parts.clock());
    const named = found.find(one => action?.kind === 'refund' && one.paymentId === action.paymentId);
    return named ? [named, ...found.filter(one => one !== named)] : msg('refund-run.several');
  };

  /** Asks about the next payment that can be refunded, or ends the run. */
  const proceed = async (): Promise<void> => {
    change({ problem: null });
    for (;;) {
      const [order, ...rest] = orders;
      const wantsToStop = run?.wantsToStop === true;
      if (!wantsToStop && items.length > 0) return change({ phase: 'asking' });
      if (wantsToStop || !order) return end();
      orders = rest;
      change({ phase: 'reading' });
      const read = await readOrder(order);
      if ('key' in read) note(without(order, 'not-offered', read));
      else items = read;
    }
  };
  /** Continues after the current payment. */
  const pass = (result: Result): Promise<void> => {
    note(result);
    for (const other of items.slice(1)) note(resultOf(other, 'not-sent', msg('refund-run.several')));
    items = [];
    return proceed();
  };
  /** Asks about the current payment once more: nothing was sent. */
  const askAgain = (problem: AppError): void => {
    change({ phase: 'asking', problem });
    if (run?.wantsToStop) end();
  };

  const current = () => ok({ run });
  return {
    isRunning: () => run !== null && run.phase !== 'ended',
    handlers: {
      'refunds.start': async ({ payments }) => {
        if (run !== null)
          return fail('input.invalid', msg('refund-run.other'), { hint: msg('refund-run.other.hint') });
        items = [];
        orders = [...new Map(payments.map(one => [paymentKey(one), one])).values()];
        const total = orders.length;
        run = {
          phase: 'reading',
          item: null,
          place: 0,
          total,
          problem: null,
          wantsToStop: false,
          results: [],
        };
        await proceed();
        return current();
      },
      'refunds.send': async ({ paymentId, reason, text, typedOrder }) => {
        const [item] = items;
        const isAsked = run?.phase === 'asking' && item?.paymentId === paymentId && item.onlyOnPage === null;
        if (!isAsked) return current();
        change({ phase: 'sending', problem: null });
        const { profileId, orderNumber } = item.row;
        const target = { profileId, orderNumber, paymentId, operation: 'refund' } as const;
        const begun = await operations['operations.begin'](target);
        // From `begin` on, `send` compares with what stood then.
        const now = await readOrder(item.row);
        if ('key' in now) {
          await pass(resultOf(item, 'not-sent', now));
          return current();
        }
        if (!now[0] || !isAsShown(now[0], item)) {
          items = now;
          askAgain(refused(msg('operation.money-moved')).error);
          return current();
        }
        const intent = begun.ok ? begun.value.intent : null;
        const answer = begun.ok
          ? await operations['operations.send']({
              ...target,
              intent: begun.value.intent,
              amount: { whole: true },
              charge: null,
              reason,
              text,
              typedOrder,
              approval: null,
              seen: [],
            })
          : begun;
        // What was recorded says more than an error.
        const payment = parts.log.ok ? await parts.log.value.payment(profileId, orderNumber) : null;
        const recorded = payment?.operations.find(one => one.intent === intent);
        if (!answer.ok && !recorded && isCorrectable(answer.error)) {
          askAgain(answer.error);
          return current();
        }
        const outcome = recorded?.state ?? (answer.ok ? 'unknown' : outcomeOf(answer.error));
        const message = answer.ok ? (recorded?.message ?? null) : answer.error.message;
        await pass(resultOf(item, outcome, message));
        return current();
      },
      'refunds.control': async ({ to }) => {
        const [item] = items;
        if (to === 'skip' && run?.phase === 'asking' && item) await pass(resultOf(item, 'skipped'));
        else if (to === 'stop' && run?.phase === 'asking') end();
        else if (to === 'stop') change({ wantsToStop: true });
        else if (to === 'forget' && run?.phase === 'ended') {
          run = null;
          parts.notify('refunds.changed', { run });
        }
        return current();
      },
      'refunds.read': async () => current(),
    },
  };
};
