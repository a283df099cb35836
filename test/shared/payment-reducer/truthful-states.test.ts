import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import { isLinkLive } from '../../../shared/payments/link.ts';
import type { Payment } from '../../../shared/payments/payment.ts';
import { rowOf } from '../../../shared/payments/payment-row.ts';
import { reconcile, type Finding } from '../../../shared/reports/reconcile.ts';
import { reducePayment } from '../../../shared/payment-reducer/reduce.ts';
import { stateAt } from '../../../shared/payment-reducer/state-at.ts';
import {
  accepted,
  asEvent,
  callback,
  hour,
  lookUp,
  order,
  otherPayer,
  payer,
  invalid,
  requested,
  start,
  withRefundedAmount,
} from '../../../tools/evidence/evidence.ts';
import { flagsOf, minute, raised, reduce } from '../../../tools/evidence/reduced.ts';

/** The state of a payment claims no more about money than the evidence shows. */

const stateIn = (payment: Payment, hours: number): string => stateAt(rowOf(payment), start + hours * hour);
const queueOf = (payment: Payment, hours = 5): Finding[] => reconcile(rowOf(payment), start + hours * hour);
const causesOf = (payment: Payment, hours = 5): string[] => queueOf(payment, hours).map(({ cause }) => cause);

describe('a link that expired', () => {
  test.each([
    ['nothing came back', [], 'expired'],
    ['only a redirect came', [callback(minute, 'redirect', 'success')], 'expired'],
    ['a look-up says prepare', [lookUp(minute, 'prepare')], 'expired'],
    ['an attempt was declined', [callback(minute, 'sale', 'fail')], 'declined'],
    ['a bank check began', [callback(minute, '3ds', 'success')], 'outcome-unknown'],
    ['a sale is being processed', [callback(minute, 'sale', 'waiting')], 'processing'],
    ['a look-up says 3ds', [lookUp(minute, '3ds')], 'outcome-unknown'],
  ] as const)('a link that expired is not live after its hour if %s', (_, evidence, state) => {
    const payment = reduce(...raised, ...evidence);
    expect(isLinkLive(payment, start + 30 * minute)).toBe(true);
    expect(isLinkLive(payment, start + 500 + hour)).toBe(false);
    expect(stateIn(payment, 5)).toBe(state);
  });

  test('a link that expired is not live in any state, with any later evidence', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('sale', '3ds', 'redirect', 'refund', 'void', 'recurring', 'capture'),
        fc.constantFrom('success', 'fail', 'waiting', 'undefined'),
        (type, status) => {
          const payment = reduce(...raised, callback(minute, type, status));
          expect(isLinkLive(payment, start + 500 + hour)).toBe(false);
        },
      ),
    );
  });
});

describe('a refund callback', () => {
  const sale = callback(minute, 'sale', 'success');
  const refund = callback(2 * minute, 'refund', 'success');

  test.each(['123.40', '23.40'])(
    'a refund callback with %s as order_amount gives "refund reported", without an amount',
    amount => {
      for (const order_status of ['', 'settled', 'refund']) {
        const seen = callback(2 * minute, 'refund', 'success', { order_amount: amount, order_status });
        expect(reduce(...raised, sale, seen)).toMatchObject({
          state: 'refund-seen',
          since: start + 2 * minute,
          paidAt: start + minute,
        });
      }
    },
  );

  test('a refund callback is settled by a later look-up: refund is the whole, settled is a part', () => {
    expect(reduce(...raised, sale, refund, lookUp(3 * minute, 'refund')).state).toBe('refunded');
    expect(reduce(...raised, sale, refund, lookUp(3 * minute, 'settled')).state).toBe('part-refunded');
    expect(reduce(...raised, sale, lookUp(90_000, 'settled'), refund).state).toBe('refund-seen');
  });

  test('a refund callback after the look-up makes the amount unknown again', () => {
    const second = callback(4 * minute, 'refund', 'success', { date: '2026-10-05 12:04:00' });
    const part = [...raised, sale, refund, lookUp(3 * minute, 'settled')];
    expect(reduce(...part, second).state).toBe('refund-seen');
    expect(reduce(...part, second, lookUp(5 * minute, 'refund')).state).toBe('refunded');
  });

  test('a refund callback counts its amount only if the profile defines order_amount as the refunded amount', () => {
    const own = (at: number, order_amount: string, date: string): EventDraft =>
      withRefundedAmount(callback(at, 'refund', 'success', { order_amount, date }));
    const part = own(2 * minute, '23.40', '2026-10-05 12:02:00');
    const rest = own(3 * minute, '100.00', '2026-10-05 12:03:00');
    expect(reduce(...raised, sale, part).state).toBe('part-refunded');
    expect(reduce(...raised, sale, part, rest).state).toBe('refunded');
    expect(reduce(...raised, sale, part, refund).state).toBe('refund-seen');
  });

  test('a refund callback is in the queue with a look-up as next step until its amount is known', () => {
    expect(queueOf(reduce(...raised, sale, refund))[0]).toMatchObject({
      cause: 'refund-amount-unknown',
      action: 'look-up',
    });
    expect(causesOf(reduce(...raised, sale, refund, lookUp(3 * minute, 'refund')))).toEqual(['refund-seen']);
  });
});

