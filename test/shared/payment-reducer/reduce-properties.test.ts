import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Event, EventDraft } from '../../../shared/payments/evidence.ts';
import type { Payment, PaymentState } from '../../../shared/payments/payment.ts';
import { reducePayment } from '../../../shared/payment-reducer/reduce.ts';
import { at, callbacks, evidence, id, others, raised } from '../../../tools/evidence/arbitrary-evidence.ts';
import {
  accepted,
  again,
  asEvent,
  callback,
  hour,
  lookUp,
  order,
  otherPayer,
  invalid,
  requested,
  verified,
  withRefundedAmount,
} from '../../../tools/evidence/evidence.ts';

/** Statements about the reducer that are true for any evidence. */

const later = 3 * hour;
const withMore = (events: readonly Event[], ...drafts: EventDraft[]): Payment =>
  reducePayment([...events, ...drafts.map(asEvent)]);
const verdictOf = ({ state, since, reason, amount, currency, basis, linkUsable, attempts }: Payment) => ({
  state,
  since,
  reason,
  amount,
  currency,
  basis,
  linkUsable,
  attempts,
});
const openEnded: readonly PaymentState[] = [
  'waiting',
  'started',
  'bank-check',
  'processing',
  'outcome-unknown',
  'refused',
  'draft',
];
const isPaid = ({ state }: Payment): boolean => state === 'paid-confirmed' || state === 'paid-unconfirmed';

const holds = <T extends unknown[]>(property: fc.IPropertyWithHooks<T>): void => {
  fc.assert(property, { numRuns: 500 });
};

