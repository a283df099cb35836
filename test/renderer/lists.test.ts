import { expect, test } from 'vitest';
import { views } from '../../renderer/routes.ts';
import { compareAnswer, withVisibleBlanks } from '../../renderer/screens/look-up/compare.ts';
import { isCard } from '../../renderer/queries/open-link-cards.ts';
import { filterOf, openStates, profilePart, queryOf } from '../../renderer/stores/payments/filters.ts';
import type { Received } from '../../renderer/queries/callbacks.ts';
import { groupDeliveries } from '../../renderer/screens/callbacks/deliveries.ts';
import { openLinksIn } from '../../shared/payments/outcomes.ts';
import { queryFor } from '../../shared/search-query/query-writing.ts';
import type { Payment } from '../../shared/payments/payment.ts';

const noon = new Date(2026, 10, 12, 12, 0).getTime();
const place = { view: 'all', words: '' } as const;

test('a declined payment stays among the open links as long as its link can be paid', () => {
  const declined = { state: 'declined', since: 0, expiresAt: 3_600_000, linkUsable: true } as const;
  expect(isCard(declined, 3_000_000)).toBe(true);
  expect(isCard(declined, 3_600_000)).toBe(false);
  // Withdrawn: the result is shown for two minutes.
  expect(isCard({ ...declined, linkUsable: false }, 60_000)).toBe(true);
  expect(isCard({ ...declined, linkUsable: false }, 3_000_000)).toBe(false);
});

test('a view is a filter, and the words of a search replace it', () => {
  expect(filterOf({ ...place, view: 'open' }, 'shop', noon)).toMatchObject({
    profileId: 'shop',
    states: openStates,
    from: null,
  });
  expect(filterOf({ ...place, view: 'today' }, 'shop', noon).from).toBe(new Date(2026, 10, 12).getTime());
  expect(filterOf({ ...place, view: 'open', words: 'state:declined' }, null, noon).states).toEqual([
    'declined',
  ]);
  expect(openLinksIn({ states: { waiting: 2, started: 3, declined: 9 }, retryable: 4 })).toBe(9);
});

test('the filter of a view can be typed in the search box, in either language', () => {
  for (const view of views)
    for (const language of ['en', 'de'] as const)
      expect(filterOf({ view: 'all', words: queryOf({ view, words: '' }, language) }, null, noon)).toEqual({
        ...filterOf({ view, words: '' }, null, noon),
        // The open links have those as well that were declined and can still be paid, for which there is no word.
        retryable: false,
      });
});

test('a profile is shown by its name, or by its id if the name is ambiguous', () => {
  const profiles = [
    { id: 'one', name: 'Shop' },
    { id: 'two', name: 'shop' },
    { id: 'three', name: 'The "Hotel"' },
  ];
  for (const { id } of profiles)
    for (const language of ['en', 'de'] as const)
      expect(
        filterOf(
          { view: 'all', words: queryFor([profilePart(id, profiles)], language) },
          'one',
          noon,
          profiles,
        ).profileId,
      ).toBe(id);
  expect(filterOf({ view: 'all', words: 'profile:all' }, 'one', noon, profiles).profileId).toBeNull();
  expect(filterOf({ view: 'all', words: 'profile:unknown' }, 'one', noon, profiles).profileId).toBe(
    'unknown',
  );
});

const received = (id: string, dedupeKey: string | null, recordedAt: number): Received => ({
  id,
  profileId: 'shop',
  orderNumber: 'CF-1',
  paymentId: null,
  happenedAt: recordedAt,
  agent: 'console',
  dedupeKey,
  kind: 'callback.received',
  body: {
    fields: [['type', 'sale']],
    form: 'lines',
    via: 'receiver',
    verification: { verdict: 'verified', uppercasing: 'ascii', digest: 'md5' },
  },
  recordedAt,
  writer: 'console-1',
  writerSeq: recordedAt,
});

test('deliveries of one callback are grouped under the first one', () => {
  const groups = groupDeliveries([received('c', 'k', 3), received('b', null, 2), received('a', 'k', 1)]);
  expect(groups.map(({ event, deliveries }) => [event.id, deliveries.length])).toEqual([
    ['a', 2],
    ['b', 1],
  ]);
});

test('an answer is compared with the log byte for byte', () => {
  const payment = {
    orderNumber: 'CF-1',
    amount: '100.00',
    currency: 'EUR',
    description: 'Boots',
    paymentIds: ['id-1', 'id-2'],
    customer: null,
  } as unknown as Payment;
  const answer = {
    paymentId: 'id-1',
    date: null,
    status: 'settled',
    reason: null,
    order: { number: 'CF-1', amount: '100', currency: 'EUR', description: ' Boots' },
    customer: { name: 'Anna' },
    extra: {},
  };
  expect(Object.fromEntries(compareAnswer(answer, payment).map(row => [row.field, row.verdict]))).toEqual({
    order: 'equal',
    amount: 'differs',
    currency: 'equal',
    description: 'differs',
    'payment-id': 'equal',
    'customer-name': 'only-theirs',
  });
  expect(compareAnswer(answer, null).every(row => row.verdict === 'only-theirs')).toBe(true);
  expect(withVisibleBlanks(' Boots  ')).toBe('␣Boots␣␣');
});
