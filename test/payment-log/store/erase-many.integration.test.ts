import { expect, test } from 'vitest';
import { useLog } from '../../../tools/app-harness/use-log.ts';
import { openForWriting } from '../../../main/payment-log/sqlite/store/database.ts';
import { logWriter } from '../../../main/payment-log/sqlite/store/writer.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import { writeClosedLog } from '../../../tools/app-harness/closed-log.ts';
import { must } from '../../../tools/postgres-harness/shared-log.ts';
import { requested, start } from '../../../tools/evidence/evidence.ts';

/** Erasing the details of many orders, such as a customer's, in one call. */

const used = useLog('test', { isClosed: true });

const orders = Array.from({ length: 1_500 }, (_, index) => `E-${index}`);
const draft = (orderNumber: string): EventDraft =>
  requested(
    0,
    {
      customer: { name: `Zoë Quist ${orderNumber}`, email: `${orderNumber}@example.com` },
      idempotencyKey: crypto.randomUUID(),
    },
    { orderNumber },
  );

test('the search index is merged once for many orders, after batches in their order', async () => {
  await writeClosedLog(used.folder.file, orders.map(draft));
  const opened = must(openForWriting(used.folder.file));
  const writer = logWriter(opened, 'console-1', Date.now);
  /** The steps of an erasure, and the orders of each. */
  const erase = (orderNumbers: readonly string[]): (string | null)[][] => {
    const steps: (string | null)[][] = [];
    const erasure = { reason: 'request', agent: 'Ada', profileId: 'sandbox', orderNumbers } as const;
    for (let step; (step = writer.erase(erasure));)
      steps.push(step.drafts.map(({ orderNumber }) => orderNumber));
    return steps;
  };
  const mergesOfOne = erase(orders.slice(0, 1)).length - 1;
  const wanted = orders.slice(500, 800).toReversed();
  const steps = erase(wanted);
  expect(steps.flat()).toEqual(wanted);
  const batches = steps.filter(step => step.length > 0);
  expect(batches.map(step => step.length)).toEqual([100, 100, 100]);
  expect(steps.length - batches.length).toBeLessThanOrEqual(2 * mergesOfOne + 2);
  opened.close();
});

test('an erasure that is ended leaves the later orders whole, and nothing of the earlier ones', async () => {
  await writeClosedLog(used.folder.file, orders.slice(0, 300).map(draft));
  const log = await used.folder.open();
  const controller = new AbortController();
  const done: string[] = [];
  const erasure = { reason: 'request', agent: 'Ada', profileId: 'sandbox', orderNumbers: orders } as const;
  const ended = await log.erase(erasure, {
    onErased: numbers => {
      done.push(...numbers);
      controller.abort();
    },
    signal: controller.signal,
  });
  expect(ended).toEqual({ ok: true, value: { payments: 100 } });
  expect(done).toEqual(orders.slice(0, 100));
  expect((await log.payment('sandbox', 'E-99'))?.customer).toEqual({ name: '', email: '' });
  expect((await log.payment('sandbox', 'E-100'))?.customer).toMatchObject({ email: 'E-100@example.com' });
  expect(await log.erase(erasure)).toEqual({ ok: true, value: { payments: 200 } });
  expect((await log.verify()).problems).toEqual([]);
});

test('Evidence from a day with a wrong clock is erased as soon as other evidence', () => {
  const opened = must(openForWriting(used.folder.file));
  const day = 86_400_000;
  let now = start;
  const writer = logWriter(opened, 'console-1', () => now);
  const write = (orderNumber: string, at: number): void => {
    now = at;
    writer.write([[{ ...draft(orderNumber), happenedAt: at }]]);
  };
  write('before', start);
  // For one hour, the clock is more than a year ahead.
  write('ahead', start + 400 * day);
  write('right again', start + day);
  write('later', start + 50 * day);
  now = start + 60 * day;
  const before = now - 30 * day;
  for (let erased; (erased = writer.erase({ reason: 'retention', agent: 'console', before })) !== null;)
    expect(erased).toBeDefined();
  const left = opened
    .prepare(
      `SELECT p.order_number FROM personal s JOIN event e ON e.seq = s.event JOIN payment p ON p.id = e.payment`,
    )
    .pluck()
    .all();
  opened.close();
  expect(left).toEqual(['later']);
});
