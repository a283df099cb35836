import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
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

describe('evidence that leaves the outcome open', () => {
  test.each([
    ['an uncertain sale', [callback(minute, 'sale', 'undefined')]],
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
    expect(causesOf(reduce(...raised, callback(minute, 'transfer', 'success')))).toContain(
      'outside-interface',
    );
    expect(causesOf(reduce(...raised, callback(minute, '3ds', 'fail')))).toContain('contradicts-interface');
  });

  test('evidence that leaves the outcome open is superseded by evidence with an outcome', () => {
    const uncertain = callback(minute, 'sale', 'undefined');
    expect(reduce(...raised, uncertain, lookUp(2 * minute, 'settled')).state).toBe('paid-confirmed');
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
