import type { NavigationTarget, Settings } from '../../../shared/contract/contract.ts';
import type { QuietHours } from '../../../shared/alerts/alert.ts';
import { ownCustomer } from '../../../shared/merchant-texts/own-customer.ts';
import { paymentKey, rowOf, type PaymentKey } from '../../../shared/payments/payment-row.ts';
import type { Event } from '../../../shared/payments/evidence.ts';
import type { FormatMessage } from '../../../shared/messages/format-message.ts';
import { msg, type Message } from '../../../shared/messages/message.ts';
import { formatMoney } from '../../../shared/money/format-amount.ts';
import { shownMoney } from '../../../shared/payments/shown-money.ts';
import type { Payment, PaymentState } from '../../../shared/payments/payment.ts';
import { headOf, type Head, type HeadKind } from '../../../shared/reports/head.ts';
import type { ProfileKind } from '../../../shared/settings/profile.ts';
import { plainText } from '../../../shared/plain-text.ts';
import type { AppSettings } from '../common/app-settings.ts';
import type { Notification } from '../common/system.ts';

/** A change of a payment that people want to know about. */
export type NotableChange = 'paid' | 'declined' | 'attention';
export const changeOf: Partial<Readonly<Record<HeadKind, NotableChange>>> = {
  'paid-confirmed': 'paid',
  'paid-checked': 'paid',
  'paid-unconfirmed': 'paid',
  declined: 'declined',
  'needs-attention': 'attention',
  'other-amount': 'attention',
  'outcome-unknown': 'attention',
  chargeback: 'attention',
  'paid-twice': 'attention',
  'returned-twice': 'attention',
};

/** Debounce delay: a confirming look-up follows its callback within it. */
const batchDelayMs = 4_000;

/**
 * Limit of changed payments per batch. Above it only the count outside the window changes: a restored log or many
 * callbacks cause no notification, and reading each payment would delay other requests.
 */
export const maxNotified = 200;

/** How many payments changed in each way, the gravest last. */
const outcomes: readonly NotableChange[] = ['paid', 'declined', 'attention'];

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** A title that says where no real money moves. */
export const titleOfKind = (title: Message, profile: NotedProfile | null): Message =>
  profile && profile.kind !== 'live' ? msg(`notification.${profile.kind}`, { title }) : title;

/** The profile of a payment in a notification. `other`: its name where it is not the active one. */
type NotedProfile = { kind: ProfileKind; other: string | null };

export const notedProfile = (
  { profile, read }: Pick<AppSettings, 'profile' | 'read'>,
  id: string,
): NotedProfile | null => {
  const found = profile(id);
  return found && { kind: found.kind, other: id === read().settings.activeProfileId ? null : found.name };
};

/**
 * A payment in a notification: its amount and order number, the customer's name if that is allowed, and the profile
 * where it is not the active one.
 */
export const paymentInWords = (
  payment: Pick<
    Payment,
    | 'amount'
    | 'currency'
    | 'paidAmount'
    | 'paidCurrency'
    | 'orderNumber'
    | 'customer'
    | 'customerFrom'
    | 'raisedHere'
  >,
  locale: string,
  showDetails: boolean,
  profile: NotedProfile | null,
): string => {
  const { amount, currency } = shownMoney(payment);
  const money = amount === null ? null : formatMoney(amount, currency ?? '', locale);
  const name = showDetails ? (ownCustomer(payment)?.name ?? null) : null;
  return [
    money,
    plainText(payment.orderNumber),
    name === null ? null : plainText(name),
    profile?.other ?? null,
  ]
    .filter(part => part !== null && part !== '')
    .join(' · ');
};

/** Whether `now` (milliseconds) is in the quiet hours, by local time; they may cross midnight. */
export const isQuiet = (quietHours: QuietHours, now: number): boolean => {
  if (quietHours === null) return false;
  const at = new Date(now);
  const minute = at.getHours() * 60 + at.getMinutes();
  const [from, until] = [minutesOf(quietHours.from), minutesOf(quietHours.until)];
  return from <= until ? minute >= from && minute < until : minute >= from || minute < until;
};

export type PaymentChanged = { payment: Payment; change: NotableChange };

