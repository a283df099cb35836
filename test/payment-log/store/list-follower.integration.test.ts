import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { auditLog } from '../../../main/payment-log/sqlite/integrity/audit.ts';
import { auditParts } from '../../../main/payment-log/sqlite/integrity/audit-parts.ts';
import { backlog } from '../../../main/payment-log/sqlite/store/backlog.ts';
import {
  openForReading,
  openForWriting,
  type LogDatabase,
} from '../../../main/payment-log/sqlite/store/database.ts';
import { logReader } from '../../../main/payment-log/sqlite/query/reader.ts';
import { eventsOfPayments } from '../../../main/payment-log/sqlite/store/stored-event.ts';
import { logWriter, type LogWriter } from '../../../main/payment-log/sqlite/store/writer.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import { accepted, callback, note, requested } from '../../../tools/evidence/evidence.ts';
import { filter, logFolder, type LogFolder } from '../../../tools/app-harness/running-payment-log.ts';

let folder: LogFolder;
let database: LogDatabase;
let writer: LogWriter;

const start = (): void => {
  const opened = openForWriting(folder.file);
  if (!opened.ok) throw new Error(opened.error.code);
  database = opened.value;
  writer = logWriter(database, 'console-1', Date.now);
};
beforeEach(() => {
  folder = logFolder();
  start();
});
afterEach(() => {
  database.close();
  return folder.remove();
});

const write = (...drafts: EventDraft[]): void => {
  for (const place of writer.write(drafts.map(draft => [draft])))
    if (!place.ok) throw new Error(place.error.code);
};
const follow = (maxPayments: number): number =>
  writer.catchUp({ maxMs: Number.POSITIVE_INFINITY, maxPayments });
const of = (orderNumber: string) => ({ orderNumber });
const stranger = (index: number): EventDraft =>
  callback(0, 'sale', 'success', { id: `s-${index}` }, undefined, of(`STRANGER-${index}`));
const listed = (): { orderNumber: string; state: string }[] =>
  logReader(database, () => 0)
    .list(filter({}), null, 100)
    .rows.map(({ orderNumber, state }) => ({ orderNumber, state }));

test('a callback for a payment created here is listed before earlier callbacks for unknown orders', () => {
  write(requested(0, {}, of('OWN')), accepted(500, {}, of('OWN')));
  follow(1);
  write(...Array.from({ length: 500 }, (_, index) => stranger(index)));
  write(callback(1_000, 'chargeback', 'success', {}, undefined, of('OWN')));
  follow(1);
  expect(listed()).toEqual([{ orderNumber: 'OWN', state: 'chargeback' }]);
});

test('a payment that an agent creates, pastes or comments is listed before unknown orders', () => {
  write(...Array.from({ length: 500 }, (_, index) => stranger(index)));
  write(requested(0, {}, of('RAISED')));
  write(note(0, 'will call back', of('STRANGER-499')));
  follow(2);
  expect(listed().map(({ orderNumber }) => orderNumber)).toEqual(['RAISED', 'STRANGER-499']);
});

test('a payment that is already listed is projected before new ones', () => {
  write(stranger(0));
  follow(1);
  write(...Array.from({ length: 500 }, (_, index) => stranger(1 + index)));
  write(callback(1_000, 'chargeback', 'success', { id: 's-0' }, undefined, of('STRANGER-0')));
  follow(1);
  expect(listed()).toEqual([{ orderNumber: 'STRANGER-0', state: 'chargeback' }]);
});

test('the list is reported as complete only up to its oldest missing event', () => {
  write(...Array.from({ length: 10 }, (_, index) => stranger(index)));
  write(requested(0, {}, of('OWN')));
  expect(follow(1)).toBe(0);
  expect(follow(4)).toBe(4);
  expect(follow(100)).toBe(11);
});

