import { create } from 'zustand';
import type { OperationOffer } from '../../../shared/contract/contract.ts';
import type { AppError } from '../../../shared/errors.ts';
import { msg, type Message } from '../../../shared/messages/message.ts';
import { exactAmount } from '../../../shared/money/wire-amount.ts';
import type { OperationReason, OperationState } from '../../../shared/operations/operation-kinds.ts';
import { needsSecondPerson } from '../../../shared/operations/rules.ts';
import { paymentKey } from '../../../shared/payments/payment-key.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import { request } from '../../ipc-client.ts';

/** One payment id of a selected order, with everything that is left of it: only that is refunded in a run. */
export type RefundItem = {
  row: PaymentRow;
  paymentId: string;
  /** Of the question that is asked; '' before it. */
  intent: string;
  cardLast4: string | null;
  /** Wire form, more than zero. */
  remaining: string;
  currency: string;
  needsOrderNumber: boolean;
  /**
   * Why it can be refunded only on its own page: a second person confirms the amount, or money went back elsewhere and
   * what is left is not known.
   */
  onlyOnPage: 'second-person' | 'unknown-part' | null;
};

/** What became of one payment of the run; `not-offered`: it could not be refunded, so no question was asked. */
export type RefundResult = {
  row: PaymentRow;
  paymentId: string | null;
  amount: string | null;
  outcome: OperationState | 'skipped' | 'not-offered' | 'not-reached';
  /** Why, in words of main or of the gateway. */
  message: Message | string | null;
};

/** Refunds of several payments, one after the other, each confirmed by a person. */
type RefundRun = {
  /** `asking`: waits for the person. */
  phase: 'closed' | 'reading' | 'asking' | 'sending' | 'ended';
  /** The selected orders that were not read yet. */
  orders: readonly PaymentRow[];
  /** The payment ids of the current order that come next. */
  items: readonly RefundItem[];
  /** How many orders were selected. */
  total: number;
  /** Kept for the next payment. */
  reason: OperationReason | null;
  text: string;
  typedOrder: string;
  /** The problem to correct before the current refund can be sent. */
  problem: AppError | null;
  wantsToStop: boolean;
  results: readonly RefundResult[];
  start: (rows: readonly PaymentRow[]) => Promise<void>;
  change: (changes: Partial<Pick<RefundRun, 'reason' | 'text' | 'typedOrder'>>) => void;
  /** Refunds everything that is left of the current payment, as it is shown. */
  send: () => Promise<void>;
  skip: () => Promise<void>;
  /** Ends the run after the request that is being sent; the results stay. */
  stop: () => void;
  /** Closes the panel: at once if nothing was sent, after the results if something was. */
  leave: () => void;
  close: () => void;
};

const isPositive = (wire: string | null): wire is string => (exactAmount(wire) ?? 0n) > 0n;

const itemOf = (
  row: PaymentRow,
  offer: OperationOffer,
  payment: OperationOffer['payments'][number],
): RefundItem | null => {
  const { remaining, hasUnknownPart, onTheWay } = payment.balance;
  const refund = payment.offers.find(({ kind }) => kind === 'refund');
  if (!refund || refund.refusal !== null || offer.currency === null) return null;
  if (!isPositive(remaining) || isPositive(onTheWay)) return null;
  return {
    row,
    paymentId: payment.paymentId,
    intent: '',
    cardLast4: payment.cardLast4,
    remaining,
    currency: offer.currency,
    needsOrderNumber: offer.needsOrderNumber,
    onlyOnPage: hasUnknownPart
      ? 'unknown-part'
      : needsSecondPerson(remaining, offer.limits)
        ? 'second-person'
        : null,
  };
};

/** Why nothing of an order can be refunded now. */
const refusalOf = ({ payments }: OperationOffer): Message => {
  if (payments.some(({ balance }) => isPositive(balance.onTheWay))) return msg('operation.under-way');
  const refusals = payments.flatMap(({ offers }) => offers.find(({ kind }) => kind === 'refund') ?? []);
  return refusals.find(({ refusal }) => refusal !== null)?.refusal ?? msg('operation.no.switched-off');
};

/** Errors before anything was recorded or sent, which the person can correct in the form. */
const isCorrectable = ({ code, details }: AppError): boolean =>
  details?.['stored'] !== true && ['input.invalid', 'input.card-number'].includes(code);

/**
 * What is known after an error. Only an error that names its point before sending is "not sent"; after any other one,
 * such as a log that is full, the request may have arrived.
 */
const outcomeOf = ({ code, details }: AppError): OperationState => {
  if (details?.['stored'] === true)
    return code === 'gateway.refused' || code === 'gateway.signature-refused' ? 'refused' : 'not-sent';
  return ['operation.', 'gateway.', 'agent.'].some(group => code.startsWith(group)) ? 'not-sent' : 'unknown';
};

const none = {
  orders: [],
  items: [],
  total: 0,
  text: '',
  typedOrder: '',
  problem: null,
  wantsToStop: false,
  results: [],
} as const;

