import { beforeEach, describe, expect, test } from 'vitest';
import { isQuiet, maxNotified, createNotifier } from '../../../main/app/desktop/notifications.ts';
import type { NavigationTarget, Settings } from '../../../shared/contract/index.ts';
import { formatterFor } from '../../../shared/messages/catalogues.ts';
import type { Event } from '../../../shared/payments/evidence.ts';
import type { Payment, PaymentState } from '../../../shared/payments/payment.ts';
import type { ProfileKind } from '../../../shared/settings/profile.ts';
import { asEvent, requested } from '../../../tools/evidence/evidence.ts';

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
/** The events before which a payment's earlier state was asked for. */
let firsts: string[];
let notices: ReturnType<typeof createNotifier>;

beforeEach(() => {
  settings = { enabled: true, quietHours: null };
  locked = false;
  now = at(12);
  kind = 'live';
  language = 'en';
  payments = new Map();
  shown = [];
  due = [];
  firsts = [];
  notices = createNotifier({
    settings: () => settings,
    locked: () => locked,
    clock: () => now,
    later: work => void due.push(work),
    read: async ({ orderNumber }, first) => {
      firsts.push(first.id);
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

const turns = (
  orderNumber: string,
  previousState: PaymentState | null,
  state: PaymentState,
  event: Event = someEvent,
): void => {
  const payment = {
    profileId: 'shop',
    orderNumber,
    state,
    amount: '1234.50',
    currency: 'EUR',
    description: 'Confidential surgery',
    customer: { name: 'Anna Nowak', email: 'anna@example.com' },
    link: { url: 'https://pay.example/secret', issuedAt: 0, expiresAt: 0 },
    cardLast4: '1111',
  } as unknown as Payment;
  payments.set(orderNumber, { payment, previousState });
  notices.handleEvent({ profileId: 'shop', orderNumber }, event);
};
/** The gathering is over. */
const afterwards = async (): Promise<void> => {
  for (const work of due.splice(0)) await work();
  for (let turn = 0; turn < payments.size + 4; turn += 1) await Promise.resolve();
};

describe('the content of a notification', () => {
  test('a payment that became paid is shown with its amount and order number, and a click opens it', async () => {
    turns('CF-1', 'started', 'paid-confirmed');
    await afterwards();
    expect(shown).toEqual([
      {
        title: 'Paid',
        body: 'EUR\u00A01,234.50 · CF-1',
        target: { screen: 'payment', profileId: 'shop', orderNumber: 'CF-1' },
      },
    ]);
  });

  test('paid without a look-up is shown as being confirmed', async () => {
    turns('CF-1', 'started', 'paid-unconfirmed');
    await afterwards();
    expect(shown[0]?.title).toBe('Confirming payment');
  });

  test.each(['needs-attention', 'outcome-unknown', 'chargeback'] as const)(
    'a payment that became %s is shown as needing attention',
    async state => {
      turns('CF-1', 'waiting', state);
      await afterwards();
      expect(shown[0]?.title).toBe('Needs attention');
    },
  );

  test.each(['waiting', 'started', 'bank-check', 'processing', 'declined', 'expired', 'refunded'] as const)(
    'a payment that became %s causes no notification',
    async state => {
      turns('CF-1', 'waiting', state);
      await afterwards();
      expect(shown).toEqual([]);
    },
  );

  test('under high load only the count changes, without reading a payment; later changes cause notifications again', async () => {
    for (let count = 0; count <= maxNotified; count += 1) turns(`F-${count}`, 'started', 'paid-confirmed');
    await afterwards();
    expect({ shown, firsts }).toEqual({ shown: [], firsts: [] });
    notices.handleManyEvents();
    await afterwards();
    expect(shown).toEqual([]);
    turns('CF-1', 'started', 'paid-confirmed');
    await afterwards();
    expect(shown).toHaveLength(1);
  });

  test('a notification contains no customer, description, card or link', async () => {
    turns('CF-1', null, 'paid-confirmed');
    await afterwards();
    turns('CF-1', null, 'chargeback');
    turns('CF-2', null, 'paid-confirmed');
    await afterwards();
    expect(JSON.stringify(shown)).not.toMatch(/Anna|example|surgery|1111|secret/);
  });

  test('a sandbox or test payment can never be mistaken for money', async () => {
    kind = 'sandbox';
    turns('CF-1', 'started', 'paid-confirmed');
    await afterwards();
    kind = 'test';
    turns('CF-1', 'started', 'paid-confirmed');
    await afterwards();
    expect(shown.map(({ title }) => title)).toEqual([
      'Sandbox, no real money: Paid',
      'Test, no real money: Paid',
    ]);
  });

  test('in German where the desk speaks German', async () => {
    language = 'de';
    turns('CF-1', 'started', 'paid-confirmed');
    await afterwards();
    expect(shown[0]).toMatchObject({ title: 'Bezahlt', body: '1.234,50\u00A0EUR · CF-1' });
  });
});

describe('once per payment and change', () => {
  test('a payment that is paid and then confirmed causes one notification', async () => {
    turns('CF-1', 'started', 'paid-unconfirmed');
    turns('CF-1', 'started', 'paid-confirmed');
    await afterwards();
    turns('CF-1', 'paid-unconfirmed', 'paid-confirmed');
    await afterwards();
    expect(shown.map(({ title }) => title)).toEqual(['Paid']);
  });

  test('what a payment was is asked for before the first of the changes that were gathered', async () => {
    const [one, other] = [asEvent(requested(0)), asEvent(requested(1))];
    turns('CF-1', 'started', 'paid-unconfirmed', one);
    turns('CF-1', 'started', 'paid-confirmed', other);
    await afterwards();
    expect(firsts).toEqual([one.id]);
  });

  test('a change that was reverted before its notification causes none', async () => {
    turns('CF-1', 'paid-confirmed', 'needs-attention');
    turns('CF-1', 'paid-confirmed', 'paid-confirmed');
    await afterwards();
    expect(shown).toEqual([]);
  });

  test('a paid payment that later needs attention causes another notification', async () => {
    turns('CF-1', 'started', 'paid-confirmed');
    await afterwards();
    turns('CF-1', 'paid-confirmed', 'chargeback');
    await afterwards();
    expect(shown.map(({ title }) => title)).toEqual(['Paid', 'Needs attention']);
  });

  test('many at once speak together, and pressing opens the list that needs someone', async () => {
    for (let index = 0; index < 5; index += 1) turns(`CF-${index}`, 'started', 'paid-confirmed');
    turns('CF-9', 'paid-confirmed', 'chargeback');
    await afterwards();
    expect(shown).toEqual([
      {
        title: '6 payments were updated',
        body: '5 paid, 1 needs attention',
        target: { screen: 'payments', view: 'attention' },
      },
    ]);
  });
});

describe('when there is no notification', () => {
  test('on a locked desk only that a payment was updated', async () => {
    locked = true;
    turns('CF-1', 'started', 'paid-confirmed');
    await afterwards();
    turns('CF-1', 'started', 'paid-confirmed');
    turns('CF-2', 'started', 'chargeback');
    await afterwards();
    expect(shown.map(({ title, body }) => `${title} ${body}`)).toEqual([
      'Counterfoil A payment was updated',
      'Counterfoil 2 payments were updated',
    ]);
  });

  test('switched off, nothing is gathered', async () => {
    settings = { enabled: false, quietHours: null };
    turns('CF-1', 'started', 'paid-confirmed');
    expect(due).toEqual([]);
  });

  test('in quiet hours nothing is shown, nor afterwards', async () => {
    settings = { enabled: true, quietHours: { from: '20:00', until: '07:00' } };
    now = at(23);
    turns('CF-1', 'started', 'paid-confirmed');
    await afterwards();
    now = at(8);
    turns('CF-2', 'started', 'paid-confirmed');
    await afterwards();
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
  ])('quiet from %s until %s', (from, until, instant, quiet) => {
    expect(isQuiet({ from, until }, instant)).toBe(quiet);
  });
});
