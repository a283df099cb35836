import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AppDependencies } from '../../../main/app/common/app-context.ts';
import type { LookUp } from '../../../main/app/payments/look-up-payment.ts';
import { createPaidRecheck } from '../../../main/app/payments/paid-recheck.ts';
import type { PaymentLog } from '../../../main/payment-log/payment-log.ts';
import { fail, ok, type ErrorCode } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import { reconcile } from '../../../shared/reports/reconcile.ts';
import { rowOf } from '../../../shared/payments/payment-row.ts';
import { logFolder, type LogFolder } from '../../../tools/app-harness/running-payment-log.ts';
import {
  accepted,
  asEvent,
  callback,
  hour,
  lookUp,
  order,
  requested,
  start,
} from '../../../tools/evidence/evidence.ts';

/** Paid payments are checked again: a real log, a clock that the test sets, and a gateway that counts requests. */

const day = 24 * hour;
let folder: LogFolder;
let log: PaymentLog;
let now: number;
let asked: string[];
let failing: boolean;
beforeEach(async () => {
  folder = logFolder();
  log = await folder.open();
  now = start;
  asked = [];
  failing = false;
});
afterEach(() => folder.remove());

const paidOrder = (name: string, profileId = 'shop'): EventDraft[] =>
  [requested(), accepted(), callback(0, 'sale', 'success', { id: name, order_number: name })].map(event => ({
    ...event,
    orderNumber: name,
    profileId,
    paymentId: event.paymentId && name,
  }));

const profiles = [
  { id: 'shop', kind: 'test', baseUrl: 'https://pay.example' },
  { id: 'sandbox', kind: 'sandbox', baseUrl: 'http://127.0.0.1:1' },
];

const startRecheck = (
  answer: (name: string) => string = () => 'settled',
  { days = [1, 7], httpStatus = null }: { days?: number[]; httpStatus?: number | null } = {},
) => {
  const ask: LookUp = async (profileId, { value }, requestedBy) => {
    asked.push(value);
    const said = answer(value);
    if (said.startsWith('gateway.')) {
      return fail(said as ErrorCode, msg('error.gateway.unreachable'), { details: { httpStatus } });
    }
    const observed = {
      ...lookUp(now - start, said, { paymentId: value, order: { ...order, number: value } }),
      profileId,
      orderNumber: value,
    };
    await log.append([observed]);
    expect(requestedBy).toBe('console');
    return ok(asEvent(observed)) as Awaited<ReturnType<LookUp>>;
  };
  const parts = {
    log: ok(log),
    clock: () => now,
    settings: { read: () => ({ profiles }) },
    team: { claim: async () => true },
  } as unknown as AppDependencies;
  const recheck = createPaidRecheck(
    parts,
    ask,
    () => days,
    () => failing,
  );
  recheck.stop();
  return recheck;
};

test('a refund whose callback was lost is found, changes the state and has to be reviewed', async () => {
  await log.append(paidOrder('A'));
  const { poll } = startRecheck(() => 'refund');
  expect(await poll()).toBe(false);
  now = start + day;
  // Asked too early, it waits a few minutes before it reads the log again.
  expect(await poll()).toBe(true);
  expect(asked).toEqual(['A']);
  const payment = await log.payment('shop', 'A');
  expect(payment?.state).toBe('refunded');
  if (!payment) throw new Error('no payment');
  expect(reconcile(rowOf(payment), now + hour)[0]).toMatchObject({
    cause: 'returned-without-callback',
    action: 'hand-to-finance',
  });
});

test('paid payments are looked up again one at a time, and none twice', async () => {
  for (const name of ['A', 'B', 'C']) await log.append(paidOrder(name));
  now = start + 2 * day;
  const { poll } = startRecheck();
  expect(await Promise.all([poll(), poll()])).toEqual([true, false]);
  while (await poll());
  expect(asked.sort()).toEqual(['A', 'B', 'C']);
});

test('a restart continues where it was: the log knows what was asked', async () => {
  for (const name of ['A', 'B', 'C']) await log.append(paidOrder(name));
  now = start + 2 * day;
  expect(await startRecheck().poll()).toBe(true);
  const { poll } = startRecheck();
  while (await poll());
  expect(asked.sort()).toEqual(['A', 'B', 'C']);
});

test('no paid payment is looked up again while that is off, while the gateway is failing, or in the sandbox', async () => {
  await log.append([...paidOrder('A'), ...paidOrder('B', 'sandbox')]);
  now = start + 2 * day;
  expect(await startRecheck(() => 'settled', { days: [] }).poll()).toBe(false);
  failing = true;
  const { poll } = startRecheck();
  expect(await poll()).toBe(false);
  failing = false;
  while (await poll());
  expect(asked).toEqual(['A']);
});

test('a gateway that fails is left alone for an hour, one that refuses three times for a day', async () => {
  for (const name of ['A', 'B', 'C', 'D', 'E']) await log.append(paidOrder(name));
  now = start + 2 * day;
  const unreachable = startRecheck(() => 'gateway.unreachable', { httpStatus: 429 });
  expect([await unreachable.poll(), await unreachable.poll()]).toEqual([true, false]);
  now += hour;
  expect(await unreachable.poll()).toBe(true);
  asked = [];
  const refusing = startRecheck(() => 'gateway.refused', { httpStatus: 400 });
  while (await refusing.poll());
  expect(asked).toHaveLength(3);
  now += day - 1;
  expect(await refusing.poll()).toBe(false);
  now += 1;
  expect(await refusing.poll()).toBe(true);
});
