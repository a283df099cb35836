import type { AskedPlace, Settings } from '../../../shared/contract/index.ts';
import type { Event } from '../../../shared/payments/evidence.ts';
import { formatMoney } from '../../../shared/money/money.ts';
import type { Payment, PaymentState } from '../../../shared/payments/payment.ts';
import type { ProfileKind } from '../../../shared/settings/profile.ts';
import { paidStates } from '../../../shared/payments/state-groups.ts';
import type { OutsideTexts } from './notification-texts.ts';

/** What the operating system shows beside the window. */
export type Notification = { title: string; body: string };

/** What a payment turned into that somebody should hear of. */
type Turn = 'paid' | 'attention';
const attention: readonly PaymentState[] = ['needs-attention', 'outcome-unknown', 'chargeback'];

const turnOf = (state: PaymentState): Turn | null =>
  paidStates.includes(state) ? 'paid' : attention.includes(state) ? 'attention' : null;

/** Milliseconds in which changes are gathered: a confirming look-up follows its callback in less. */
const gathering = 4_000;

/**
 * More payments changed in that time are told by the count outside the window alone: a log being restored, or a
 * flood of callbacks, is no news, and reading each of them would hold up those who wait.
 */
export const mostTold = 200;

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** Whether `now` (milliseconds) lies in the quiet hours, by local time; they may run over midnight. */
export const isQuiet = (quiet: Settings['notifications']['quiet'], now: number): boolean => {
  if (quiet === null) return false;
  const at = new Date(now);
  const minute = at.getHours() * 60 + at.getMinutes();
  const [from, until] = [minutesOf(quiet.from), minutesOf(quiet.until)];
  return from <= until ? minute >= from && minute < until : minute >= from || minute < until;
};

type Key = { profileId: string; orderNumber: string };

type Given = {
  settings: () => Settings['notifications'];
  locked: () => boolean;
  /** Milliseconds since 1970. */
  clock: () => number;
  /** Does the work once, after so many milliseconds. */
  later: (work: () => Promise<void>, milliseconds: number) => void;
  /** The payment as it stands, and its state before an event and all that came after it; null when it had none. */
  read: (key: Key, first: Event) => Promise<{ payment: Payment; was: PaymentState | null } | null>;
  kindOf: (profileId: string) => ProfileKind | null;
  texts: () => { texts: OutsideTexts; locale: string };
  show: (notification: Notification, place: AskedPlace) => void;
};

/**
 * Decides what is told outside the window: payments that turned paid or need attention. Changes are gathered for a
 * moment, so that a payment speaks once for what it became, and many speak together. Never a customer's details;
 * on a locked desk nothing but that something happened.
 */
export const notifier = (given: Given) => {
  /** The payments whose changes are being gathered, each with the first event of them. */
  let waiting = new Map<string, { key: Key; first: Event }>();
  let tooMany = false;

  const single = (payment: Payment, turn: Turn): Notification => {
    const { texts, locale } = given.texts();
    const kind = given.kindOf(payment.profileId);
    const said =
      turn === 'attention'
        ? texts.needsAttention
        : payment.state === 'paid-confirmed'
          ? texts.paid
          : texts.paidConfirming;
    const money =
      payment.amount === null ? null : formatMoney(payment.amount, payment.currency ?? '', locale);
    return {
      title: kind === 'sandbox' || kind === 'test' ? `${texts[kind]} ${said}` : said,
      body: [money, payment.orderNumber].filter(part => part !== null).join(' · '),
    };
  };

  const tell = (turned: readonly { payment: Payment; turn: Turn }[]): void => {
    const [first] = turned;
    if (!first || !given.settings().enabled || isQuiet(given.settings().quiet, given.clock())) return;
    const { profileId, orderNumber } = first.payment;
    const one: AskedPlace = { screen: 'payment', profileId, orderNumber };
    const some = turned.filter(({ turn }) => turn === 'attention').length;
    const place: AskedPlace =
      turned.length === 1 ? one : { screen: 'payments', view: some > 0 ? 'attention' : 'all' };
    const { texts } = given.texts();
    if (given.locked()) {
      given.show({ title: 'Counterfoil', body: texts.updated(turned.length) }, place);
    } else if (turned.length === 1) {
      given.show(single(first.payment, first.turn), place);
    } else {
      const body = texts.several(turned.length - some, some);
      given.show({ title: texts.updated(turned.length), body }, place);
    }
  };

  const flush = async (): Promise<void> => {
    const changed = tooMany ? [] : [...waiting.values()];
    waiting = new Map();
    tooMany = false;
    if (changed.length === 0) return;
    const turned: { payment: Payment; turn: Turn }[] = [];
    for (const { key, first } of changed) {
      const read = await given.read(key, first);
      const turn = read && turnOf(read.payment.state);
      if (turn && turn !== (read.was && turnOf(read.was))) turned.push({ payment: read.payment, turn });
    }
    tell(turned);
  };

  const gather = (): void => {
    if (waiting.size === 0 && !tooMany) given.later(flush, gathering);
  };

  return {
    /** More payments than are told one by one changed at once. */
    considerMany(): void {
      gather();
      tooMany = true;
    },
    /** A payment changed by this event, the first or another of those being gathered. */
    consider(key: Key, event: Event): void {
      if (!given.settings().enabled) return;
      const name = `${key.profileId} ${key.orderNumber}`;
      if (tooMany || waiting.has(name)) return;
      gather();
      if (waiting.size === mostTold) tooMany = true;
      else waiting.set(name, { key, first: event });
    },
  };
};
