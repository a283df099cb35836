import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import * as fc from 'fast-check';
import type { Flag } from '../../../shared/payments/payment.ts';
import { fingerprintOf } from '../../../shared/payment-reducer/fingerprint.ts';
import { entry } from '../../../tools/evidence/movements.ts';
import {
  again,
  asEvent,
  callback,
  draft,
  hour,
  invalid,
  lookUp,
  note,
  order,
  otherPayer,
  payer,
  requested,
  start,
} from '../../../tools/evidence/evidence.ts';
import { runs } from '../../../tools/app-harness/runs.ts';
import type { Event, EventDraft, EventOf } from '../../../shared/payments/evidence.ts';
import { rowOf } from '../../../shared/payments/payment-row.ts';
import { reviewOf } from '../../../shared/payment-reducer/reduce-review.ts';
import { reducePayment } from '../../../shared/payment-reducer/reduce.ts';
import { type Review, isSetAside } from '../../../shared/review/review.ts';
import { evidence } from '../../../tools/evidence/arbitrary-evidence.ts';
import { raised } from '../../../tools/evidence/reduced.ts';

/** The fingerprint of a payment: what changes it, and what does not. */

const paid = entry('paid', '10.00', { at: 1, paymentId: payer, rrn: '1', approvalCode: 'A' });
const refund = { ...paid, kind: 'refund' as const, amount: '2.00' };
const differs: Flag = { kind: 'amount-differs', values: { ours: '10.00', theirs: '1.00' }, events: ['1'] };
const changed = (field: string, theirs: string): Flag => ({
  kind: 'changed-between-deliveries',
  values: { field, ours: 'a', theirs },
  events: ['1'],
});
const payment: Parameters<typeof fingerprintOf>[0] = {
  state: 'paid-unconfirmed',
  reason: null,
  amount: '10.00',
  currency: 'EUR',
  paymentIds: [payer, otherPayer],
  linkUsable: false,
  expiresAt: 5,
  paidAt: 1,
  basis: { event: '1', kind: 'callback', at: 1, verified: true },
  entries: [paid, refund],
  pendingSince: null,
  flags: [differs, changed('customer_email', 'b'), changed('rrn', 'b')],
};
type Changes = Partial<typeof payment>;
const basis = { event: '1', kind: 'callback', at: 1, verified: true } as const;

test.each<[string, Changes]>([
  ['state', { state: 'paid-confirmed' }],
  ['reason', { reason: 'Declined' }],
  ['amount', { amount: '10.01' }],
  ['currency', { currency: 'USD' }],
  ['payment ids', { paymentIds: [payer] }],
  ['link', { linkUsable: true }],
  ['expiry', { expiresAt: 6 }],
  ['time of payment, if it has one', { paidAt: null }],
  ['basis', { basis: null }],
  ['source', { basis: { ...basis, kind: 'look-up' } }],
  ['verification', { basis: { ...basis, verified: false } }],
  ['movements', { entries: [paid] }],
  ['kind of a movement', { entries: [paid, { ...refund, kind: 'chargeback' }] }],
  ['amount of a movement', { entries: [paid, { ...refund, amount: null }] }],
  ['payment of a movement', { entries: [paid, { ...refund, paymentId: otherPayer }] }],
  ['counter-entry', { entries: [paid, { ...refund, isCounter: true }] }],
  ['money in progress', { pendingSince: 1 }],
  ['flags', { flags: [] }],
  ['kind of a flag', { flags: [{ ...differs, kind: 'currency-differs' }, ...payment.flags.slice(1)] }],
  [
    'value of a flag',
    { flags: [{ ...differs, values: { ours: '10.00', theirs: '2.00' } }, ...payment.flags.slice(1)] },
  ],
  ['personal field of a flag', { flags: [differs, changed('customer_name', 'b'), changed('rrn', 'b')] }],
  ['other field of a flag', { flags: [differs, changed('customer_email', 'b'), changed('rrn', 'c')] }],
])('another %s of a payment is a new fact', (_, changes) => {
  expect(fingerprintOf({ ...payment, ...changes })).not.toBe(fingerprintOf(payment));
});

test.each<[string, Changes]>([
  ['order of the payment ids', { paymentIds: [otherPayer, payer] }],
  ['time of payment', { paidAt: 2 }],
  ['event of the basis', { basis: { ...basis, event: '2', at: 2 } }],
  ['order of the movements', { entries: [refund, paid] }],
  ['time or RRN of a movement', { entries: [paid, { ...refund, at: 9, rrn: null, approvalCode: null }] }],
  [
    'repeated delivery',
    { flags: [...payment.flags, { kind: 'duplicate-delivery', values: {}, events: [] }] },
  ],
  ['event of a flag', { flags: [{ ...differs, events: ['2'] }, ...payment.flags.slice(1)] }],
  [
    "order of a flag's values",
    { flags: [{ ...differs, values: { theirs: '1.00', ours: '10.00' } }, ...payment.flags.slice(1)] },
  ],
  ['personal value of a flag', { flags: [differs, changed('customer_email', 'c'), changed('rrn', 'b')] }],
])('another %s of a payment is not a new fact', (_, changes) => {
  expect(fingerprintOf({ ...payment, ...changes })).toBe(fingerprintOf(payment));
});

