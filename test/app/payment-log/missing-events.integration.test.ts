import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { chainEndFile } from '../../../main/payment-log/sqlite/files/chain-end.ts';
import { newPayment, startTestApp, type TestApp } from '../../../tools/app-harness/running-app.ts';

/** What a person sees when confirmed events are missing from the payment log, and how that ends. */

let app: TestApp;
beforeEach(async () => {
  app = await startTestApp();
});
afterEach(() => app.remove());

const loss = async () => (await app.state()).log.loss;
const healthOfLoss = async () =>
  (await app.value('health.read', {})).checks.filter(({ name }) => name === 'loss');
const problems = async () => (await app.value('log.verify', {})).problems.map(({ at }) => at.kind);

/** Starts the console again after the last three events were lost, as the file beside the log shows. */
const restart = async (isCut: boolean): Promise<void> => {
  await app.close();
  const file = chainEndFile(app.logFile);
  const recorded = JSON.parse(readFileSync(file, 'utf8')) as { end: { seq: number; hash: string } };
  if (isCut) {
    recorded.end.seq += 3;
    recorded.end.hash = '0'.repeat(64);
    writeFileSync(file, JSON.stringify(recorded));
  }
  app = await startTestApp(app.folder);
};

test('Missing events are shown at each start until a person has settled the loss, which is recorded', async () => {
  const before = Date.now();
  await app.value('payments.create', newPayment({ orderNumber: 'CF-1' }));
  expect(await loss()).toBeNull();
  expect(await healthOfLoss()).toEqual([]);
  await restart(true);
  const found = await loss();
  expect(found).toMatchObject({ missing: 3 });
  expect(found?.from).toBeGreaterThanOrEqual(before);
  expect(found?.until).toBeGreaterThanOrEqual(found?.from ?? 0);
  expect(await healthOfLoss()).toMatchObject([
    { state: 'broken', finding: { key: 'health.loss' }, todo: { key: 'health.loss.todo' } },
  ]);
  expect(await problems()).toEqual(['end-file']);
  await restart(false);
  expect(await loss()).toEqual(found);

  expect((await app.value('log.settleLoss', {})).log.loss).toBeNull();
  expect(await healthOfLoss()).toEqual([]);
  expect(await problems()).toEqual([]);
  const { rows } = await app.value('activity.list', {});
  expect(rows[0]).toMatchObject({ agent: 'anna', action: 'loss-settled', details: { count: 3 } });
  await restart(false);
  expect(await loss()).toBeNull();
  expect(await problems()).toEqual([]);
});
