import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createStalledPaymentPoller } from '../../../main/app/payments/stalled-payment-poller.ts';
import type { AppDependencies } from '../../../main/app/common/app-context.ts';
import type { LookUp } from '../../../main/app/payments/look-up-payment.ts';
import { openPaymentLog } from '../../../main/payment-log/sqlite/open-payment-log.ts';
import type { PaymentLog } from '../../../main/payment-log/payment-log.ts';
import { inEnglish } from '../../../shared/messages/catalogues.ts';
import { fail, ok } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import type { LookUpKey } from '../../../shared/payments/evidence.ts';
import { asEvent, callback, draft, lookUp, payer, requested } from '../../../tools/evidence/evidence.ts';
import { timeoutMs } from '../../../tools/app-harness/running-payment-log.ts';

/** Automatic look-ups of stalled payments: a real log, and a gateway that counts requests. */

let log: PaymentLog;
let lookUpKeys: LookUpKey[];
beforeEach(async () => {
  const opened = await openPaymentLog({
    file: join(mkdtempSync(join(tmpdir(), 'counterfoil-missing-')), 'payments.db'),
    writer: 'console-1',
    timeoutMs,
  });
  if (!opened.ok) throw new Error(inEnglish(opened.error.message));
  log = opened.value;
  lookUpKeys = [];
});
afterEach(() => log.close());

const createTestApp = (answer: 'pending' | 'unreachable', wanted = true, isOurs = true) => {
  const ask: LookUp = async (profileId, key) => {
    if (profileId === 'removed') return fail('profile.missing', msg('error.profile.missing'));
    if (key.value === 'not/allowed') return fail('input.invalid', msg('error.input.invalid'));
    lookUpKeys.push(key);
    if (answer === 'unreachable') return fail('gateway.unreachable', msg('error.gateway.unreachable'));
    const observed = { ...lookUp(0, 'pending'), happenedAt: Date.now() };
    const order = key.by === 'order-number' ? key.value : null;
    const event = order === null ? observed : { ...observed, orderNumber: order };
    await log.append([event]);
    return ok(asEvent(event)) as Awaited<ReturnType<LookUp>>;
  };
  const team = { claim: async () => isOurs };
  const parts = { log: ok(log), clock: () => Date.now(), team } as unknown as AppDependencies;
  const steps = createStalledPaymentPoller(parts, ask, () => wanted);
  steps.stop();
  return steps;
};

/** An old redirect, and no later event. */
const appendStalled = (): Promise<unknown> =>
  log.append([requested(), callback(1_000, 'redirect', 'success')]);

test('a redirect without a sale is looked up by its payment id, once, and not again at once', async () => {
  await appendStalled();
  const { poll } = createTestApp('pending');
  expect(await poll()).toBe(1);
  expect(lookUpKeys).toEqual([{ by: 'payment-id', value: payer }]);
  expect(await poll()).toBe(0);
});

test('no stalled payment is looked up while the setting is off, or when nothing is to reconcile', async () => {
  await log.append([requested(), callback(1_000, 'sale', 'success'), lookUp(2_000, 'settled')]);
  expect(await createTestApp('pending').poll()).toBe(0);
  await log.append([requested(0, {}, { orderNumber: 'OPEN-1' })]);
  expect(await createTestApp('pending', false).poll()).toBe(0);
  expect(lookUpKeys).toEqual([]);
});

test('a poll looks up five payments at most, and the next one continues', async () => {
  for (let at = 0; at < 8; at += 1) await log.append([requested(0, {}, { orderNumber: `LOST-${at}` })]);
  const { poll } = createTestApp('pending');
  expect(await poll()).toBe(5);
  expect(await poll()).toBe(3);
  expect(new Set(lookUpKeys.map(({ value }) => value)).size).toBe(8);
});

test('a payment that cannot be looked up keeps no other from being looked up', async () => {
  for (const at of [0, 1, 2])
    await log.append([requested(0, {}, { profileId: 'removed', orderNumber: `GONE-${at}` })]);
  await log.append([requested(0, {}, { orderNumber: 'not/allowed' })]);
  for (const at of [0, 1, 2]) await log.append([requested(0, {}, { orderNumber: `LOST-${at}` })]);
  expect(await createTestApp('pending').poll()).toBe(3);
  expect(lookUpKeys.map(({ value }) => value).toSorted()).toEqual(['LOST-0', 'LOST-1', 'LOST-2']);
});

test('an unreachable gateway ends the poll', async () => {
  for (let at = 0; at < 8; at += 1) await log.append([requested(0, {}, { orderNumber: `LOST-${at}` })]);
  expect(await createTestApp('unreachable').poll()).toBe(1);
});

test('a note does not affect the look-up', async () => {
  await appendStalled();
  await log.append([draft('note.added', 5_000, { text: 'Will call back' })]);
  expect(await createTestApp('pending').poll()).toBe(1);
});

test('another installation of the team looks up stalled payments for all', async () => {
  await appendStalled();
  expect(await createTestApp('pending', true, false).poll()).toBe(0);
  expect(await createTestApp('pending').poll()).toBe(1);
});
