import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from '../../tools/build/steps.ts';
import { filter, type LogFolder, logFolder } from '../../tools/app-harness/running-payment-log.ts';
import { eventDraftSchema, type Event } from '../../shared/payments/evidence.ts';

/** A payment log of format version 1, written once by scripts/generate/sample-log.ts and never again. */

const sample = (name: string): string => join(root, 'test', 'fixtures', 'payment-log', name);
const { orders, activities, statements } = JSON.parse(readFileSync(sample('version-1.json'), 'utf8')) as {
  orders: { orderNumber: string; state: string; events: Event[] }[];
  activities: Event[];
  statements: Event[];
};
const kindsOfFormat = eventDraftSchema.options.map(({ shape }) => shape.kind.value).toSorted();

let folder: LogFolder;
beforeEach(() => {
  folder = logFolder();
  copyFileSync(sample('version-1.db'), folder.file);
});
afterEach(() => folder.remove());

test('the sample contains every event kind, and erased personal data', () => {
  const kinds = new Set(
    [...orders.flatMap(({ events }) => events), ...activities, ...statements].map(({ kind }) => kind),
  );
  expect([...kinds].toSorted()).toEqual(kindsOfFormat);
  const text = JSON.stringify(orders.find(({ orderNumber }) => orderNumber === 'SAMPLE-5'));
  expect(text).not.toContain('Quill');
});

test.each(orders)('every event of $orderNumber is read without a change', async ({ orderNumber, events }) => {
  const log = await folder.open('another');
  expect(await log.events('sandbox', orderNumber)).toEqual(events);
});

test('the activities are read without a change', async () => {
  const log = await folder.open('another');
  expect((await log.activities({ person: null, group: null }, null, 50)).events).toEqual(activities);
});

test('the statements are read without a change', async () => {
  const log = await folder.open('another');
  expect(await log.statementRecords('statements:sandbox')).toEqual(statements);
});

test('the description of the format lists every event kind, and no other', () => {
  const text = readFileSync(join(root, 'docs/build/payment-log-format.md'), 'utf8');
  const [, section = ''] = text.split('\n## Event kinds\n');
  const [list = ''] = section.split('\n**Dedupe keys**');
  const described = [...list.matchAll(/^- `([a-z.]+)`/gm)].map(([, kind = '']) => kind);
  expect(described.toSorted()).toEqual(kindsOfFormat);
});

test('the chain of the sample verifies, before and after this version writes to it', async () => {
  const log = await folder.open('another');
  expect((await log.verify()).problems).toEqual([]);
  const [first] = orders.flatMap(({ events }) => events);
  if (!first) throw new Error('The sample is empty.');
  const written = await log.append([{ ...first, id: crypto.randomUUID() }]);
  expect(written.ok).toBe(true);
  expect((await log.verify()).problems).toEqual([]);
});

test('every payment of the sample has the state of its evidence', async () => {
  const log = await folder.open('another');
  const { rows } = await log.list(filter({}), null, 50);
  expect(rows.map(({ orderNumber, state }) => ({ orderNumber, state })).toSorted(byOrder)).toEqual(
    orders.map(({ orderNumber, state }) => ({ orderNumber, state })).toSorted(byOrder),
  );
});

const byOrder = (one: { orderNumber: string }, other: { orderNumber: string }): number =>
  one.orderNumber < other.orderNumber ? -1 : 1;