export const useRefundRun = create<RefundRun>()((set, get) => {
  /** The payment ids whose request was sent, or may have been: none of them is offered again in this run. */
  const sent = new Set<string>();
  const keyOf = ({ row, paymentId }: RefundItem): string => `${paymentKey(row)} ${paymentId}`;

  const targetOf = ({ row: { profileId, orderNumber }, paymentId }: RefundItem) =>
    ({ profileId, orderNumber, paymentId, operation: 'refund' }) as const;

  /** Opens the form of the first payment in main: what is shown then is refunded. False if it cannot be. */
  const ask = async (): Promise<boolean> => {
    const [item, ...rest] = get().items;
    if (!item) return false;
    const begun = await request('operations.begin', targetOf(item));
    if (get().items[0] !== item) return true;
    const refusal = begun.ok ? begun.value.refusal : begun.error.message;
    const remaining = begun.ok ? begun.value.balance.remaining : null;
    if (begun.ok && refusal === null && remaining !== null) {
      set({ items: [{ ...item, intent: begun.value.intent, remaining }, ...rest], phase: 'asking' });
      return true;
    }
    const { row, paymentId } = item;
    note({
      row,
      paymentId,
      amount: null,
      outcome: 'not-offered',
      message: refusal ?? msg('operation.no.amount-unknown'),
    });
    set({ items: rest });
    return false;
  };

  const note = (result: RefundResult): void => set({ results: [...get().results, result] });

  const end = (): void => {
    const { items, orders } = get();
    for (const { row, paymentId, remaining } of items)
      note({ row, paymentId, amount: remaining, outcome: 'not-reached', message: null });
    for (const row of orders)
      note({ row, paymentId: null, amount: null, outcome: 'not-reached', message: null });
    set({ phase: 'ended', items: [], orders: [] });
  };

  /** Asks about the next payment that can be refunded, or ends the run. */
  const proceed = async (): Promise<void> => {
    set({ problem: null, typedOrder: '' });
    for (;;) {
      const { items, orders, wantsToStop, phase } = get();
      if (phase === 'ended' || phase === 'closed') return;
      if (wantsToStop || (items.length === 0 && orders.length === 0)) return end();
      if (items.length > 0) {
        set({ phase: 'reading' });
        if (await ask()) return get().wantsToStop ? end() : undefined;
        continue;
      }
      const [row, ...rest] = orders;
      if (!row) return end();
      set({ phase: 'reading', orders: rest });
      const { profileId, orderNumber } = row;
      const offer = await request('operations.offer', { profileId, orderNumber });
      if (!offer.ok) {
        note({ row, paymentId: null, amount: null, outcome: 'not-offered', message: offer.error.message });
        continue;
      }
      const found = offer.value.payments
        .flatMap(payment => itemOf(row, offer.value, payment) ?? [])
        .filter(item => !sent.has(keyOf(item)));
      if (found.length === 0)
        note({
          row,
          paymentId: null,
          amount: null,
          outcome: 'not-offered',
          message: refusalOf(offer.value),
        });
      set({ items: found });
    }
  };

  /** Continues after the first payment of `items`. */
  const pass = (result: RefundResult): Promise<void> => {
    note(result);
    set({ items: get().items.slice(1) });
    return proceed();
  };

  return {
    ...none,
    phase: 'closed',
    reason: null,
    start: async rows => {
      if (get().phase !== 'closed') return;
      sent.clear();
      set({ ...none, phase: 'reading', reason: null, orders: rows, total: rows.length });
      await proceed();
    },
    change: changes => {
      if (get().phase === 'asking') set(changes);
    },
    send: async () => {
      const { phase, items, reason, text, typedOrder } = get();
      const [item] = items;
      if (phase !== 'asking' || !item || reason === null || item.onlyOnPage !== null) return;
      if (sent.has(keyOf(item))) return;
      const { row, paymentId, remaining, intent } = item;
      set({ phase: 'sending', problem: null });
      sent.add(keyOf(item));
      const amount = { whole: true } as const;
      const answer = await request('operations.send', {
        ...targetOf(item),
        intent,
        amount,
        reason,
        text,
        typedOrder,
      });
      if (!answer.ok && isCorrectable(answer.error)) {
        sent.delete(keyOf(item));
        set({ problem: answer.error });
        if (get().wantsToStop) return end();
        // A used intent is over.
        return (await ask()) ? undefined : proceed();
      }
      const operation = answer.ok
        ? answer.value.payment.operations.find(one => one.intent === intent)
        : undefined;
      await pass({
        row,
        paymentId,
        amount: remaining,
        outcome: answer.ok ? (operation?.state ?? 'unknown') : outcomeOf(answer.error),
        message: answer.ok ? (operation?.message ?? null) : answer.error.message,
      });
    },
    skip: async () => {
      const { phase, items } = get();
      const [item] = items;
      if (phase !== 'asking' || !item) return;
      const { row, paymentId, remaining } = item;
      await pass({ row, paymentId, amount: remaining, outcome: 'skipped', message: null });
    },
    stop: () => {
      const { phase } = get();
      if (phase === 'asking') end();
      else set({ wantsToStop: true });
    },
    leave: () => {
      const { phase, stop, close } = get();
      if (phase === 'ended') return close();
      stop();
      if (sent.size === 0) close();
    },
    close: () => {
      if (get().phase === 'ended') set({ ...none, phase: 'closed', reason: null });
    },
  };
});
