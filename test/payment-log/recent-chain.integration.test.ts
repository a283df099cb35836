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
  const fromMemory = log.ownChain.recent(0, 10);
  await log.close();
  const again = await opened(false);
  expect(fromMemory).toEqual({ events: await again.ownChain.events(0, 10), durable: null });
  expect(fromMemory?.events).toHaveLength(5);
  await again.close();
});

test('what was erased is not shipped from memory', async () => {
  const log = await opened(true);
  must(await log.append([requested(0, customer)]));
  expect(log.ownChain.recent(0, 1)?.events[0]?.personal?.values).toContain('anna');
  must(await log.erase({ reason: 'request', agent: 'Ada', profileId: 'sandbox', orderNumber: 'CF-1001' }));
  expect(log.ownChain.recent(0, 10)).toBeNull();
  must(await log.append([note(0, 'after it')]));
  expect(log.ownChain.recent(0, 10)).toBeNull();
  const events = await log.ownChain.events(0, 10);
  expect(events.map(({ kind }) => kind)).toEqual(['session.requested', 'amended', 'note.added']);
  expect(events[0]?.personal).toBeNull();
  await log.close();
});

const numbered = (writerSeq: number): ChainedEvent => ({ writerSeq }) as ChainedEvent;

test('events that do not continue those in memory replace them', () => {
  const recent = createRecentChain();
  const numbers = (after: number, limit = 10): number[] | undefined =>
    recent.after(after, limit)?.events.map(({ writerSeq }) => writerSeq);
  recent.add([numbered(3), numbered(4)]);
  expect(numbers(1)).toBeUndefined();
  expect(numbers(2)).toEqual([3, 4]);
  expect(numbers(2, 1)).toEqual([3]);
  expect(numbers(3)).toEqual([4]);
  recent.add([numbered(7)]);
  expect(numbers(4)).toBeUndefined();
  expect(numbers(6)).toEqual([7]);
  for (let number = 8; number < 3_000; number += 1) recent.add([numbered(number)]);
  expect(numbers(8)).toBeUndefined();
  expect(numbers(2_997)).toEqual([2_998, 2_999]);
});

test('what is being written is passed on before it is durable, and taken back if it was not written', async () => {
  const recent = createRecentChain();
  const ends: number[] = [];
  recent.onChange(last => ends.push(last));
  recent.add([numbered(1), numbered(2)]);
  const first = recent.after(0, 1);
  const both = recent.after(0, 2);
  recent.confirm(1);
  expect(await first?.durable).toBe(true);
  recent.undo();
  expect(await both?.durable).toBe(false);
  expect(recent.after(0, 2)?.events).toHaveLength(1);
  recent.add([numbered(2)]);
  recent.confirm(2);
  expect(recent.after(1, 2)).toEqual({ events: [numbered(2)], durable: null });
  expect(ends).toEqual([2, 1, 2]);
});
