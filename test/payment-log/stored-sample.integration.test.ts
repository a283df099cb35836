import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PaymentLog } from '../../main/payment-log/payment-log.ts';
import { writeClosedLog } from '../../tools/app-harness/closed-log.ts';
import { root } from '../../tools/build/steps.ts';
import { type LogFolder, filter, logFolder } from '../../tools/app-harness/running-payment-log.ts';
import { type Event, eventDraftSchema } from '../../shared/payments/evidence.ts';
import { useLog } from '../../tools/app-harness/use-log.ts';
import { accepted, callback, hour, lookUp, note, order, requested } from '../../tools/evidence/evidence.ts';

/** A payment log of format version 1, written once by scripts/generate/sample-log.ts and never again. */

const sample = (name: string): string => join(root, 'test', 'fixtures', 'payment-log', name);
const { orders, activities, statements } = JSON.parse(readFileSync(sample('version-1.json'), 'utf8')) as {
  orders: { orderNumber: string; state: string; events: Event[] }[];
  activities: Event[];
  statements: Event[];
};
const kindsOfFormat = eventDraftSchema.options.map(({ shape }) => shape.kind.value).toSorted();

let folder: LogFolder;
let log: PaymentLog;
beforeAll(async () => {
  folder = logFolder();
  copyFileSync(sample('version-1.db'), folder.file);
  log = await folder.open('another');
});
afterAll(() => folder.remove());

test('the sample contains every event kind, and erased personal data', () => {
  const kinds = new Set(
    [...orders.flatMap(({ events }) => events), ...activities, ...statements].map(({ kind }) => kind),
  );
  expect([...kinds].toSorted()).toEqual(kindsOfFormat);
  const text = JSON.stringify(orders.find(({ orderNumber }) => orderNumber === 'SAMPLE-5'));
  expect(text).not.toContain('Quill');
});

test('every event, activity and statement of the sample is read without a change', async () => {
  for (const { orderNumber, events } of orders)
    expect(await log.events('sandbox', orderNumber)).toEqual(events);
  expect((await log.activities({ person: null, group: null }, null, 50)).events).toEqual(activities);
  expect(await log.statementRecords('statements:sandbox')).toEqual(statements);
});

test('every payment of the sample has the state of its evidence', async () => {
  const { rows } = await log.list(filter({}), null, 50);
  const statesOf = (of: readonly { orderNumber: string; state: string }[]) =>
    Object.fromEntries(of.map(({ orderNumber, state }) => [orderNumber, state]));
  expect(statesOf(rows)).toEqual(statesOf(orders));
});

test('the description of the format lists every event kind, and no other', () => {
  const text = readFileSync(join(root, 'docs/build/payment-log-format.md'), 'utf8');
  const [, section = ''] = text.split('\n## Event kinds\n');
  const [list = ''] = section.split('\n**Dedupe keys**');
  const described = [...list.matchAll(/^- `([a-z.]+)`/gm)].map(([, kind = '']) => kind);
  expect(described.toSorted()).toEqual(kindsOfFormat);
});

test('the chain of the sample verifies, before and after this version writes to it', async () => {
  expect((await log.verify()).problems).toEqual([]);
  const [first] = orders.flatMap(({ events }) => events);
  if (!first) throw new Error('The sample is empty.');
  const written = await log.append([{ ...first, id: crypto.randomUUID() }]);
  expect(written.ok).toBe(true);
  expect((await log.verify()).problems).toEqual([]);
});

/** The program beside docs/build/payment-log-format.md reads and checks a log without the product's code. */

const program = join(root, 'docs/build/read-log.mjs');

const used = useLog('test', { isClosed: true });

const read = (): { status: number | null; events: unknown[]; report: string } => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--no-warnings', program, used.folder.file],
    {
      encoding: 'utf8',
    },
  );
  const events = stdout
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as unknown);
  return { status, events, report: stderr.trim() };
};

test('the documented program reads every event and its link, and reports an event that was changed', async () => {
  await writeClosedLog(used.folder.file, [
    requested(0, { customer: { name: 'Zoë Quill', email: 'zoe@example.com' } }),
    accepted(hour / 60),
    callback(hour / 30, 'sale', 'success'),
    lookUp(hour / 20, 'settled'),
    note(hour, 'A “quoted” note\u0001'),
  ]);
  const { status, events, report } = read();
  expect(report).toBe('Every link is right.');
  expect(status).toBe(0);
  expect(events).toHaveLength(5);
  expect(events[0]).toMatchObject({
    order: order.number,
    kind: 'session.requested',
    body: { amount: order.amount, customer: { name: '', email: '' } },
  });
  expect(events[4]).toMatchObject({ body: { text: 'A “quoted” note\u0001' } });
  used.folder.tamper(`UPDATE event SET agent = 'Eve' WHERE seq = 2`);
  expect(read()).toMatchObject({ status: 1, report: expect.stringContaining('event 2: link') as unknown });
});
