import { describe, expect, test } from 'vitest';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import type { Flag, Payment } from '../../../shared/payments/payment.ts';
import { callback, lookUp, withRefundedAmount } from '../../../tools/evidence/evidence.ts';
import { minute, raised, reduce } from '../../../tools/evidence/reduced.ts';

/** The state of a payment from its callbacks and a look-up of the same id: one table for all pairs. */

const sale = callback(minute, 'sale', 'success');
const at = 5 * minute;
const refund = callback(at, 'refund', 'success');
const part = withRefundedAmount(callback(at, 'refund', 'success', { order_amount: '23.40' }));

/** The last callback of each row decides. */
const callbacks: Record<string, readonly EventDraft[]> = {
  redirect: [callback(at, 'redirect', 'success')],
  '3ds': [callback(at, '3ds', 'success')],
  waiting: [callback(at, 'sale', 'waiting')],
  fail: [callback(at, 'sale', 'fail')],
  uncertain: [callback(at, 'sale', 'undefined')],
  recurring: [callback(at, 'recurring', 'success')],
  'refund-fail': [callback(at, 'refund', 'fail')],
  'refund-waiting': [callback(at, 'refund', 'waiting')],
  'void-fail': [callback(at, 'void', 'fail')],
  'void-waiting': [callback(at, 'void', 'waiting')],
  paid: [callback(at, 'sale', 'success')],
  'fail,paid': [callback(minute, 'sale', 'fail'), callback(at, 'sale', 'success')],
  'other-sum': [callback(at, 'sale', 'success', { order_amount: '1.00' })],
  'other-text': [callback(at, 'sale', 'success', { order_description: 'Green chair' })],
  refund: [sale, refund],
  'refund-part': [sale, part],
  'refund-all': [sale, withRefundedAmount(refund)],
  void: [sale, callback(at, 'void', 'success')],
  reversal: [sale, callback(at, 'reversal', 'success')],
  chargeback: [sale, callback(at, 'chargeback', 'success')],
};

/** `accepted`: as after the request alone. `callback` and `look-up`: that source's own state. `flagged`: the callback's, with a flag. */
const afterCallback = `
               prepare   3ds       pending   settled   decline   refund    reversal  void      chargeback new       taken-back
redirect       accepted  look-up   look-up   look-up   look-up   look-up   look-up   look-up   look-up    look-up   look-up
3ds            callback  callback  look-up   look-up   look-up   look-up   look-up   look-up   look-up    look-up   look-up
waiting        callback  callback  callback  look-up   look-up   look-up   look-up   look-up   look-up    look-up   look-up
fail           callback  callback  callback  conflict  callback  conflict  look-up   look-up   look-up    callback  look-up
uncertain      callback  callback  look-up   look-up   look-up   look-up   look-up   look-up   look-up    look-up   look-up
recurring      callback  callback  look-up   look-up   look-up   look-up   look-up   look-up   look-up    look-up   look-up
refund-fail    callback  callback  look-up   look-up   conflict  look-up   look-up   look-up   look-up    look-up   look-up
refund-waiting callback  callback  look-up   look-up   conflict  look-up   look-up   look-up   look-up    look-up   look-up
void-fail      callback  callback  look-up   look-up   conflict  look-up   look-up   look-up   look-up    look-up   look-up
void-waiting   callback  callback  look-up   look-up   conflict  look-up   look-up   look-up   look-up    look-up   look-up
paid           flagged   flagged   flagged   confirmed conflict  look-up   look-up   look-up   look-up    callback  look-up
fail,paid      callback  callback  callback  confirmed callback  callback  callback  callback  look-up    callback  look-up
other-sum      callback  callback  callback  callback  callback  callback  callback  callback  look-up    callback  look-up
other-text     flagged   flagged   flagged   callback  conflict  look-up   look-up   look-up   look-up    callback  look-up
refund         flagged   flagged   flagged   a-part    conflict  whole     whole     whole     look-up    callback  look-up
refund-part    flagged   flagged   flagged   a-part    conflict  whole     whole     whole     look-up    callback  look-up
refund-all     flagged   flagged   flagged   a-part    conflict  callback  callback  callback  look-up    callback  look-up
void           flagged   flagged   flagged   conflict  flagged   callback  callback  callback  look-up    callback  look-up
reversal       flagged   flagged   flagged   conflict  flagged   callback  callback  callback  look-up    callback  look-up
chargeback     callback  callback  callback  callback  callback  callback  callback  callback  callback   callback  callback
`;
/** What a look-up from before the callback changes in the table: it may be outdated. */
const beforeCallback: Record<string, string> = {
  'paid 3ds': 'callback',
  'paid pending': 'callback',
  'paid prepare': 'callback',
  'other-text 3ds': 'callback',
  'other-text pending': 'callback',
  'other-text prepare': 'callback',
  'refund-fail pending': 'callback',
  'refund-waiting pending': 'callback',
  'void-fail pending': 'callback',
  'void-waiting pending': 'callback',
  'refund settled': 'callback',
  'refund-part settled': 'callback',
  'refund-all settled': 'callback',
  'void settled': 'callback',
  'reversal settled': 'callback',
};