describe('a source that contradicts its earlier status', () => {
  const callbackPaid = callback(minute, 'sale', 'success');

  test.each(['decline', 'prepare', 'redirect', '3ds', 'pending', 'authorized'])(
    'a source with settled and then %s is flagged, is in the queue and is never silently unpaid',
    word => {
      for (const paid of [[], [callbackPaid]]) {
        const payment = reduce(...raised, ...paid, lookUp(2 * minute, 'settled'), lookUp(hour, word));
        expect(payment.state).toBe('needs-attention');
        expect(payment.flags.find(({ kind }) => kind === 'source-took-back')?.values).toMatchObject({
          ours: 'settled',
          theirs: word,
        });
        expect(causesOf(payment)).toContain('source-took-back');
        expect(stateIn(payment, 30)).toBe('needs-attention');
      }
    },
  );

  test('a source with chargeback and then settled stays disputed, and is flagged', () => {
    const payment = reduce(
      ...raised,
      callbackPaid,
      lookUp(2 * minute, 'chargeback'),
      lookUp(hour, 'settled'),
    );
    expect(payment.state).toBe('chargeback');
    expect(flagsOf(payment)).toContain('source-took-back');
  });

  test('a refund or reversal after settled is no contradiction', () => {
    for (const word of ['refund', 'reversal', 'chargeback', 'void']) {
      expect(flagsOf(reduce(...raised, lookUp(2 * minute, 'settled'), lookUp(hour, word)))).not.toContain(
        'source-took-back',
      );
    }
  });

  test('a source with a return and then settled is flagged and needs attention', () => {
    for (const word of ['refund', 'reversal', 'void']) {
      const payment = reduce(...raised, lookUp(2 * minute, word), lookUp(hour, 'settled'));
      expect({ word, state: payment.state }).toEqual({ word, state: 'needs-attention' });
      expect(flagsOf(payment)).toContain('source-took-back');
    }
  });

  test('a repeated status ends the conflict, and the flag stays', () => {
    const payment = reduce(
      ...raised,
      callbackPaid,
      lookUp(2 * minute, 'settled'),
      lookUp(3 * minute, 'pending'),
      lookUp(4 * minute, 'settled'),
    );
    expect(payment.state).toBe('paid-confirmed');
    expect(flagsOf(payment)).toContain('source-took-back');
    expect(causesOf(payment)).toEqual([]);
  });
});

describe('evidence that leaves the outcome open', () => {
  test.each([
    ['an uncertain sale', [callback(minute, 'sale', 'undefined')]],
    ['a capture', [callback(minute, 'capture', 'success')]],
    ['a pair that the interface does not allow', [callback(minute, '3ds', 'fail')]],
    ['a status word in another case', [lookUp(minute, 'SETTLED')]],
    ['an unknown status', [lookUp(minute, 'authorized')]],
    ['a refund that failed, which proves that it was paid', [callback(minute, 'refund', 'fail')]],
    ['a void that waits', [callback(minute, 'void', 'waiting')]],
    [
      'an uncertain sale after a redirect',
      [callback(minute, 'redirect', 'success'), callback(2 * minute, 'sale', 'undefined')],
    ],
    [
      'an uncertain sale that a look-up calls prepared',
      [callback(minute, 'sale', 'undefined'), lookUp(2 * minute, 'prepare')],
    ],
  ] as const)(
    'evidence that leaves the outcome open gives the state "result unknown", never an expired link: %s',
    (_, evidence) => {
      const payment = reduce(...raised, ...evidence);
      expect(payment.state).toBe('outcome-unknown');
      expect(stateIn(payment, 5)).toBe('outcome-unknown');
      const [mostSevere] = queueOf(payment);
      expect(mostSevere?.action).toBe('look-up');
      expect(queueOf(payment).map(({ action }) => action)).not.toContain('new-link');
    },
  );

  test('evidence that leaves the outcome open is in the queue under its cause', () => {
    expect(causesOf(reduce(...raised, callback(minute, 'capture', 'success')))).toContain(
      'outside-interface',
    );
    expect(causesOf(reduce(...raised, callback(minute, '3ds', 'fail')))).toContain('contradicts-interface');
  });

  test('evidence that leaves the outcome open is superseded by evidence with an outcome', () => {
    const uncertain = callback(minute, 'sale', 'undefined');
    expect(reduce(...raised, uncertain, lookUp(2 * minute, 'settled')).state).toBe('paid-unconfirmed');
    expect(reduce(...raised, uncertain, lookUp(2 * minute, 'decline')).state).toBe('declined');
    expect(reduce(...raised, uncertain, callback(2 * minute, 'sale', 'success'))).toMatchObject({
      state: 'paid-unconfirmed',
    });
  });

  test('evidence that leaves the outcome open outweighs a later attempt that was declined', () => {
    expect(
      reduce(
        ...raised,
        callback(minute, 'sale', 'undefined'),
        callback(2 * minute, 'sale', 'fail', { id: otherPayer }),
      ).state,
    ).toBe('outcome-unknown');
  });

  test('evidence that leaves the outcome open changes nothing when its signature does not verify', () => {
    const payment = reduce(...raised, callback(minute, 'sale', 'undefined', {}, invalid));
    expect(payment.state).toBe('waiting');
  });
});

