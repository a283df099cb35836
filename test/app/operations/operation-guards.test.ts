import { openMoney } from '../../../shared/payments/open-money.ts';
import { expect, test } from 'vitest';
import {
  operationRefusal,
  returnsIn,
  type Spending,
  limitsInWords,
  limitsOf,
  withinLimits,
} from '../../../main/app/operations/operation-terms.ts';
import { mostOf, needsSecondPerson } from '../../../shared/operations/rules.ts';
import { reducePayment } from '../../../shared/payment-reducer/reduce.ts';
import { balanceOf } from '../../../shared/payments/balance.ts';
import type { EventDraft, EventOf } from '../../../shared/payments/evidence.ts';
import { recordableMovements } from '../../../shared/payment-reducer/recordable-movements.ts';
import {
  profileSchema,
  type OperationLimits,
  operationSettingsSchema,
} from '../../../shared/settings/profile.ts';
import {
  accepted,
  asEvent,
  callback,
  hour,
  lookUp,
  order,
  payer,
  requested,
  start,
} from '../../../tools/evidence/evidence.ts';
import { intent, operationRequested } from '../../../tools/evidence/operation-evidence.ts';
import { shopProfile } from '../../../tools/app-harness/running-app.ts';
import { must } from '../../../tools/postgres-harness/shared-log.ts';

/** What is asked before an operation is sent, by the evidence. */

const profile = profileSchema.parse({ ...shopProfile, id: 'shop' });
const sale = callback(1_000, 'sale', 'success');
const settled = lookUp(2_000, 'settled');
const paymentOf = (...drafts: EventDraft[]) =>
  reducePayment([requested(0), accepted(500), ...drafts].map(asEvent));
type Evidence = ReturnType<typeof paymentOf>;
const refusalOf = (payment: Evidence, kind: 'refund' | 'void' | 'capture' = 'refund') =>
  operationRefusal(kind, { payment, paymentId: payer, profile, now: start + hour })?.key ?? null;
const amounts = (payment: Evidence) => mostOf('refund', balanceOf(payment, payer), null);
const openKinds = (payment: Evidence) => openMoney(payment).map(({ kind, agent }) => [kind, agent]);

test.each(['refund', 'void', 'chargeback'] as const)(
  'a %s that waits and was not requested here is open, and named as such',
  type => {
    const payment = paymentOf(sale, settled, callback(3_000, type, 'waiting'), lookUp(4_000, 'settled'));
    expect(openKinds(payment)).toEqual([[type, null]]);
    // After the decision it can be sent.
    expect(refusalOf(payment)).toBeNull();
    expect(recordableMovements(payment)).toMatchObject([{ kind: type, paymentId: payer }]);
  },
);

test('a whole refund without an answer is open, and never means that nothing is left', () => {
  const payment = paymentOf(sale, settled, operationRequested(3_000, { amount: '123.40' }));
  expect(openKinds(payment)).toEqual([['refund', 'Ada']]);
  expect(balanceOf(payment, payer)).toMatchObject({ remaining: '0.00', onTheWay: '123.40' });
  expect(refusalOf(payment)).toBeNull();
  expect(amounts(payment)).toEqual({ whole: '123.40', most: '123.40' });
});

test('what is on its way counts for the whole, and a decision may send as much as was not returned', () => {
  const payment = paymentOf(sale, settled, operationRequested(3_000, { amount: '23.40' }));
  expect(amounts(payment)).toEqual({ whole: '100.00', most: '123.40' });
});

test('a failed refund is not open, and everything is left', () => {
  const payment = paymentOf(sale, settled, callback(3_000, 'refund', 'fail'));
  expect(openMoney(payment)).toEqual([]);
  expect(amounts(payment)).toEqual({ whole: '123.40', most: '123.40' });
});

test('a report about one of several open refunds that the form showed is no new return, and one from elsewhere is', () => {
  const other = '0b6a3c52-7c39-4f3c-9d2b-0a5c0d1e2f30';
  const open = [
    operationRequested(3_000, { amount: '23.40' }),
    operationRequested(3_500, { amount: '50.00', intent: other }),
  ];
  const shown = returnsIn(paymentOf(sale, settled, ...open));
  const oneOf = paymentOf(sale, settled, ...open, callback(9_000, 'refund', 'success'));
  expect(oneOf.operations.map(({ state }) => state)).toEqual(['one-of', 'one-of']);
  expect(returnsIn(oneOf)).toEqual(shown);
  expect(returnsIn(paymentOf(sale, settled, callback(9_000, 'refund', 'success')))).toHaveLength(1);
});

test('a refunded payment has nothing left: the reason is not that it was never paid', () => {
  const payment = paymentOf(sale, settled, callback(3_000, 'refund', 'success'), lookUp(hour, 'refund'));
  expect(refusalOf(payment)).toBe('operation.no.nothing-left');
  expect(refusalOf(payment, 'void')).toBe('operation.no.nothing-left');
});