for (const returned of ['refund', 'refund-part', 'refund-all', 'void', 'reversal'])
  for (const status of ['prepare', '3ds', 'pending']) beforeCallback[`${returned} ${status}`] = 'callback';
for (const returned of ['void', 'reversal']) beforeCallback[`${returned} decline`] = 'callback';

const [header = '', ...rows] = afterCallback.trim().split('\n');
const statuses = header.trim().split(/\s+/);
const pairs = rows.flatMap(row => {
  const [name = '', ...cells] = row.split(/\s+/);
  return cells.map((expected, index) => ({ name, status: statuses[index] ?? '', expected }));
});
const lookUpsOf = (status: string, when: number): readonly EventDraft[] =>
  status === 'taken-back' ? [lookUp(when - 1, 'settled'), lookUp(when, 'prepare')] : [lookUp(when, status)];

const conflictsOf = ({ flags }: Payment): Flag[] =>
  flags.filter(({ kind, values }) => kind === 'sources-disagree' && values['field'] === 'state');
const verdictOf = (payment: Payment) => ({
  state: payment.state,
  since: payment.since,
  basis: payment.basis,
  conflicts: conflictsOf(payment).length,
});

const expectedOf = (expected: string, evidence: readonly EventDraft[], lookUps: readonly EventDraft[]) => {
  const [own, observed] = [evidence.at(-1), lookUps.at(-1)];
  if (!own || !observed) throw new Error('Each row has a callback, and each column a look-up.');
  const byCallback = { event: own.id, kind: 'callback', at: own.happenedAt, verified: true };
  const byLookUp = { event: observed.id, kind: 'look-up', at: observed.happenedAt, verified: false };
  const since = own.happenedAt;
  const latest = Math.max(since, observed.happenedAt);
  switch (expected) {
    case 'accepted': {
      const { state, since: acceptedAt, basis } = reduce(...raised);
      return { state, since: acceptedAt, basis, conflicts: 0 };
    }
    case 'callback':
    case 'flagged':
      return {
        state: reduce(...raised, ...evidence).state,
        since,
        basis: byCallback,
        conflicts: expected === 'flagged' ? 1 : 0,
      };
    case 'look-up':
      return {
        state: reduce(...raised, ...lookUps).state,
        since: observed.happenedAt,
        basis: byLookUp,
        conflicts: 0,
      };
    case 'conflict':
      return { state: 'needs-attention', since: latest, basis: byLookUp, conflicts: 1 };
    case 'confirmed':
      return { state: 'paid-confirmed', since: latest, basis: byCallback, conflicts: 0 };
    case 'a-part':
      return { state: 'part-refunded', since, basis: byCallback, conflicts: 0 };
    case 'whole':
      return { state: 'refunded', since, basis: byLookUp, conflicts: 0 };
    default:
      throw new Error(`The table has no meaning for ${expected}.`);
  }
};

describe('a look-up of the same payment', () => {
  test.each(pairs)('a look-up after the callback $name with the status $status: $expected', pair => {
    const evidence = callbacks[pair.name] ?? [];
    const lookUps = lookUpsOf(pair.status, at + minute);
    expect(verdictOf(reduce(...raised, ...evidence, ...lookUps))).toEqual(
      expectedOf(pair.expected, evidence, lookUps),
    );
  });

  test.each(pairs)(
    'a look-up before the callback $name with the status $status counts, unless outdated',
    pair => {
      const evidence = callbacks[pair.name] ?? [];
      const lookUps = lookUpsOf(pair.status, at - minute);
      const expected = beforeCallback[`${pair.name} ${pair.status}`] ?? pair.expected;
      expect(verdictOf(reduce(...raised, ...evidence, ...lookUps))).toEqual(
        expectedOf(expected, evidence, lookUps),
      );
    },
  );

  test('a look-up at the time of the callback counts like one after it', () => {
    for (const [type, state] of [
      ['refund', 'part-refunded'],
      ['void', 'needs-attention'],
    ] as const)
      expect(reduce(...raised, sale, callback(at, type, 'success'), lookUp(at, 'settled')).state).toBe(state);
  });

  test('a look-up that contradicts the callback is flagged with both states and both events', () => {
    const [paid, declined] = [callback(at, 'sale', 'success'), lookUp(at + minute, 'decline')];
    expect(conflictsOf(reduce(...raised, paid, declined))).toEqual([
      {
        kind: 'sources-disagree',
        values: { field: 'state', ours: 'paid-unconfirmed', theirs: 'declined' },
        events: [paid.id, declined.id].toSorted(),
      },
    ]);
  });
});
