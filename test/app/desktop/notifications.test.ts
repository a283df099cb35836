import { beforeEach, describe, expect, test } from 'vitest';
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

let settings: Settings['notifications'];
let locked: boolean;
let now: number;
let kind: ProfileKind;
let language: 'en' | 'de';
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
  settings = { enabled: true, quietHours: null, showDetails: false };
  locked = false;
  isWanted = change => change !== 'declined';
  changed = [];
  now = at(12);
  kind = 'live';
  language = 'en';
  payments = new Map();
  shown = [];
  due = [];
  firstEvents = [];
  notifier = createNotifier({
    settings: () => settings,
    quietHours: () => settings.quietHours,
    isWanted: (change, payment) => isWanted(change, payment),
    onChanges: changes => {
      for (const { change, payment } of changes) changed.push(`${change} ${payment.orderNumber}`);
    },
    locked: () => locked,
    clock: () => now,
    later: work => void due.push(work),
    read: async ({ orderNumber }, first) => {
      firstEvents.push(first.id);
      return payments.get(orderNumber) ?? null;
    },
    kindOf: () => kind,
    language: () => {
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

test('a notification names a second payment of an order, not the payment alone', async () => {
  const paid = reduce(...drafts('sale =settled sale(2nd)'));
  payments.set(paid.orderNumber, { payment: paid, previousState: 'paid-confirmed' });
  notifier.handleEvent(paid, someEvent);
  await flushChanges();
  expect(shown[0]?.title).toBe('Paid twice');
  expect(changed).toEqual([`attention ${paid.orderNumber}`]);
});

describe('the content of a notification', () => {
  test('a payment that became paid is shown with its amount and order number, and a click opens it', async () => {
    changeState('CF-1', 'started', 'paid-confirmed');
    await flushChanges();
    expect(shown).toEqual([
      {
        title: 'Paid',
        body: 'EUR\u00A01,234.50 · CF-1',
        target: { screen: 'payment', profileId: 'shop', orderNumber: 'CF-1' },
      },
    ]);
  });

  test('an order number with a character that turns text around turns nothing', async () => {
    changeState('CF-\u{202E}1-FC', 'started', 'paid-confirmed');
    await flushChanges();
    expect(shown[0]?.body).toBe('EUR\u00A01,234.50 · CF-\u{FFFD}1-FC');
  });

  test('a notification shows a payment that is paid without a look-up as seen by one source', async () => {
    changeState('CF-1', 'started', 'paid-unconfirmed');
    await flushChanges();
    expect(shown[0]?.title).toBe('Paid, one source');
  });

  test.each([
    ['needs-attention', 'Needs attention'],
    ['outcome-unknown', 'Result unknown'],
    ['chargeback', 'Chargeback'],
  ] as const)('a payment that became %s is shown by its name: %s', async (state, title) => {
    changeState('CF-1', 'waiting', state);
    await flushChanges();
    expect(shown[0]?.title).toBe(title);
  });

  test.each(['waiting', 'started', 'bank-check', 'processing', 'declined', 'expired', 'refunded'] as const)(
    'a payment that became %s causes no notification',
    async state => {
      changeState('CF-1', 'waiting', state);
      await flushChanges();
      expect(shown).toEqual([]);
    },
  );

  test('under high load only the count in the notification changes, without reading a payment; later changes cause notifications again', async () => {
    for (let count = 0; count <= maxNotified; count += 1)
      changeState(`F-${count}`, 'started', 'paid-confirmed');
    await flushChanges();
    expect({ shown, firstEvents }).toEqual({ shown: [], firstEvents: [] });
    notifier.handleManyEvents();
    await flushChanges();
    expect(shown).toEqual([]);
    changeState('CF-1', 'started', 'paid-confirmed');
    await flushChanges();
    expect(shown).toHaveLength(1);
  });

  test('a notification contains no customer, description, card or link', async () => {
    changeState('CF-1', null, 'paid-confirmed');
    await flushChanges();
    changeState('CF-1', null, 'chargeback');
    changeState('CF-2', null, 'paid-confirmed');
    await flushChanges();
    expect(JSON.stringify(shown)).not.toMatch(/Anna|example|surgery|1111|secret/);
  });

  test('a notification contains the customer’s name where the settings allow it, and nothing else of the customer', async () => {
    settings = { enabled: true, quietHours: null, showDetails: true };
    changeState('CF-1', null, 'paid-confirmed');
    await flushChanges();
    expect(shown[0]?.body).toBe('EUR\u00A01,234.50 · CF-1 · Anna Nowak');
    expect(JSON.stringify(shown)).not.toMatch(/example|surgery|1111|secret/);
  });

  test('a name that only an unsigned part of a callback contains is never in a notification', async () => {
    settings = { enabled: true, quietHours: null, showDetails: true };
    changeState('CF-1', null, 'paid-confirmed');
    const known = payments.get('CF-1');
    if (known) payments.set('CF-1', { ...known, payment: { ...known.payment, customerFrom: 'callback' } });
    await flushChanges();
    expect(shown[0]?.body).toBe('EUR\u00A01,234.50 · CF-1');
  });

  test('a sandbox or test payment cannot be confused with real money', async () => {
    kind = 'sandbox';
    changeState('CF-1', 'started', 'paid-confirmed');
    await flushChanges();
    kind = 'test';
    changeState('CF-1', 'started', 'paid-confirmed');
    await flushChanges();
    expect(shown.map(({ title }) => title)).toEqual([
      'Sandbox, no real money: Paid',
      'Test, no real money: Paid',
    ]);
  });

  test('a notification is in German if the window is in German', async () => {
    language = 'de';
    changeState('CF-1', 'started', 'paid-confirmed');
    await flushChanges();
    expect(shown[0]).toMatchObject({ title: 'Bezahlt', body: '1.234,50\u00A0EUR · CF-1' });
  });
});

describe('once per payment and change', () => {
  test('a payment that is paid and then confirmed causes one notification', async () => {
    changeState('CF-1', 'started', 'paid-unconfirmed');
    changeState('CF-1', 'started', 'paid-confirmed');
    await flushChanges();
    changeState('CF-1', 'paid-unconfirmed', 'paid-confirmed');
    await flushChanges();
    expect(shown.map(({ title }) => title)).toEqual(['Paid']);
  });

  test('the earlier state of a payment is its state before the first of the collected changes', async () => {
    const [one, other] = [asEvent(requested(0)), asEvent(requested(1))];
    changeState('CF-1', 'started', 'paid-unconfirmed', one);
    changeState('CF-1', 'started', 'paid-confirmed', other);
    await flushChanges();
    expect(firstEvents).toEqual([one.id]);
  });

  test('a change that was reverted before its notification causes none', async () => {
    changeState('CF-1', 'paid-confirmed', 'needs-attention');
    changeState('CF-1', 'paid-confirmed', 'paid-confirmed');
    await flushChanges();
    expect(shown).toEqual([]);
  });

  test('a paid payment that later needs attention causes another notification', async () => {
    changeState('CF-1', 'started', 'paid-confirmed');
    await flushChanges();
    changeState('CF-1', 'paid-confirmed', 'chargeback');
    await flushChanges();
    expect(shown.map(({ title }) => title)).toEqual(['Paid', 'Chargeback']);
  });

  test('many changes cause one notification, and a click opens the list of payments to review', async () => {
    for (let index = 0; index < 5; index += 1) changeState(`CF-${index}`, 'started', 'paid-confirmed');
    changeState('CF-9', 'paid-confirmed', 'chargeback');
    await flushChanges();
    expect(shown).toEqual([
      {
        title: '6 payments were updated',
        body: '5 paid, 1 needs attention',
        target: { screen: 'reconciliation' },
      },
    ]);
  });
});

describe('when there is no notification', () => {
  test('while Counterfoil is locked, a notification contains only the number of updated payments', async () => {
    locked = true;
    changeState('CF-1', 'started', 'paid-confirmed');
    await flushChanges();
    changeState('CF-1', 'started', 'paid-confirmed');
    changeState('CF-2', 'started', 'chargeback');
    await flushChanges();
    expect(shown.map(({ title, body }) => `${title} ${body}`)).toEqual([
      'Counterfoil A payment was updated',
      'Counterfoil 2 payments were updated',
    ]);
  });

  test('when notifications are switched off there is none, and the window still gets the change', async () => {
    settings = { enabled: false, quietHours: null, showDetails: false };
    changeState('CF-1', 'started', 'paid-confirmed');
    await flushChanges();
    expect({ shown, changed }).toEqual({ shown: [], changed: ['paid CF-1'] });
  });

  test('a change that the person at the computer does not want as a notification is not counted in one', async () => {
    isWanted = (_, payment) => payment.orderNumber !== 'CF-1';
    changeState('CF-1', 'started', 'paid-confirmed');
    changeState('CF-2', 'started', 'declined');
    await flushChanges();
    expect(shown.map(({ title, body }) => `${title} ${body}`)).toEqual(['Declined EUR\u00A01,234.50 · CF-2']);
    expect(changed).toEqual(['paid CF-1', 'declined CF-2']);
  });

  test('a change in quiet hours is not shown, during or after them', async () => {
    settings = { enabled: true, quietHours: { from: '20:00', until: '07:00' }, showDetails: false };
    now = at(23);
    changeState('CF-1', 'started', 'paid-confirmed');
    await flushChanges();
    now = at(8);
    changeState('CF-2', 'started', 'paid-confirmed');
    await flushChanges();
    expect(shown.map(({ body }) => body)).toEqual(['EUR\u00A01,234.50 · CF-2']);
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
});