describe('a series', () => {
  const sale = callback(minute, 'sale', 'success', { recurring_init_trans_id: payer });

  test.each(['recurring_init_trans_id', 'recurring_inti_trans_id'])(
    'a scheduled sale whose %s refers to the first payment is an instalment, not a second payment',
    spelling => {
      const next = callback(hour, 'sale', 'success', { id: otherPayer, [spelling]: payer });
      const payment = reduce(...raised, sale, next);
      expect(payment.state).toBe('paid-unconfirmed');
      expect(flagsOf(payment)).not.toContain('settled-twice');
      expect(payment.series).toEqual({ firstPaymentId: payer });
      expect(payment.attempts.map(({ instalment }) => instalment)).toEqual([false, true]);
    },
  );

  test('a series does not hide a second settlement without a reference', () => {
    const second = callback(hour, 'sale', 'success', { id: otherPayer });
    expect(flagsOf(reduce(...raised, sale, second))).toContain('settled-twice');
  });

  test('a separate order of a series is connected to its first payment', () => {
    const number = `${payer}-2`;
    const own = [
      callback(minute, 'sale', 'success', { id: otherPayer, order_number: number }),
      lookUp(minute, 'settled', { paymentId: otherPayer, order: { ...order, number } }),
    ];
    for (const one of own) {
      const payment = reducePayment([asEvent({ ...one, orderNumber: number })]);
      expect(payment.series).toEqual({ firstPaymentId: payer });
    }
    expect(reduce(...raised, callback(minute, 'sale', 'success')).series).toBeNull();
  });
});

describe('a second attempt', () => {
  const sale = callback(minute, 'sale', 'success');
  const dated = (at: number, type: string, status: string, changes = {}): EventDraft =>
    callback(at, type, status, changes);

  test.each([
    [
      'a void that failed and then succeeded',
      [dated(hour, 'void', 'fail'), dated(2 * hour, 'void', 'success')],
    ],
    [
      'a refund that failed and then succeeded',
      [dated(hour, 'refund', 'fail'), dated(2 * hour, 'refund', 'success')],
    ],
    [
      'two partial chargebacks',
      [
        dated(hour, 'chargeback', 'success', { order_amount: '20.00', rrn: '1' }),
        dated(2 * hour, 'chargeback', 'success', { order_amount: '30.00', rrn: '2' }),
      ],
    ],
    [
      'a bank check of another card',
      [
        dated(1000, '3ds', 'success', { card: '555555****4444', rrn: '' }),
        dated(2000, '3ds', 'success', { rrn: '' }),
      ],
    ],
  ])('a second attempt is no manipulation: %s', (_, tries) => {
    expect(flagsOf(reduce(...raised, sale, ...tries))).not.toContain('changed-between-deliveries');
  });
});

describe('a new link', () => {
  test('a new link is ready, though the gateway reports an issued redirect address, and there is no attempt', () => {
    const payment = reduce(...raised, callback(600, 'redirect', 'success'));
    expect(payment).toMatchObject({ state: 'waiting', attempts: [], paymentIds: [payer] });
  });

  test.each([
    ['prepare', 'waiting'],
    ['redirect', 'started'],
  ])('a new link that a look-up reports as %s is %s, with that callback or without', (status, state) => {
    const issued = callback(600, 'redirect', 'success');
    const asked = lookUp(minute, status);
    for (const drafts of [[asked], [issued, asked], [asked, { ...issued, happenedAt: asked.happenedAt + 1 }]])
      expect(reduce(...raised, ...drafts).state).toBe(state);
  });
});

describe('the customer', () => {
  test('the customer is shown with the source of the name', () => {
    const typed = { name: 'Maria', email: 'maria@example.com' };
    const sale = callback(minute, 'sale', 'success');
    expect(reduce(...raised, sale).customerFrom).toBe('callback');
    expect(reduce(...raised, lookUp(minute, 'settled')).customerFrom).toBe('look-up');
    expect(reduce(requested(0, { customer: typed }), accepted(), sale).customerFrom).toBe('request');
    expect(reduce(...raised).customerFrom).toBeNull();
  });
});
