import { beforeEach, expect, test } from 'vitest';
import {
  isQuiet,
  maxNotified,
  createNotifier,
  type NotableChange,
} from '../../../main/app/desktop/notifications.ts';
import type { NavigationTarget, Settings } from '../../../shared/contract/contract.ts';
import { formatterFor } from '../../../shared/messages/catalogues.ts';
import type { Event } from '../../../shared/payments/evidence.ts';
import type { Payment, PaymentState } from '../../../shared/payments/payment.ts';
import type { ProfileKind } from '../../../shared/settings/profile.ts';
import { asEvent, requested } from '../../../tools/evidence/evidence.ts';
import { drafts } from '../../../tools/evidence/evidence-line.ts';
import { reduce } from '../../../tools/evidence/reduced.ts';

/** Notifications outside the window, with a fake clock. */

const at = (hour: number, minute = 0): number => new Date(2026, 10, 21, hour, minute).getTime();

type Circumstances = {
  settings: Settings['notifications'];
  isLocked: boolean;
  kind: ProfileKind;
  /** The payment's profile, where it is not the active one. */
  other: string | null;
  language: 'en' | 'de';
};
let circumstances: Circumstances;
let now: number;
let payments: Map<string, { payment: Payment; previousState: PaymentState | null }>;
let shown: { title: string; body: string; target: NavigationTarget }[];
let due: (() => Promise<void>)[];
/** The first of the collected changes, whose earlier state is read. */
let firstEvents: string[];
/** What the person at the computer wants as a notification, and every change of the batches. */
let isWanted: (change: NotableChange, payment: Payment) => boolean;
let changed: string[];
let notifier: ReturnType<typeof createNotifier>;

beforeEach(() => {
  const settings = { enabled: true, quietHours: null, showDetails: false };
  circumstances = { settings, isLocked: false, kind: 'live', other: null, language: 'en' };
  isWanted = change => change !== 'declined';
  changed = [];
  now = at(12);
  payments = new Map();
  shown = [];
  due = [];
  firstEvents = [];
  notifier = createNotifier({
    settings: () => circumstances.settings,
    quietHours: () => circumstances.settings.quietHours,
    isWanted: (change, payment) => isWanted(change, payment),
    onChanges: changes => {
      for (const { change, payment } of changes) changed.push(`${change} ${payment.orderNumber}`);
    },
    locked: () => circumstances.isLocked,
    clock: () => now,
    later: work => void due.push(work),
    read: async ({ orderNumber }, first) => {
      firstEvents.push(first.id);
      return payments.get(orderNumber) ?? null;
    },
    profileOf: () => ({ kind: circumstances.kind, other: circumstances.other }),
    language: () => {
      const { language } = circumstances;
      const locale = language === 'de' ? 'de-DE' : 'en-GB';
      return { format: formatterFor(language, locale), locale };
    },
    show: (notification, target) => shown.push({ ...notification, target }),
  });
});

const someEvent: Event = asEvent(requested(0));

const changeState = (
  orderNumber: string,
  previousState: PaymentState | null,
  state: PaymentState,
  event: Event = someEvent,
): void => {
  const payment: Payment = {
    ...reduce(requested(0)),
    profileId: 'shop',
    orderNumber,
    state,
    amount: '1234.50',
    description: 'Confidential surgery',
    customer: { name: 'Anna Nowak', email: 'anna@example.com' },
    customerFrom: 'request',
    link: { url: 'https://pay.example/secret', issuedAt: 0, expiresAt: at(24) },
    cardLast4: '1111',
  };
  payments.set(orderNumber, { payment, previousState });
  notifier.handleEvent({ profileId: 'shop', orderNumber }, event);
};
/** Ends the time in which changes are collected. */
const flushChanges = async (): Promise<void> => {
  for (const work of due.splice(0)) await work();
  for (let turn = 0; turn < payments.size + 4; turn += 1) await Promise.resolve();
};

