import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { factAbout as bare, factOfComputer } from '../../../main/alerts/alert-facts.ts';
import {
  createAlertBook,
  inConsole,
  markOf,
  placeOf,
  type ConsoleFact,
} from '../../../main/app/alerts/alert-book.ts';
import {
  alertNotice,
  assignments,
  expiringFrom,
  type DesktopAlert,
} from '../../../main/app/desktop/alerts-feature.ts';
import {
  alertKinds,
  alertPlaces,
  defaultAlertChoices,
  type AlertChoices,
} from '../../../shared/alerts/alert.ts';
import { formatterFor } from '../../../shared/messages/catalogues.ts';
import type { Payment } from '../../../shared/payments/payment.ts';
import { asEvent } from '../../../tools/evidence/evidence.ts';

/** What is an alert, for whom and where. */

const minute = 60_000;
const order = { profileId: 'shop', orderNumber: 'CF-1' };

const factAbout = (
  kind: ConsoleFact['kind'],
  payment: { profileId: string; orderNumber: string },
  occasion: string | number,
  { at, ...fields }: Pick<ConsoleFact, 'at'> & Partial<ConsoleFact>,
): ConsoleFact => inConsole(bare(kind, payment, occasion, at), fields);

const choices = (changes: Partial<AlertChoices> = {}): AlertChoices => ({
  ...defaultAlertChoices,
  ...changes,
});

const factOf = fc.record({
  kind: fc.constantFrom(...alertKinds),
  orderNumber: fc.constantFrom('A', 'B', 'C'),
  occasion: fc.nat({ max: 3 }),
  at: fc.nat({ max: 1_000 }),
});

test('an event is one alert, found in any order, any batches and any number of times', () => {
  fc.assert(
    fc.property(
      fc.array(factOf, { minLength: 1, maxLength: 20 }).chain(found =>
        fc.record({
          found: fc.constant(found),
          batches: fc.array(fc.shuffledSubarray([...found, ...found]), { minLength: 1, maxLength: 6 }),
        }),
      ),
      ({ found, batches }) => {
        const book = createAlertBook();
        const facts = (list: typeof found) =>
          list.map(({ kind, orderNumber, occasion, at }) =>
            factAbout(kind, { profileId: 'shop', orderNumber }, occasion, { at }),
          );
        const added = [...batches, found].flatMap(batch => book.add(facts(batch)).map(({ id }) => id));
        const ids = new Set(facts(found).map(({ id }) => id));
        expect(added.toSorted()).toEqual([...ids].toSorted());
        expect(new Set(book.facts().map(({ id }) => id))).toEqual(ids);
      },
    ),
  );
});

test('an alert that is over does not come back for the same event', () => {
  const book = createAlertBook();
  const fact = factAbout('callbacks-overdue', order, 'paid', { at: 1 });
  expect(book.add([fact])).toEqual([fact]);
  expect(book.remove(({ kind }) => kind === 'callbacks-overdue')).toBe(true);
  expect(book.add([fact])).toEqual([]);
  expect(book.facts()).toEqual([]);
});

test('what is kept of a seen alert does not contain its order number', () => {
  expect(markOf(factAbout('paid', order, '', { at: 1 }).id)).toMatch(/^[0-9a-f]{16}$/);
});

const person = (name: string, mayExport = true) => ({ name, mayExport });

test('a failed scheduled export is an alert of people who may export', () => {
  const fact = inConsole(factOfComputer('export-failed', 1, 1));
  expect(placeOf(fact, person('Anna'), choices())).toBe('desktop');
  expect(placeOf(fact, person('Ben', false), choices())).toBe('off');
});

test('each kind of alert is shown where the person chose', () => {
  for (const kind of alertKinds)
    for (const place of alertPlaces) {
      const fact = factAbout(kind, order, '', { at: 1, createdBy: 'Anna', assignee: 'Anna', by: 'Ben' });
      const chosen = choices({ places: { ...defaultAlertChoices.places, [kind]: place } });
      expect(placeOf(fact, person('Anna'), chosen)).toBe(place);
    }
});

test.each(['paid', 'declined'] as const)(
  'that a payment is %s is an alert for everybody, or only for who created its link',
  kind => {
    const fact = factAbout(kind, order, '', { at: 1, createdBy: 'Anna' });
    expect(placeOf(fact, person('Ben'), choices())).not.toBe('off');
    expect(placeOf(fact, person('Ben'), choices({ outcomesOf: 'mine' }))).toBe('off');
    expect(placeOf(fact, person('Anna'), choices({ outcomesOf: 'mine' }))).not.toBe('off');
  },
);

