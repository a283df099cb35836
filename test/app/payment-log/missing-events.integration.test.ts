import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { chainEndFile } from '../../../main/payment-log/sqlite/files/chain-end.ts';
import { newPayment } from '../../../tools/app-harness/running-app.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';

/** What a person sees when confirmed events are missing from the payment log, and how that ends. */

const app = useApp();

const loss = async () => (await app.state()).log.loss;
const healthOfLoss = async () =>
  (await app.value('health.read', {})).checks.filter(({ name }) => name === 'loss');
const problems = async () => (await app.value('log.verify', {})).problems.map(({ at }) => at.kind);

/** The last three events were lost, as the file beside the log shows. */
const cut = (): void => {
  const file = chainEndFile(app.logFile);
  const recorded = JSON.parse(readFileSync(file, 'utf8')) as { end: { seq: number; hash: string } };
  recorded.end.seq += 3;
  recorded.end.hash = '0'.repeat(64);
  writeFileSync(file, JSON.stringify(recorded));
};

test('Missing events are shown at each start until a person has settled the loss, which is recorded', async () => {
  const before = Date.now();
  await app.value('payments.create', newPayment({ orderNumber: 'CF-1' }));
  expect(await loss()).toBeNull();
  expect(await healthOfLoss()).toEqual([]);
  await app.restart(cut);
  const found = await loss();
  expect(found).toMatchObject({ missing: 3 });
  expect(found?.from).toBeGreaterThanOrEqual(before);
  expect(found?.until).toBeGreaterThanOrEqual(found?.from ?? 0);
  expect(await healthOfLoss()).toMatchObject([
    { state: 'broken', finding: { key: 'health.loss' }, todo: { key: 'health.loss.todo' } },
  ]);
  expect(await problems()).toEqual(['end-file']);
  await app.restart();
  expect(await loss()).toEqual(found);

  expect((await app.value('log.settleLoss', {})).log.loss).toBeNull();
  expect(await healthOfLoss()).toEqual([]);
  expect(await problems()).toEqual([]);
  const { rows } = await app.value('activity.list', {});
  expect(rows[0]).toMatchObject({ agent: 'anna', action: 'loss-settled', details: { count: 3 } });
  await app.restart();
  expect(await loss()).toBeNull();
  expect(await problems()).toEqual([]);
});