test('after a crash the missing events are read in batches, and new events are listed with the first batch', () => {
  write(...Array.from({ length: 10_000 }, (_, index) => note(index, 'some words', of(`N-${index}`))));
  const waiting = backlog(database);
  expect([...waiting.next()].length).toBeLessThan(5_000);
  expect(waiting.size()).toBe(10_000);
  database.close();
  start();
  write(requested(0, {}, of('OWN')));
  expect(writer.behind()).toBe(10_001);
  follow(1);
  expect(listed()).toMatchObject([{ orderNumber: 'OWN' }]);
  follow(Number.POSITIVE_INFINITY);
  while (writer.behind() > 0) follow(Number.POSITIVE_INFINITY);
  expect(logReader(database, () => 0).count(filter({}))).toMatchObject({ count: 10_001 });
});

test('more payments than fit in memory are read from the log, each of them once', () => {
  const waiting = backlog(database, 3);
  const drafts = Array.from({ length: 10 }, (_, index) => stranger(index));
  write(...drafts);
  for (const seq of drafts.keys()) waiting.add(seq + 1, seq + 1, seq === 0 ? 'own' : 'new');
  expect(waiting.size()).toBe(10);
  expect(waiting.through(10)).toBe(0);
  const passed: number[] = [];
  while (waiting.size() > 0)
    for (const payment of waiting.next()) {
      passed.push(payment);
      waiting.delete(payment);
    }
  expect(passed.toSorted((one, other) => one - other)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(waiting.through(10)).toBe(10);
});

test('the list and the search index match the evidence, for any sizes of the batches', () => {
  const draft = fc
    .record({
      order: fc.integer({ min: 0, max: 4 }),
      at: fc.integer({ min: 0, max: 5 }),
      make: fc.constantFrom('raise', 'accept', 'sale', 'refund', 'repeat', 'note'),
    })
    .map(({ order, at, make }): EventDraft => {
      const frame = of(`P-${order}`);
      if (make === 'raise') return requested(at, {}, frame);
      if (make === 'accept') return accepted(at, {}, frame);
      if (make === 'note') return note(at, `words ${at}`, frame);
      if (make === 'repeat') return callback(at, 'sale', 'success', { rrn: '1' }, undefined, frame);
      return callback(at, make, 'success', { rrn: String(at) }, undefined, frame);
    });
  const step = fc.oneof(
    fc.array(draft, { minLength: 1, maxLength: 8 }).map(drafts => (): void => write(...drafts)),
    fc.integer({ min: 1, max: 3 }).map(payments => (): void => void follow(payments)),
    fc.constant((): void => {
      database.close();
      start();
    }),
    fc.integer({ min: 0, max: 4 }).map(order => (): void => {
      writer.erase({ reason: 'request', agent: 'Ada', profileId: 'sandbox', orderNumbers: [`P-${order}`] });
    }),
  );
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), steps => {
      for (const take of steps) take();
      while (writer.behind() > 0) follow(2);
      const reading = openForReading(folder.file);
      if (!reading.ok) throw new Error(reading.error.code);
      const reports = auditParts(1).map(part => auditLog(reading.value, part, () => undefined));
      reading.value.close();
      expect(reports.flatMap(({ problems }) => problems)).toEqual([]);
      database.exec("INSERT INTO search (search, rank) VALUES ('integrity-check', 1)");
    }),
    { numRuns: 60 },
  );
});

test('payments with megabytes of evidence are read a few at a time, and every one is listed', () => {
  const names = Array.from({ length: 10 }, (_, index) => `LARGE-${index}`);
  for (const orderNumber of names) {
    write(requested(0, {}, of(orderNumber)));
    for (let at = 0; at < 3; at += 1) write(note(at, 'x'.repeat(500_000), of(orderNumber)));
  }
  const ids = database.prepare<[], number>('SELECT id FROM payment ORDER BY id').pluck().all();
  const { read, unreadFrom } = eventsOfPayments(database)(ids);
  expect(read.size).toBeLessThan(ids.length);
  expect(unreadFrom).toBe(ids[read.size]);
  database.close();
  start();
  while (writer.behind() > 0) follow(Number.POSITIVE_INFINITY);
  expect(
    listed()
      .map(({ orderNumber }) => orderNumber)
      .toSorted(),
  ).toEqual(names);
});