type NotifierOptions = {
  settings: () => Pick<Settings['notifications'], 'enabled' | 'showDetails'>;
  /** Those of the person at this computer. */
  quietHours: () => QuietHours;
  /** Whether that person wants this change as a notification. */
  isWanted: (change: NotableChange, payment: Payment) => boolean;
  /** Receives every change of a batch, with or without a notification. */
  onChanges: (changes: readonly PaymentChanged[]) => void;
  locked: () => boolean;
  /** Milliseconds since 1970. */
  clock: () => number;
  /** Runs the work once, after `milliseconds`. */
  later: (work: () => Promise<void>, milliseconds: number) => void;
  /** The current payment, and its state before an event and all later ones; null if it had none. */
  read: (
    key: PaymentKey,
    first: Event,
  ) => Promise<{ payment: Payment; previousState: PaymentState | null } | null>;
  profileOf: (profileId: string) => NotedProfile | null;
  /** The formatter of the chosen language, and the locale of amounts (BCP 47). */
  language: () => { format: FormatMessage; locale: string };
  show: (notification: Notification, target: NavigationTarget) => void;
};

/**
 * Decides on notifications: payments that became paid or declined, or need attention. Changes are batched, so that a payment
 * causes one notification for its final state, and many payments share one. Never contains a link, and the customer's
 * name only if the settings allow it; a locked console shows only that something happened.
 */
export const createNotifier = (options: NotifierOptions) => {
  /** The payments of the current batch, each with its first event. */
  let waiting = new Map<string, { key: PaymentKey; first: Event }>();
  let tooMany = false;

  const headNow = (payment: Payment): Head => headOf(rowOf(payment), options.clock());

  const single = (payment: Payment): Notification => {
    const { format, locale } = options.language();
    const profile = options.profileOf(payment.profileId);
    return {
      title: format(titleOfKind(headNow(payment).label, profile)),
      body: paymentInWords(payment, locale, options.settings().showDetails, profile),
    };
  };

  const notify = (all: readonly PaymentChanged[]): void => {
    const changes = all.filter(({ change, payment }) => options.isWanted(change, payment));
    const [first] = changes;
    if (!first || !options.settings().enabled || isQuiet(options.quietHours(), options.clock())) return;
    const { profileId, orderNumber } = first.payment;
    const one: NavigationTarget = { screen: 'payment', profileId, orderNumber };
    const countOf = (wanted: NotableChange): number =>
      changes.filter(({ change }) => change === wanted).length;
    const target: NavigationTarget =
      changes.length === 1 ? one : { screen: countOf('attention') > 0 ? 'reconciliation' : 'payments' };
    const { format } = options.language();
    const updated = format(msg('notification.updated', { count: changes.length }));
    if (options.locked()) options.show({ title: format(msg('app.name')), body: updated }, target);
    else if (changes.length === 1) options.show(single(first.payment), target);
    else {
      const body = outcomes
        .filter(outcome => countOf(outcome) > 0)
        .map(outcome => format(msg(`notification.${outcome}`, { count: countOf(outcome) })));
      options.show({ title: updated, body: body.join(', ') }, target);
    }
  };

  const flush = async (): Promise<void> => {
    const changed = tooMany ? [] : [...waiting.values()];
    waiting = new Map();
    tooMany = false;
    if (changed.length === 0) return;
    const changes: PaymentChanged[] = [];
    for (const { key, first } of changed) {
      const read = await options.read(key, first);
      const change = read && changeOf[headNow(read.payment).kind];
      if (change && change !== (read.previousState && changeOf[read.previousState]))
        changes.push({ payment: read.payment, change });
    }
    options.onChanges(changes);
    notify(changes);
  };

  const scheduleFlush = (): void => {
    if (waiting.size === 0 && !tooMany) options.later(flush, batchDelayMs);
  };

  return {
    /** More payments changed at once than are notified individually. */
    handleManyEvents(): void {
      scheduleFlush();
      tooMany = true;
    },
    /** A payment changed by this event, the first or a further one of the batch. */
    handleEvent(key: PaymentKey, event: Event): void {
      const name = paymentKey(key);
      if (tooMany || waiting.has(name)) return;
      scheduleFlush();
      if (waiting.size === maxNotified) tooMany = true;
      else waiting.set(name, { key, first: event });
    },
  };
};
