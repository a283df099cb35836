import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  deliveryTimes,
  timelineItemsOf,
  intervalOf,
} from '../../renderer/screens/payment/timeline-groups.ts';
import { valuesAgree, sourcesOf } from '../../renderer/screens/payment/sources.tsx';
import type { Event, EventDraft } from '../../shared/payments/evidence.ts';
import { reducePayment } from '../../shared/payment-reducer/reduce.ts';
import {
  accepted,
  again,
  asEvent,
  callback,
  lookUp,
  note,
  refusedSession,
  requested,
} from '../../tools/evidence/evidence.ts';
import { translateTo } from '../../tools/app-harness/translate.ts';

const minute = 60_000;
const say = translateTo('en');
const written = (...drafts: EventDraft[]): readonly Event[] => drafts.map(asEvent);

const sale = callback(minute, 'sale', 'success');
const events = written(
  requested(),
  accepted(),
  sale,
  again(sale, minute + 1_000),
  again(sale, minute + 6_000),
  again(sale, 16 * minute),
  note(2 * minute, 'Called back'),
);

test('deliveries of one callback are one entry at the time of the first, with the intervals between them', () => {
  const [, , received, noted] = timelineItemsOf(events);
  expect(received?.event.id).toBe(sale.id);
  expect(received?.deliveries).toHaveLength(4);
  expect(noted?.deliveries).toHaveLength(1);
  expect(deliveryTimes(received?.deliveries ?? [], 'en-GB')).toMatch(/, \+1 secs?, \+5 secs?, \+15 mins?$/);
  expect(intervalOf(26 * 3_600_000, 'de-DE')).toMatch(/^\+1 T/);
});

test('deliveries of one callback are grouped without losing or doubling an event, in any order', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray([...events], { minLength: events.length }), shuffled => {
      const found = timelineItemsOf(shuffled).flatMap(({ deliveries }) => deliveries.map(({ id }) => id));
      expect(found.toSorted()).toEqual(events.map(({ id }) => id).toSorted());
    }),
  );
});

const sent: readonly Event[] = written(
  requested(),
  accepted(),
  callback(minute, 'sale', 'success', { order_amount: '99.00' }),
  lookUp(2 * minute, 'settled'),
);

test('the sources of a payment are side by side: what was requested, the callback, the look-up', () => {
  const sources = sourcesOf(sent, reducePayment(sent), say);
  expect(sources.map(({ name, values }) => [name, values.amount, values.outcome])).toEqual([
    ['requested', '123.40', null],
    ['callback', '99.00', 'paid'],
    ['look-up', '123.40', 'paid'],
  ]);
});

test('the sources of a payment name the request whose link the customer has, not one that was refused', () => {
  const refused = { idempotencyKey: '00000000-0000-4000-8000-00000000beef' };
  const corrected = written(
    requested(0),
    accepted(500),
    requested(minute, { ...refused, amount: '5.00', description: 'One chair' }),
    refusedSession(minute + 500, refused),
  );
  expect(sourcesOf(corrected, reducePayment(corrected), say)).toMatchObject([
    { name: 'requested', values: { amount: '123.40' } },
  ]);
});

test('the sources of a payment agree on an amount with any number of trailing zeros, and on a text only byte for byte', () => {
  expect(valuesAgree('amount', ['100', '100.00', null])).toBe(true);
  expect(valuesAgree('amount', ['100', '10.00'])).toBe(false);
  expect(valuesAgree('description', ['Chair', 'chair'])).toBe(false);
  expect(valuesAgree('currency', ['EUR', null])).toBeNull();
  expect(valuesAgree('outcome', ['sale · success', 'settled'])).toBeNull();
});
