import { expect, test } from 'vitest';
import { bestTermsMatch, type Terms } from '../../../shared/payment-reducer/evidence/terms.ts';
import { endsWithLink } from '../../../shared/payment-reducer/state-at.ts';

const terms = (amount: string | null, currency: string | null, description: string | null): Terms => ({
  amount,
  currency,
  description,
});

const reported = terms('10.00', 'EUR', 'Chairs');

test.each([
  ['an equal amount', terms('10', 'USD', 'Tables'), terms('11', 'EUR', 'Chairs')],
  ['an equal currency', terms('11', 'eur', 'Tables'), terms('11', 'USD', 'Chairs')],
  ['an equal description', terms('11', 'USD', 'Chairs'), terms('11', 'USD', 'Tables')],
  ['amount and currency', terms('10', 'EUR', 'Tables'), terms('10', 'USD', 'Chairs')],
  ['amount and description', terms('10', 'USD', 'Chairs'), terms('10', 'USD', 'Tables')],
])(
  'a report on an order with several requests is compared with the closest one: %s counts more',
  (_, closer, other) => {
    expect(bestTermsMatch(reported, [closer, other]).ours).toBe(closer);
    expect(bestTermsMatch(reported, [other, closer]).ours).toBe(closer);
  },
);

test('a report on an order with several requests is compared with the latest of equally close ones', () => {
  const [first, second] = [terms('10', 'EUR', 'Chairs'), terms('10.0', 'EUR', 'Chairs')];
  expect(bestTermsMatch(reported, [first, second]).ours).toBe(second);
});

test('the states of an unused link and of a bank check end with the link, and no others', () => {
  expect((['waiting', 'started', 'bank-check'] as const).map(endsWithLink)).toEqual([true, true, true]);
  expect((['paid-confirmed', 'processing', 'draft', 'expired'] as const).map(endsWithLink)).toEqual([
    false,
    false,
    false,
    false,
  ]);
});