describe('for any evidence', () => {
  test('any order and any duplication of the evidence gives the same payment', () => {
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

  test('a later delivery of known evidence changes only the count of deliveries', () => {
    holds(
      fc.property(evidence, fc.nat(), (events, pick) => {
        const received = events.filter(event => event.kind === 'callback.received');
        const of = received[pick % received.length];
        fc.pre(of !== undefined);
        const before = reducePayment(events);
        const after = withMore(events, again(of, later));
        expect(verdictOf(after)).toEqual(verdictOf(before));
        expect(after.firstAt).toBe(before.firstAt);
        expect(after.events).toBe(before.events + 1);
        expect(
          after.flags.filter(({ kind }) => kind !== 'duplicate-delivery' && kind !== 'unverified-evidence'),
        ).toEqual(
          before.flags.filter(({ kind }) => kind !== 'duplicate-delivery' && kind !== 'unverified-evidence'),
        );
        expect(after.flags.some(({ kind }) => kind === 'duplicate-delivery')).toBe(true);
      }),
    );
  });

  test('unverified callbacks change flags, never the state', () => {
    holds(
      fc.property(raised, callbacks(fc.constant(false)), (events, forged) => {
        const before = reducePayment(events);
        const known = events.some(event => event.dedupeKey === forged.dedupeKey);
        fc.pre(!known);
        const after = withMore(events, forged);
        expect(verdictOf(after)).toEqual(verdictOf(before));
        expect(after.customer).toEqual(before.customer);
        expect(after.cardLast4).toBe(before.cardLast4);
        expect(after.flags.some(({ kind }) => kind === 'unverified-evidence')).toBe(true);
      }),
    );
  });

  test('a late redirect or 3ds never changes a paid payment', () => {
    holds(
      fc.property(raised, fc.constantFrom('redirect', '3ds'), id, (events, type, paymentId) => {
        const before = withMore(events, callback(hour, 'sale', 'success', { id: paymentId }));
        fc.pre(isPaid(before));
        const after = withMore(
          events,
          callback(hour, 'sale', 'success', { id: paymentId }),
          callback(later, type, 'success', { id: paymentId, rrn: '' }),
        );
        expect(after.state).toBe(before.state);
        expect(after.since).toBe(before.since);
        expect(after.linkUsable).toBe(before.linkUsable);
      }),
    );
  });

  test('a failed refund never fails the payment', () => {
    holds(
      fc.property(raised, id, fc.constantFrom('fail', 'waiting'), (events, paymentId, status) => {
        const before = reducePayment(events);
        const after = withMore(
          events,
          callback(later, 'refund', status, { id: paymentId, date: '2026-10-05 15:00:00' }),
        );
        // If nothing reports the outcome, the refund proves a payment: then a look-up is the next step.
        if (openEnded.includes(before.state)) {
          expect([...openEnded, 'outcome-unknown', 'needs-attention', 'processing']).toContain(after.state);
          return;
        }
        if (before.state !== 'declined') expect(after.state).not.toBe('declined');
        // An attempt that was declined may now contradict itself; paid never becomes unpaid.
        if (isPaid(before)) expect(isPaid(after) || after.state === 'needs-attention').toBe(true);
      }),
    );
  });

  test('a paid and confirmed payment has a verified sale + success and a settled look-up of the same id', () => {
    holds(
      fc.property(
        fc.array(others, { maxLength: 6 }),
        fc.boolean(),
        fc.boolean(),
        id,
        id,
        (rest, good, look, one, other) => {
          const events = [
            requested(),
            accepted(),
            ...rest,
            callback(hour, 'sale', 'success', { id: one }, good ? verified : invalid),
            ...(look ? [lookUp(later, 'settled', { paymentId: other })] : []),
          ].map(asEvent);
          if (reducePayment(events).state !== 'paid-confirmed') {
            // Without other evidence, the pair alone must be enough.
            expect(rest.length === 0 && good && look && one === other).toBe(false);
            return;
          }
          const isVerified = new Set(
            events.flatMap(event =>
              event.kind === 'callback.reverified' && event.body.verification.verdict === 'verified'
                ? [event.body.callback]
                : [],
            ),
          );
          const sold = new Set(
            events.flatMap(event => {
              if (event.kind !== 'callback.received') return [];
              if (event.body.verification.verdict !== 'verified' && !isVerified.has(event.id)) return [];
              const of = new Map(event.body.fields);
              return of.get('type') === 'sale' && of.get('status') === 'success' ? [of.get('id')] : [];
            }),
          );
          const settled = events.some(
            event =>
              event.kind === 'status.observed' &&
              event.body.answers.some(
                ({ paymentId, status }) =>
                  status === 'settled' && (paymentId === null || sold.has(paymentId)),
              ),
          );
          expect(sold.size > 0 && settled).toBe(true);
        },
      ),
    );
  });
});

describe('for any amounts', () => {
  const cents = (n: number): string => `${Math.trunc(n / 100)}.${String(n % 100).padStart(2, '0')}`;
  const link = [requested(0, { amount: '1000.00' }), accepted()];
  const sale = callback(60_000, 'sale', 'success', { order_amount: '1000.00' });

  test('two partial refunds with the same values are both stored and both counted', () => {
    holds(
      fc.property(fc.integer({ min: 1, max: 99_999 }), amount => {
        const refund = (when: number, date: string): EventDraft =>
          withRefundedAmount(callback(when, 'refund', 'success', { order_amount: cents(amount), date }));
        const one = refund(hour, '2026-10-05 13:00:00');
        const other = refund(hour + 60_000, '2026-10-05 13:01:00');
        const payment = reducePayment([...link, sale, one, other].map(asEvent));
        expect(payment.events).toBe(5);
        expect(payment.state).toBe(2 * amount >= 100_000 ? 'refunded' : 'part-refunded');
        expect(payment.flags).toEqual([]);
      }),
    );
  });

  test('another amount or currency in a callback or a look-up raises a flag with both values', () => {
    holds(
      fc.property(
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.boolean(),
        fc.boolean(),
        (amount, money, byCallback) => {
          fc.pre(amount !== 100_000);
          const theirs = { amount: money ? cents(amount) : '1000.00', currency: money ? 'EUR' : 'GBP' };
          const report = byCallback
            ? callback(hour, 'sale', 'success', {
                order_amount: theirs.amount,
                order_currency: theirs.currency,
              })
            : lookUp(hour, 'settled', { order: { ...order, ...theirs } });
          const payment = reducePayment([...link, report].map(asEvent));
          expect(payment.state).toBe('needs-attention');
          expect(payment.flags[0]).toMatchObject({
            kind: money ? 'amount-differs' : 'currency-differs',
            values: money ? { ours: '1000.00', theirs: theirs.amount } : { ours: 'EUR', theirs: 'GBP' },
          });
        },
      ),
    );
  });

  test('a failed sale is an attempt: the link stays valid, and another id may still settle', () => {
    holds(
      fc.property(at, fc.constantFrom('Declined', 'Insufficient funds'), (when, reason) => {
        const failed = callback(when + 1_000, 'sale', 'fail', { order_amount: '1000.00', reason });
        const declined = reducePayment([...link, failed].map(asEvent));
        expect(declined).toMatchObject({ state: 'declined', reason, linkUsable: true });
        const paid = { id: otherPayer, order_amount: '1000.00' };
        const settled = reducePayment(
          [...link, failed, callback(later, 'sale', 'success', paid)].map(asEvent),
        );
        expect(settled.state).toBe('paid-unconfirmed');
        expect(settled.attempts.map(({ outcome }) => outcome)).toEqual(['declined', 'paid']);
        expect(settled.flags).toEqual([]);
      }),
    );
  });

  test('an unsigned field that changes between deliveries of one id raises the gravest flag', () => {
    const field = fc.constantFrom(
      'card',
      'customer_name',
      'customer_email',
      'rrn',
      'approval_code',
      'reason',
      'date',
      'gateway_id',
    );
    const value = fc.stringMatching(/^[a-z0-9]{1,12}$/).filter(text => text !== 'null');
    holds(
      fc.property(field, value, value, fc.boolean(), (name, one, other, known) => {
        fc.pre(one !== other);
        const verdict = known ? verified : invalid;
        const events = [
          ...link,
          callback(60_000, 'sale', 'success', { order_amount: '1000.00', [name]: one }, verdict),
          callback(hour, 'sale', 'success', { order_amount: '1000.00', [name]: other }, verified),
        ];
        expect(reducePayment(events.map(asEvent)).flags[0]).toMatchObject({
          kind: 'changed-between-deliveries',
          values: { field: name, ours: one, theirs: other },
        });
      }),
    );
  });
});
