import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ChainedEvent } from '../../main/payment-log/answers.ts';
import type { PaymentLog } from '../../main/payment-log/payment-log.ts';
import { openPaymentLog } from '../../main/payment-log/sqlite/open-payment-log.ts';
import { createRecentChain } from '../../main/payment-log/sqlite/worker/recent-chain.ts';
import { logFolder, type LogFolder } from '../../tools/app-harness/running-payment-log.ts';
import { accepted, callback, note, requested } from '../../tools/evidence/evidence.ts';
import { must } from '../../tools/postgres-harness/shared-log.ts';

let folder: LogFolder;
beforeEach(() => {
  folder = logFolder();
});
afterEach(() => folder.remove());

const opened = async (isShipped: boolean): Promise<PaymentLog> =>
  must(await openPaymentLog({ file: folder.file, writer: 'desk-1', isShipped }));
const customer = { customer: { email: 'anna@example.com' } };

test('the events that are shipped from memory are those of the file', async () => {
  const log = await opened(true);
  must(await log.append([requested(0, customer), accepted()]));
  await Promise.all(
    [1, 2, 3].map(number => log.append([callback(number * 1_000, 'sale', 'success', { rrn: `${number}` })])),
  );
  const fromMemory = await log.ownChain.events(0, 10);
  await log.close();
  const again = await opened(false);
  expect(fromMemory).toEqual(await again.ownChain.events(0, 10));
  expect(fromMemory).toHaveLength(5);
  await again.close();
});

test('what was erased is not shipped from memory', async () => {
  const log = await opened(true);
  must(await log.append([requested(0, customer)]));
  expect((await log.ownChain.events(0, 1))[0]?.personal?.values).toContain('anna');
  must(await log.erase({ reason: 'request', agent: 'Ada', profileId: 'sandbox', orderNumber: 'CF-1001' }));
  must(await log.append([note(0, 'after it')]));
  const events = await log.ownChain.events(0, 10);
  expect(events.map(({ kind }) => kind)).toEqual(['session.requested', 'amended', 'note.added']);
  expect(events[0]?.personal).toBeNull();
  await log.close();
});

test('events that do not continue those in memory replace them', () => {
  const recent = createRecentChain();
  const numbered = (writerSeq: number): ChainedEvent => ({ writerSeq }) as ChainedEvent;
  recent.add([numbered(3), numbered(4)]);
  expect(recent.after(2, 10)).toHaveLength(2);
  expect(recent.after(3, 10)).toHaveLength(1);
  expect(recent.after(1, 10)).toEqual([]);
  recent.add([numbered(7)]);
  expect(recent.after(4, 10)).toEqual([]);
  expect(recent.after(6, 10)).toHaveLength(1);
  for (let number = 8; number < 3_000; number += 1) recent.add([numbered(number)]);
  expect(recent.after(8, 10)).toEqual([]);
  expect(recent.after(2_997, 10)).toHaveLength(2);
});