test('a fingerprint stays the same between versions: stored resolutions and snoozes name it', () => {
  expect(fingerprintOf(payment)).toBe('5451586332c509c69b499c19d2ecbe96');
});

const later = 3 * hour;
const factsNow = (events: readonly Event[]): string => fingerprintOf(rowOf(reducePayment(events)));
const reviewIn = (events: readonly Event[], ...drafts: readonly EventDraft[]): Review | null =>
  reducePayment([...events, ...drafts.map(asEvent)]).review;
const resolution = (events: readonly Event[], at = later): EventDraft =>
  draft('review.resolved', at, { reason: 'nothing-to-do', text: '', facts: factsNow(events) });
const snooze = (events: readonly Event[], until: number | null, at = later): EventDraft =>
  draft('review.snoozed', at, { until, facts: factsNow(events) });
const resolved = (events: readonly Event[]): Event[] => [...events, asEvent(resolution(events))];
const evidenceOf = (...drafts: readonly EventDraft[]): Event[] => drafts.map(asEvent);

const holds = <T extends unknown[]>(property: fc.IPropertyWithHooks<T>): void => {
  fc.assert(property, { numRuns: runs(150) });
};

test('a resolution, a snooze and an assignment hold in any order and with any duplicates', () => {
  const reviewed = evidence.chain(events => {
    const all = [
      ...events,
      ...evidenceOf(
        resolution(events),
        snooze(events, start + 9 * hour, later + 1),
        draft('review.assigned', later + 2, { assignee: 'Grace' }),
      ),
    ];
    return fc.tuple(
      fc.constant(all),
      fc.shuffledSubarray(all, { minLength: all.length }),
      fc.array(fc.constantFrom(...all), { maxLength: 5 }),
    );
  });
  holds(
    fc.property(reviewed, ([all, shuffled, more]) => {
      expect(reducePayment([...shuffled, ...more])).toEqual(reducePayment(all));
      expect(reducePayment(all).review).toMatchObject({
        resolved: { reason: 'nothing-to-do' },
        assignee: 'Grace',
        snoozedUntil: start + 9 * hour,
      });
    }),
  );
});

test('a payment stays resolved when evidence is delivered again, and with notes and shared links', () => {
  const repeated = evidence.chain(events =>
    fc.tuple(fc.constant(events), fc.nat(events.length - 1), fc.boolean()),
  );
  holds(
    fc.property(repeated, ([events, index, also]) => {
      const one = events[index];
      const copies =
        one?.kind === 'callback.received' ? [again(one, later + 1)] : [note(later + 1, 'Called again')];
      const shared = also ? [draft('link.shared', later + 2, { channel: 'copy' })] : [];
      expect(reviewIn(resolved(events), ...copies, ...shared)?.resolved).not.toBeNull();
    }),
  );
});

test('a payment stays resolved when a look-up repeats the last answer, or fails', () => {
  holds(
    fc.property(evidence, events => {
      const last = events
        .filter((event): event is EventOf<'status.observed'> => event.kind === 'status.observed')
        .toSorted((one, other) => one.happenedAt - other.happenedAt || (one.id < other.id ? -1 : 1))
        .at(-1);
      if (!last) return;
      const sameAnswer: EventDraft = { ...last, id: randomUUID(), happenedAt: start + later + 1 };
      const failed: EventDraft = {
        ...sameAnswer,
        id: randomUUID(),
        body: { ...last.body, answers: [], problem: { code: 'gateway.timeout', message: 'No answer' } },
      };
      expect(reviewIn(resolved(events), sameAnswer, failed)?.resolved).not.toBeNull();
    }),
  );
});

test('a resolved payment comes back exactly when its facts change, and the resolution stays for those it was made on', () => {
  holds(
    fc.property(evidence, evidence, (events, more) => {
      const all = [...resolved(events), ...more];
      const same = factsNow(events) === factsNow([...events, ...more]);
      expect(reducePayment(all).review?.resolved != null).toBe(same);
    }),
  );
});

test('no review changes what the evidence says', () => {
  holds(
    fc.property(evidence, events => {
      const {
        review: _review,
        events: _count,
        lastAt: _last,
        ...after
      } = reducePayment([...events, asEvent(resolution(events, -hour))]);
      const { review: _none, events: _less, lastAt: _before, ...before } = reducePayment(events);
      expect(after).toEqual(before);
    }),
  );
});

const expired = evidenceOf(...raised);

