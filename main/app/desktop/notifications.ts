import type { NavigationTarget, Settings } from '../../../shared/contract/index.ts';
import { paymentKey, type PaymentKey } from '../../../shared/payments/payment-key.ts';
import type { Event } from '../../../shared/payments/evidence.ts';
import { formatMoney } from '../../../shared/money/format-amount.ts';
import type { Payment, PaymentState } from '../../../shared/payments/payment.ts';
import type { ProfileKind } from '../../../shared/settings/profile.ts';
import { paidStates } from '../../../shared/payments/state-groups.ts';
import type { OutsideTexts } from './notification-texts.ts';
import type { Notification } from './system.ts';

/** What a payment turned into that somebody should hear of. */
type NotableChange = 'paid' | 'attention';
const attention: readonly PaymentState[] = ['needs-attention', 'outcome-unknown', 'chargeback'];

const notableChangeOf = (state: PaymentState): NotableChange | null =>
  paidStates.includes(state) ? 'paid' : attention.includes(state) ? 'attention' : null;

/** Milliseconds in which changes are gathered: a confirming look-up follows its callback in less. */
const batchDelayMs = 4_000;

/**
 * More payments changed in that time are told by the count outside the window alone: a log being restored, or a
 * flood of callbacks, is no news, and reading each of them would hold up those who wait.
 */
export const maxNotified = 200;

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** Whether `now` (milliseconds) lies in the quiet hours, by local time; they may run over midnight. */
export const isQuiet = (quietHours: Settings['notifications']['quietHours'], now: number): boolean => {
  if (quietHours === null) return false;
  const at = new Date(now);
  const minute = at.getHours() * 60 + at.getMinutes();
  const [from, until] = [minutesOf(quietHours.from), minutesOf(quietHours.until)];
  return from <= until ? minute >= from && minute < until : minute >= from || minute < until;
};

type NotifierOptions = {
  settings: () => Settings['notifications'];
  locked: () => boolean;
  /** Milliseconds since 1970. */
  clock: () => number;
  /** Does the work once, after so many milliseconds. */
  later: (work: () => Promise<void>, milliseconds: number) => void;
  /** The payment as it stands, and its state before an event and all that came after it; null when it had none. */
  read: (
    key: PaymentKey,
    first: Event,
  ) => Promise<{ payment: Payment; previousState: PaymentState | null } | null>;
  kindOf: (profileId: string) => ProfileKind | null;
  texts: () => { texts: OutsideTexts; locale: string };
  show: (notification: Notification, target: NavigationTarget) => void;
};

/**
 * Decides what is told outside the window: payments that turned paid or need attention. Changes are gathered for a
 * moment, so that a payment speaks once for what it became, and many speak together. Never a customer's details;
 * on a locked desk nothing but that something happened.
 */
export const createNotifier = (options: NotifierOptions) => {
  /** The payments whose changes are being gathered, each with the first event of them. */
  let waiting = new Map<string, { key: PaymentKey; first: Event }>();
  let tooMany = false;

  const single = (payment: Payment, change: NotableChange): Notification => {
    const { texts, locale } = options.texts();
    const kind = options.kindOf(payment.profileId);
    const heading =
      change === 'attention'
        ? texts.needsAttention
        : payment.state === 'paid-confirmed'
          ? texts.paid
          : texts.paidConfirming;
    const money =
      payment.amount === null ? null : formatMoney(payment.amount, payment.currency ?? '', locale);
    return {
      title: kind === 'sandbox' || kind === 'test' ? `${texts[kind]} ${heading}` : heading,
      body: [money, payment.orderNumber].filter(part => part !== null).join(' · '),
    };
  };

  const notify = (changes: readonly { payment: Payment; change: NotableChange }[]): void => {
    const [first] = changes;
    if (!first || !options.settings().enabled || isQuiet(options.settings().quietHours, options.clock()))
      return;
    const { profileId, orderNumber } = first.payment;
    const one: NavigationTarget = { screen: 'payment', profileId, orderNumber };
    const attentionCount = changes.filter(({ change }) => change === 'attention').length;
    const target: NavigationTarget =
      changes.length === 1 ? one : { screen: 'payments', view: attentionCount > 0 ? 'attention' : 'all' };
    const { texts } = options.texts();
    if (options.locked()) {
      options.show({ title: 'Counterfoil', body: texts.updated(changes.length) }, target);
    } else if (changes.length === 1) {
      options.show(single(first.payment, first.change), target);
    } else {
      const body = texts.several(changes.length - attentionCount, attentionCount);
      options.show({ title: texts.updated(changes.length), body }, target);
    }
  };

  const flush = async (): Promise<void> => {
    const changed = tooMany ? [] : [...waiting.values()];
    waiting = new Map();
    tooMany = false;
    if (changed.length === 0) return;
    const changes: { payment: Payment; change: NotableChange }[] = [];
    for (const { key, first } of changed) {
      const read = await options.read(key, first);
      const change = read && notableChangeOf(read.payment.state);
      if (change && change !== (read.previousState && notableChangeOf(read.previousState)))
        changes.push({ payment: read.payment, change });
    }
    notify(changes);
  };

  const scheduleFlush = (): void => {
    if (waiting.size === 0 && !tooMany) options.later(flush, batchDelayMs);
  };

  return {
    /** More payments than are told one by one changed at once. */
    handleManyEvents(): void {
      scheduleFlush();
      tooMany = true;
    },
    /** A payment changed by this event, the first or another of those being gathered. */
    handleEvent(key: PaymentKey, event: Event): void {
      if (!options.settings().enabled) return;
      const name = paymentKey(key);
      if (tooMany || waiting.has(name)) return;
      scheduleFlush();
      if (waiting.size === maxNotified) tooMany = true;
      else waiting.set(name, { key, first: event });
    },
  };
};