const texts = (): string[] => shown.map(({ title, body }) => `${title}: ${body}`);
const amount = '€1,234.50';
const on = { enabled: true, quietHours: null, showDetails: false };

const named = { ...on, showDetails: true };

/** `order before>after`; a bar ends the time in which changes are collected. */
test.each<[string, Partial<Circumstances>, string, string[]]>([
  ['a paid payment', {}, '1 started>paid-confirmed', [`Paid: ${amount} · 1`]],
  ['one without a look-up', {}, '1 started>paid-unconfirmed', [`Paid, one source: ${amount} · 1`]],
  ['one that needs attention', {}, '1 waiting>needs-attention', [`Needs attention: ${amount} · 1`]],
  ['an unknown result', {}, '1 waiting>outcome-unknown', [`Result unknown: ${amount} · 1`]],
  ['a chargeback', {}, '1 waiting>chargeback', [`Chargeback: ${amount} · 1`]],
  ['an order that turns text around', {}, '\u{202E}1 x>paid-confirmed', [`Paid: ${amount} · \u{FFFD}1`]],
  ['a name', { settings: named }, '1 null>paid-confirmed', [`Paid: ${amount} · 1 · Anna Nowak`]],
  ['a sandbox', { kind: 'sandbox' }, '1 x>paid-confirmed', [`Sandbox, no real money: Paid: ${amount} · 1`]],
  ['a test', { kind: 'test' }, '1 x>paid-confirmed', [`Test, no real money: Paid: ${amount} · 1`]],
  ['another profile', { other: 'Shop Two' }, '1 x>paid-confirmed', [`Paid: ${amount} · 1 · Shop Two`]],
  ['German', { language: 'de' }, '1 x>paid-confirmed', ['Bezahlt: 1.234,50\u00A0€ · 1']],
  ['a change back', {}, '1 paid-confirmed>needs-attention, 1 paid-confirmed>paid-confirmed', []],
  ['other states', {}, '1 x>waiting, 2 x>started, 3 x>bank-check, 4 x>processing', []],
  ['other ends', {}, '1 waiting>declined, 2 waiting>expired, 3 waiting>refunded', []],
  [
    'a payment that is confirmed later',
    {},
    '1 started>paid-unconfirmed, 1 started>paid-confirmed | 1 paid-unconfirmed>paid-confirmed',
    [`Paid: ${amount} · 1`],
  ],
  [
    'a paid payment that needs attention later',
    {},
    '1 started>paid-confirmed | 1 paid-confirmed>chargeback',
    [`Paid: ${amount} · 1`, `Chargeback: ${amount} · 1`],
  ],
  [
    'several payments',
    {},
    '1 started>paid-confirmed, 2 started>paid-confirmed, 9 paid-confirmed>chargeback',
    ['3 payments were updated: 2 paid, 1 needs attention'],
  ],
])('the notifications of %s', async (_name, changes, batches, expected) => {
  Object.assign(circumstances, changes);
  for (const batch of batches.split(' | ')) {
    for (const [, order = '', before, after] of batch.matchAll(/(\S+) ([\w-]+)>([\w-]+)/g))
      changeState(order, before as PaymentState, after as PaymentState);
    await flushChanges();
  }
  expect(texts()).toEqual(expected);
  expect(JSON.stringify(shown)).not.toMatch(/example|surgery|1111|secret/);
  if (changes.settings === undefined) expect(JSON.stringify(shown)).not.toContain('Anna');
});

test('a click on a notification opens its payment, or the list to review for several', async () => {
  changeState('CF-1', 'started', 'paid-confirmed');
  await flushChanges();
  changeState('CF-1', 'paid-confirmed', 'chargeback');
  changeState('CF-2', 'started', 'paid-confirmed');
  await flushChanges();
  expect(shown.map(({ target }) => target)).toEqual([
    { screen: 'payment', profileId: 'shop', orderNumber: 'CF-1' },
    { screen: 'reconciliation' },
  ]);
});