test.each([
  ['a callback that says paid', callback(later + 1, 'sale', 'success')],
  ['a callback that does not verify', callback(later + 1, 'sale', 'success', {}, invalid)],
  ['a status check with a new answer', lookUp(later + 1, 'settled')],
  ['a second payment id', lookUp(later + 1, 'decline', { paymentId: otherPayer })],
  ['another amount', lookUp(later + 1, 'settled', { order: { ...order, amount: '1.00' } })],
])('a resolved payment comes back with %s', (_name, fact) => {
  expect(reviewIn(resolved(expired), fact)).toBeNull();
});

test('a resolved payment is open again after its resolution was taken back, with any order of reading', () => {
  const first = asEvent(resolution(expired));
  const back = asEvent(draft('review.reopened', later + 1, { resolutions: [first.id] }));
  expect(reducePayment([back, ...expired, first]).review).toBeNull();
  const second = asEvent(resolution(expired, later - 1));
  expect(reducePayment([...expired, first, back, second]).review?.resolved).not.toBeNull();
});

test('a resolved payment keeps the person it was assigned to when it comes back', () => {
  const assigned = asEvent(draft('review.assigned', later, { assignee: 'Grace' }));
  expect(reviewIn([...resolved(expired), assigned], lookUp(later + 1, 'settled'))).toEqual({
    resolved: null,
    assignee: 'Grace',
    snoozedUntil: null,
  });
});

const until = start + 9 * hour;

test('a snoozed payment is set aside until its time', () => {
  const review = reviewIn(expired, snooze(expired, until));
  expect(isSetAside(review, until - 1)).toBe(true);
  expect(isSetAside(review, until)).toBe(false);
});

test('a snoozed payment comes back earlier with new evidence, or when the snooze ends', () => {
  expect(reviewIn(expired, snooze(expired, until), lookUp(later + 1, 'settled'))).toBeNull();
  expect(reviewIn(expired, snooze(expired, until), snooze(expired, null, later + 1))).toBeNull();
});

const facts = 'now';
const reviewBy = (...drafts: readonly EventDraft[]): Review | null =>
  reviewOf(drafts.map(asEvent), () => facts);
const decided = (at: number, text: string, of = facts): EventDraft =>
  draft('review.resolved', at, { reason: 'nothing-to-do', text, facts: of });
const snoozed = (at: number, until: number | null, of = facts): EventDraft =>
  draft('review.snoozed', at, { until, facts: of });
const assigned = (at: number, assignee: string | null): EventDraft =>
  draft('review.assigned', at, { assignee });

test('the review of a payment contains the latest resolution, assignment and snooze, each for the present facts', () => {
  expect(
    reviewBy(
      decided(1, 'first'),
      decided(2, 'latest'),
      decided(3, 'outdated', 'before'),
      assigned(4, 'Ada'),
      assigned(5, 'Grace'),
      snoozed(6, 100),
      snoozed(7, 200),
    ),
  ).toEqual({
    resolved: { reason: 'nothing-to-do', text: 'latest', at: start + 2, agent: 'Ada' },
    assignee: 'Grace',
    snoozedUntil: 200,
  });
});

test('the review of a payment is null if there is none, or if nothing of it holds any more', () => {
  expect(reviewBy(note(0, 'called'))).toBeNull();
  expect(reviewBy(assigned(1, 'Ada'), assigned(2, null))).toBeNull();
  expect(reviewBy(snoozed(1, 100), snoozed(2, null))).toBeNull();
  expect(reviewBy(decided(1, '', 'before'), snoozed(2, 100, 'before'))).toBeNull();
  const resolved = decided(1, '');
  expect(reviewBy(resolved, draft('review.reopened', 2, { resolutions: [resolved.id] }))).toBeNull();
});

test('the review of a payment computes the facts only for a resolution or a snooze', () => {
  const refuse = (): string => {
    throw new Error('They were computed.');
  };
  expect(reviewOf([asEvent(assigned(1, 'Ada'))], refuse)?.assignee).toBe('Ada');
  expect(() => reviewOf([asEvent(snoozed(1, 100))], refuse)).toThrow('computed');
});

test('a review by a slow clock does not date a payment back; without other events it dates it', () => {
  const early = draft('review.assigned', -hour, { assignee: 'Ada' });
  expect(reducePayment([early, requested()].map(asEvent))).toMatchObject({
    firstAt: start,
    lastAt: start,
    events: 2,
  });
  expect(reducePayment([asEvent(early)])).toMatchObject({ firstAt: start - hour, lastAt: start - hour });
});

test('a fingerprint contains no value about a person, which could be guessed after its erasure', () => {
  const changed = (email: string) =>
    evidenceOf(
      ...raised,
      callback(1_000, 'sale', 'success', { customer_email: 'jane@example.com' }),
      callback(2_000, 'sale', 'success', { customer_email: email }),
    );
  expect(reducePayment(changed('a@example.com')).flags.map(({ kind }) => kind)).toContain(
    'changed-between-deliveries',
  );
  expect(factsNow(changed('a@example.com'))).toBe(factsNow(changed('b@example.com')));
});