test('a link that expires is an alert only for the person who created it', () => {
  const fact = factAbout('link-expiring', order, 5, { at: 1, createdBy: 'Anna' });
  expect([placeOf(fact, person('Anna'), choices()), placeOf(fact, person('Ben'), choices())]).toEqual([
    'window',
    'off',
  ]);
});

test('an assignment is an alert for the person who got it, unless they took it', () => {
  const assigned = (by: string, assignee: string | null) =>
    asEvent({
      id: `${by}-${assignee}`,
      ...order,
      paymentId: null,
      happenedAt: 5,
      agent: by,
      dedupeKey: null,
      kind: 'review.assigned',
      body: { assignee },
    });
  const facts = assignments([assigned('Ben', 'Anna'), assigned('Anna', 'Anna'), assigned('Ben', null)]);
  expect(facts).toMatchObject([{ kind: 'assigned-to-me', at: 5, assignee: 'Anna', by: 'Ben' }]);
  expect(facts.map(fact => placeOf(fact, person('Ben'), choices()))).toEqual(['off']);
});

test.each([
  [60, 10, 50],
  [60, 30, 30],
  [12, 10, 6],
  [720, 5, 715],
])(
  'a link of %i minutes is an alert %i minutes before it expires, but not in its first half',
  (minutes, early, from) => {
    const link = { issuedAt: 0, expiresAt: minutes * minute };
    expect(expiringFrom(link, early)).toBe(from * minute);
  },
);

describe('the desktop notification of alerts', () => {
  const payment = {
    ...order,
    amount: '80.00',
    paidAmount: null,
    paidCurrency: null,
    currency: 'EUR',
    customer: { name: 'Zoë O’Brien', email: 'zoe@example.com' },
    customerFrom: 'request',
    link: { url: 'https://pay.example/secret', issuedAt: 0, expiresAt: 0 },
  } as unknown as Payment;
  const noon = new Date(2026, 10, 26, 12).getTime();
  const alert = (kind: 'link-expiring' | 'callbacks-overdue' | 'assigned-to-me'): DesktopAlert => ({
    fact: factAbout(kind, order, '', { at: noon }),
    payment,
  });
  const down: DesktopAlert = {
    fact: { ...factAbout('receiver-unreachable', order, '', { at: noon }), payment: null },
    payment: null,
  };
  const notice = (
    alerts: readonly DesktopAlert[],
    changes: Partial<Parameters<typeof alertNotice>[1]> = {},
  ) =>
    alertNotice(alerts, {
      settings: { enabled: true, showDetails: false },
      quietHours: null,
      isLocked: false,
      now: noon,
      profileOf: () => ({ kind: 'live', other: null }),
      language: { format: formatterFor('en', 'en-GB'), locale: 'en-GB' },
      ...changes,
    });

  test('the notification of an alert contains the amount and order number, and opens the payment', () => {
    expect(notice([alert('link-expiring')])).toEqual({
      notification: { title: 'Link expires soon', body: '€80.00 · CF-1' },
      target: { screen: 'payment', ...order },
    });
  });

  test('the notification about the receiver opens its settings', () => {
    expect(notice([down])).toMatchObject({
      notification: { title: 'Callbacks cannot be received' },
      target: { screen: 'settings', section: 'receiver' },
    });
  });

  test('several alerts are one notification', () => {
    expect(
      notice([alert('link-expiring'), alert('link-expiring'), alert('assigned-to-me')])?.notification,
    ).toEqual({ title: '3 alerts', body: '2 links expire soon, 1 assigned to you' });
  });

  test('the notification of an alert contains a name only where the settings allow it, and never a link', () => {
    const shown = notice([alert('assigned-to-me')], { settings: { enabled: true, showDetails: true } });
    expect(shown?.notification.body).toBe('€80.00 · CF-1 · Zoë O’Brien');
    expect(JSON.stringify([shown, notice([alert('assigned-to-me')])])).not.toMatch(/secret|example/);
    expect(JSON.stringify(notice([alert('assigned-to-me')]))).not.toMatch(/Zoë/);
  });

  test('while Counterfoil is locked, the notification of an alert says only that there is one', () => {
    const shown = notice([alert('link-expiring')], {
      isLocked: true,
      settings: { enabled: true, showDetails: true },
    });
    expect(shown?.notification).toEqual({ title: 'Counterfoil', body: 'There is a new alert' });
  });

  test.each([
    ['no alert', [], {}],
    ['notifications that are off', [down], { settings: { enabled: false, showDetails: false } }],
    ['quiet hours', [down], { quietHours: { from: '11:00', until: '13:00' } }],
  ] as const)('there is no notification of alerts with %s', (_, alerts, changes) => {
    expect(notice(alerts, changes)).toBeNull();
  });
});