test('a charged back payment is in the hands of the bank', () => {
  const payment = paymentOf(sale, settled, callback(3_000, 'chargeback', 'success'));
  expect(refusalOf(payment)).toBe('operation.no.disputed');
});

test('a payment whose results contradict each other says that, and not that it is unpaid', () => {
  expect(refusalOf(paymentOf(sale, lookUp(hour, 'decline')))).toBe('operation.no.contradicted');
});

test('a declined payment and an unused link are not paid', () => {
  expect(refusalOf(paymentOf(callback(1_000, 'sale', 'fail')))).toBe('operation.no.not-paid');
  expect(refusalOf(paymentOf())).toBe('operation.no.not-paid');
});

test('another amount than asked is paid, and can be refunded in that amount', () => {
  const more = { order_amount: '126.00' };
  const payment = paymentOf(
    callback(1_000, 'sale', 'success', more),
    lookUp(2_000, 'settled', { order: { ...order, amount: '126.00' } }),
  );
  expect(payment.state).toBe('needs-attention');
  expect(refusalOf(payment)).toBeNull();
  expect(amounts(payment).whole).toBe('126.00');
});

test('money that is held by the documented callback can be collected, and not refunded', () => {
  const request = JSON.stringify({ auth: 'Y' });
  const payment = reducePayment(
    [
      requested(0, { request }),
      accepted(500),
      callback(1_000, 'sale', 'success', { order_status: 'pending' }),
    ].map(asEvent),
  );
  expect(payment.attempts).toMatchObject([{ outcome: 'held' }]);
  expect(refusalOf(payment, 'capture')).toBeNull();
  expect(refusalOf(payment)).toBe('operation.no.not-paid');
});

/** Limits of a person: an amount or a limit that cannot be read never allows more. */

const limitsWith = async (
  limits: Partial<OperationLimits>,
  {
    recorded = [],
    earlier = [],
    elsewhere = 0n,
  }: {
    recorded?: readonly Parameters<typeof operationRequested>[1][];
    earlier?: readonly Spending[];
    elsewhere?: bigint | null;
  } = {},
) => {
  const operations = operationSettingsSchema.parse({ refund: true, limits });
  const profile = profileSchema.parse({ ...shopProfile, id: 'sandbox', operations });
  const events = recorded.map(body => asEvent(operationRequested(0, body)) as EventOf<'operation.requested'>);
  const log = { operationsSince: async () => events, payment: async () => null };
  const spender = { profile, account: 'account', profileIds: ['sandbox'], agentId: 'ada' };
  return must(await limitsOf(log, spender, 'EUR', 0, earlier, async () => ({ ok: true, value: elsewhere })));
};
const perDay = { perDay: 'EUR 100.00' };

test('the limit of a day counts what was recorded, is being sent and was sent elsewhere, each operation once', async () => {
  const recorded = [{ amount: '10.00' }, { amount: '20.00' }, { amount: '5.00', agentId: 'ben' }];
  const mine = { intent: 'i', account: 'account', agentId: 'ada', currency: 'EUR', minor: 500n };
  // One of them is recorded meanwhile.
  const earlier = [mine, { ...mine, intent }];
  const { leftToday } = await limitsWith(perDay, { recorded, earlier, elsewhere: 1000n });
  expect(leftToday).toBe(5500n);
  expect((await limitsWith(perDay, { earlier: [{ ...mine, account: 'other' }] })).leftToday).toBe(10_000n);
});

test('an amount that cannot be read leaves nothing of a day, is within no limit and needs a second person', async () => {
  const unread = { intent: 'i', account: 'account', agentId: 'ada', currency: 'EUR', minor: null };
  expect((await limitsWith(perDay, { earlier: [unread] })).leftToday).toBe(0n);
  expect((await limitsWith(perDay, { recorded: [{ amount: '500.001' }] })).leftToday).toBe(0n);
  expect((await limitsWith(perDay, { recorded: [{ amount: null }] })).leftToday).toBe(0n);
  expect((await limitsWith(perDay, { elsewhere: null })).leftToday).toBe(0n);
  const limits = await limitsWith({ perOperation: 'EUR 5.00', secondPersonFrom: 'EUR 900.00' });
  expect(withinLimits('much', 'EUR', limits)).toMatchObject({ ok: false });
  expect(needsSecondPerson('much', limitsInWords(limits, 'EUR'))).toBe(true);
  const none = await limitsWith({});
  expect(withinLimits('much', 'EUR', none).ok).toBe(true);
  expect(needsSecondPerson('much', limitsInWords(none, 'EUR'))).toBe(false);
});

test('a limit that cannot be read allows nothing without a second person', async () => {
  const limits = await limitsWith({ perOperation: 'EUR 5,00', secondPersonFrom: 'much' });
  expect(withinLimits('0.01', 'EUR', limits)).toMatchObject({ ok: false });
  expect(needsSecondPerson('0.01', limitsInWords(limits, 'EUR'))).toBe(true);
});