test('a notification names a second payment of an order, not the payment alone', async () => {
  const paid = reduce(...drafts('sale =settled sale(2nd)'));
  payments.set(paid.orderNumber, { payment: paid, previousState: 'paid-confirmed' });
  notifier.handleEvent(paid, someEvent);
  await flushChanges();
  expect(shown[0]?.title).toBe('Paid twice');
  expect(changed).toEqual([`attention ${paid.orderNumber}`]);
});

test('under high load only the count in the notification changes, without reading a payment; later changes cause notifications again', async () => {
  for (let count = 0; count <= maxNotified; count += 1)
    changeState(`F-${count}`, 'started', 'paid-confirmed');
  await flushChanges();
  notifier.handleManyEvents();
  await flushChanges();
  expect({ shown, firstEvents }).toEqual({ shown: [], firstEvents: [] });
  changeState('CF-1', 'started', 'paid-confirmed');
  await flushChanges();
  expect(shown).toHaveLength(1);
});

test('a name that only an unsigned part of a callback contains is never in a notification', async () => {
  circumstances.settings = named;
  changeState('CF-1', null, 'paid-confirmed');
  const known = payments.get('CF-1');
  if (known) payments.set('CF-1', { ...known, payment: { ...known.payment, customerFrom: 'callback' } });
  await flushChanges();
  expect(texts()).toEqual([`Paid: ${amount} · CF-1`]);
});

test('the earlier state of a payment is its state before the first of the collected changes', async () => {
  const [one, other] = [asEvent(requested(0)), asEvent(requested(1))];
  changeState('CF-1', 'started', 'paid-unconfirmed', one);
  changeState('CF-1', 'started', 'paid-confirmed', other);
  await flushChanges();
  expect(firstEvents).toEqual([one.id]);
});

test('while Counterfoil is locked, a notification contains only the number of updated payments', async () => {
  circumstances.isLocked = true;
  changeState('CF-1', 'started', 'paid-confirmed');
  await flushChanges();
  changeState('CF-1', 'started', 'paid-confirmed');
  changeState('CF-2', 'started', 'chargeback');
  await flushChanges();
  expect(texts()).toEqual(['Counterfoil: A payment was updated', 'Counterfoil: 2 payments were updated']);
});

test('a change that is switched off or not wanted is not counted in a notification, and the window still gets it', async () => {
  isWanted = (_, payment) => payment.orderNumber !== 'CF-1';
  changeState('CF-1', 'started', 'paid-confirmed');
  changeState('CF-2', 'started', 'declined');
  await flushChanges();
  circumstances.settings = { ...on, enabled: false };
  changeState('CF-3', 'started', 'paid-confirmed');
  await flushChanges();
  expect(texts()).toEqual([`Declined: ${amount} · CF-2`]);
  expect(changed).toEqual(['paid CF-1', 'declined CF-2', 'paid CF-3']);
});

test('a change in quiet hours is not shown, during or after them', async () => {
  circumstances.settings = { ...on, quietHours: { from: '20:00', until: '07:00' } };
  now = at(23);
  changeState('CF-1', 'started', 'paid-confirmed');
  await flushChanges();
  now = at(8);
  changeState('CF-2', 'started', 'paid-confirmed');
  await flushChanges();
  expect(texts()).toEqual([`Paid: ${amount} · CF-2`]);
});

test.each([
  ['20:00', '07:00', at(19, 59), false],
  ['20:00', '07:00', at(20), true],
  ['20:00', '07:00', at(0), true],
  ['20:00', '07:00', at(6, 59), true],
  ['20:00', '07:00', at(7), false],
  ['12:00', '13:30', at(13, 29), true],
  ['12:00', '13:30', at(13, 30), false],
  ['12:00', '12:00', at(12), false],
])('no notification is shown in quiet hours from %s until %s', (from, until, instant, quiet) => {
  expect(isQuiet({ from, until }, instant)).toBe(quiet);
});
