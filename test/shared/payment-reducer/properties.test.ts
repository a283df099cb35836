import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../tools/app-harness/runs.ts';
import type { Event, EventDraft } from '../../../shared/payments/evidence.ts';
import type { Payment } from '../../../shared/payments/payment.ts';
import { inOrder } from '../../../shared/payment-reducer/evidence/evidence-order.ts';
import { reducePayment } from '../../../shared/payment-reducer/reduce.ts';
import { callbacks, evidence, hostile, raised } from '../../../tools/evidence/arbitrary-evidence.ts';
import { accepted, again, asEvent, callback, hour, requested } from '../../../tools/evidence/evidence.ts';

/** Statements about the reducer that are true for any evidence. */

const later = 3 * hour;
const withMore = (events: readonly Event[], ...drafts: EventDraft[]): Payment =>
  reducePayment([...events, ...drafts.map(asEvent)]);
const moneyNames = [
  'state',
  'since',
  'reason',
  'amount',
  'currency',
  'basis',
  'link',
  'linkUsable',
  'links',
  'attempts',
  'paidAmount',
  'paidAt',
  'movements',
  'entries',
  'operations',
  'pendingSince',
  'review',
] as const;
const moneyOf = (payment: Payment) => moneyNames.map(name => payment[name]);

const holds = <T extends unknown[]>(property: fc.IPropertyWithHooks<T>): void => {
  fc.assert(property, { numRuns: runs(300) });
};

test('any order of arrival and any duplication of the evidence gives the same payment', () => {
  const shuffled = evidence.chain(events =>
    fc
      .tuple(
        fc.shuffledSubarray(events, { minLength: events.length }),
        fc.array(fc.constantFrom(...events), { maxLength: 6 }),
        fc.nat(events.length),
      )
      .map(([order, copies, where]) => ({ events, mixed: order.toSpliced(where, 0, ...copies) })),
  );
  holds(
    fc.property(shuffled, ({ events, mixed }) => {
      expect(reducePayment(mixed)).toEqual(reducePayment(events));
    }),
  );
});

test('later evidence only appends to the entries of the books, and never changes an earlier one', () => {
  holds(
    fc.property(raised, events => {
      const sorted = inOrder(events);
      let before: Payment['entries'] = [];
      for (let count = 1; count <= sorted.length; count += 1) {
        const { entries } = reducePayment(sorted.slice(0, count));
        for (const known of Map.groupBy(before, ({ paymentId }) => paymentId).values()) {
          // The first payment that is named takes what nothing named before.
          const name =
            known[0]?.paymentId || (entries.find(({ at }) => at === known[0]?.at)?.paymentId ?? '');
          const after = entries.filter(({ paymentId }) => paymentId === name).slice(0, known.length);
          expect(after).toEqual(known.map(entry => ({ ...entry, paymentId: name })));
        }
        before = entries;
      }
    }),
  );
});

test('callbacks that do not verify change flags, never money, state or customer', () => {
  holds(
    fc.property(raised, callbacks(fc.constant(false)), (events, forged) => {
      const before = reducePayment(events);
      fc.pre(!events.some(event => event.dedupeKey === forged.dedupeKey));
      const after = withMore(events, forged);
      expect(moneyOf(after)).toEqual(moneyOf(before));
      expect([after.customer, after.cardLast4]).toEqual([before.customer, before.cardLast4]);
      expect(after.flags.some(({ kind }) => kind === 'unverified-evidence')).toBe(true);
    }),
  );
});

test('a later delivery of a known callback changes only the count of deliveries', () => {
  holds(
    fc.property(evidence, fc.nat(), (events, pick) => {
      const received = events.filter(event => event.kind === 'callback.received');
      const of = received[pick % received.length];
      fc.pre(of !== undefined);
      const isOther = ({ kind }: Payment['flags'][number]): boolean =>
        kind !== 'duplicate-delivery' && kind !== 'unverified-evidence';
      const [before, after] = [reducePayment(events), withMore(events, again(of, later))];
      expect(moneyOf(after)).toEqual(moneyOf(before));
      expect(after.flags.filter(isOther)).toEqual(before.flags.filter(isOther));
    }),
  );
});

test('a paid payment has a verified sale + success, or an answer with "settled"', () => {
  const isProof = (event: Event): boolean => {
    if (event.kind === 'status.observed')
      return event.body.answers.some(({ status }) => status === 'settled');
    if (event.kind !== 'callback.received') return false;
    const of = new Map(event.body.fields);
    return of.get('type') === 'sale' && of.get('status') === 'success';
  };
  const isCaptured = (event: Event): boolean =>
    event.kind === 'callback.received' && new Map(event.body.fields).get('type') === 'capture';
  holds(
    fc.property(raised, events => {
      const { state } = reducePayment(events);
      if (state !== 'paid-confirmed' && state !== 'paid-unconfirmed') return;
      const isVerified = (event: Event): boolean =>
        event.kind !== 'callback.received' ||
        events.some(
          one =>
            (one.kind === 'callback.received' &&
              one.dedupeKey === event.dedupeKey &&
              one.body.verification.verdict === 'verified') ||
            (one.kind === 'callback.reverified' && one.body.verification.verdict === 'verified'),
        );
      expect(events.some(event => (isProof(event) || isCaptured(event)) && isVerified(event))).toBe(true);
    }),
  );
});

test('a late redirect or 3ds changes nothing about money that came in', () => {
  holds(
    fc.property(raised, fc.constantFrom('redirect', '3ds'), (events, type) => {
      const sale = callback(hour, 'sale', 'success');
      const before = withMore(events, sale);
      const after = withMore(events, sale, callback(later, type, 'success', { rrn: '' }));
      expect([after.entries, after.movements, after.linkUsable]).toEqual([
        before.entries,
        before.movements,
        before.linkUsable,
      ]);
    }),
  );
});

test('results, withdrawals, second verifications, reopenings and copies with the ids and keys of others change no payment', () => {
  const attacked = raised.chain(events => hostile(events).map(theirs => ({ events, theirs })));
  holds(
    fc.property(attacked, ({ events, theirs }) => {
      expect(moneyOf(reducePayment([...events, ...theirs]))).toEqual(moneyOf(reducePayment(events)));
    }),
  );
});

test('the same callback received by two installations is one callback', () => {
  holds(
    fc.property(callbacks(fc.constant(true)), draft => {
      const one = asEvent(draft);
      const other = { ...asEvent(again(draft, later)), writer: 'other', writerSeq: 1 };
      const link = [requested(), accepted()].map(asEvent);
      expect(moneyOf(reducePayment([...link, one, other]))).toEqual(moneyOf(reducePayment([...link, one])));
    }),
  );
});

test('a payment with two thousand variants of a callback is read to its end', () => {
  const variants = Array.from({ length: 2_000 }, (_, index) =>
    callback(index + 1, index % 2 === 0 ? 'sale' : 'refund', 'success', {
      date: String(index),
      rrn: String(index),
    }),
  );
  const payment = reducePayment([requested(), accepted(), ...variants].map(asEvent));
  expect(payment.movements.filter(({ kind }) => kind === 'refund')).toHaveLength(1_000);
  expect(payment.flags.length).toBeLessThan(60);
});
