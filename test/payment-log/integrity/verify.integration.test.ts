import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { auditParts } from '../../../main/payment-log/sqlite/integrity/audit-parts.ts';
import { auditLog } from '../../../main/payment-log/sqlite/integrity/audit.ts';
import { openForReading } from '../../../main/payment-log/sqlite/store/database.ts';
import {
  accepted,
  callback,
  draft,
  hour,
  lookUp,
  note,
  requested,
  unanswered,
} from '../../../tools/evidence/evidence.ts';
import type { VerifyReport } from '../../../shared/contract/contract.ts';
import { inEnglish } from '../../../shared/messages/catalogues.ts';
import { placeInWords } from '../../../shared/messages/problem-place.ts';
import { logFolder } from '../../../tools/app-harness/running-payment-log.ts';
import { startWriter } from '../../../tools/app-harness/closed-log.ts';
import { tableOf } from '../../../tools/app-harness/table.ts';

const script = join(import.meta.dirname, '../../../scripts/app/log-verify.ts');
const minute = 60_000;
/** Only the evidence is read. */
const withoutList = { hasList: false };

/** A log that is written once, and copied for each test. */
const written = logFolder();
let folder = written;
beforeAll(async () => {
  const log = await written.open('console-1', withoutList);
  const other = { orderNumber: 'CF-1002' };
  await log.append([
    requested(0, { customer: { name: 'Jane Doe', email: 'jane@example.com' } }),
    accepted(),
    requested(1_000, {}, other),
    unanswered(2_000),
    callback(minute, 'sale', 'success'),
  ]);
  await log.append([
    lookUp(2 * minute, 'settled'),
    note(3 * minute, 'called'),
    note(4 * minute, 'again', other),
  ]);
  await log.close();
});
afterAll(() => written.remove());
beforeEach(() => {
  folder = logFolder();
  copyFileSync(written.file, folder.file);
});
afterEach(() => folder.remove());

/** The problems of a log, each as `kind at`. */
const problemsAt = ({ problems: found }: Pick<VerifyReport, 'problems'>): string[] =>
  found.map(({ kind, at }) => `${kind} ${inEnglish(placeInWords(at))}`);

const run = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  });
  return { status, stdout, stderr };
};

/** The problems of the file, each as `kind at`. */
const problems = (file = folder.file): string[] => {
  const opened = openForReading(file);
  if (!opened.ok) return [opened.error.code];
  const found = auditParts(2).flatMap(part => problemsAt(auditLog(opened.value, part)));
  opened.value.close();
  return found;
};

/** Changes the body of one event, with SQLite alone. */
const editBody = (seq: number, from: string, to: string): string =>
  `UPDATE event SET "values" = replace("values", '${from}', '${to}') WHERE seq = ${seq}`;

test('an unchanged log has no problem', () => {
  expect(run(folder.file)).toEqual({
    status: 0,
    stdout: 'OK: 8 events are complete and unchanged, 2 payments match their events.\n',
    stderr: '',
  });
});

test('log:verify --json prints the same result for a program', () => {
  folder.tamper(editBody(5, '123.40', '12.340'));
  const { status, stdout } = run('--json', folder.file);
  expect(status).toBe(1);
  expect(JSON.parse(stdout)).toEqual({
    file: folder.file,
    right: false,
    events: 8,
    payments: 2,
    problems: [{ kind: 'chain', at: 'event 5', message: expect.stringContaining('changed') }],
    failure: null,
  });
});

test('log:verify --language prints the same result in German', () => {
  folder.tamper(editBody(5, '123.40', '12.340'));
  const { status, stdout } = run('--language', 'de', folder.file);
  expect(status).toBe(1);
  expect(stdout).toContain('chain: Ereignis 5: Dieses oder das vorherige Ereignis wurde geändert');
  expect(stdout).toMatch(/^FEHLERHAFT: \d+ Fehler in 8 Ereignissen und 2 Zahlungen\.$/m);
});

test('evidence cannot be edited by accident', () => {
  const database = new Database(folder.file);
  expect(() => database.exec('UPDATE event SET agent = 1')).toThrow('evidence is never edited');
  expect(() => database.exec('DELETE FROM event')).toThrow('evidence is never deleted');
  database.close();
});

/** Damage by a tool for databases, and what is reported. */
const damages = `
    another time when it happened | UPDATE event SET happened_at = happened_at + 1 WHERE seq = 5 | chain event 5
    another time when it was recorded | UPDATE event SET recorded_at = recorded_at + 1 WHERE seq = 5 | chain event 5
    a changed byte of a body | UPDATE event SET "values" = replace("values", '123.40', '12.340') WHERE seq = 5 | chain event 5
    another agent | UPDATE event SET agent = 'Eve' WHERE seq = 5 | chain event 5
    another dedupe key | UPDATE event SET dedupe_key = 'another' WHERE seq = 5 | chain event 5
    another payment id | UPDATE event SET payment_id = 'another' WHERE seq = 5 | chain event 5
    another hash | UPDATE event SET hash = x'00' WHERE seq = 5 | chain event 5
    another kind | UPDATE event SET kind = 'note.added' WHERE seq = 5 | chain event 5
    another shape | UPDATE event SET shape = 1 WHERE seq = 5 | chain event 5
    another order | UPDATE event SET payment = 3 WHERE seq = 5 | chain event 5
    a word changed in a shared shape | UPDATE shape SET text = replace(text, '"success"', '"x"') | chain event 5
    an order with another number | UPDATE payment SET order_number = 'CF-9' WHERE id = 1 | chain event 1, chain event 5
    an order of another profile | UPDATE payment SET profile_id = 'live' WHERE id = 1 | chain event 1, chain event 5
    a missing order | DELETE FROM payment WHERE id = 3 | chain table event
    a removed row, at the next event | DELETE FROM event WHERE seq = 4 | chain event 5
    a removed end, by the recorded end | DELETE FROM event WHERE seq = 8 | head installation console-1
    exchanged rows | UPDATE event SET seq = 100 WHERE seq = 6; UPDATE event SET seq = 6 WHERE seq = 7; UPDATE event SET seq = 7 WHERE seq = 100 | chain event 6, chain event 7
    missing personal details without an amendment | DELETE FROM personal WHERE event = 1 | chain event 1
    changed personal details | UPDATE personal SET "values" = replace("values", 'Jane', 'Joan') | chain event 1
    personal details of no event | INSERT INTO personal VALUES (99, x'00', '["a left over name"]') | chain table personal
    an order without an event | INSERT INTO payment VALUES (99, 'sandbox', 'CF-9') | chain table payment
    a shape without an event | INSERT INTO shape (text) VALUES ('{}') | chain table shape
    an inserted row | CREATE TEMP TABLE copy AS SELECT * FROM event WHERE seq = 7; UPDATE copy SET seq = 9, id = randomblob(16); INSERT INTO event SELECT * FROM copy | chain event 9`;
test.each(tableOf(damages))('log:verify reports evidence with %s', (_what, damage = '', found = '') => {
  folder.tamper(damage);
  expect(problems()).toEqual(expect.arrayContaining(found.split(', ')));
});

test('after personal details were erased with an amendment the chain verifies', async () => {
  const log = await folder.open('console-1', withoutList);
  const [first] = await log.events('sandbox', 'CF-1001');
  await log.append([
    draft('amended', hour, { events: [first?.id ?? ''], reason: 'retention' }, { orderNumber: 'CF-1001' }),
  ]);
  await log.close();
  folder.tamper('DELETE FROM personal WHERE event = 1');
  expect(problems().filter(problem => problem.startsWith('chain'))).toEqual([]);
  const again = await folder.open('console-1', withoutList);
  const [erased] = await again.events('sandbox', 'CF-1001');
  expect(erased?.kind === 'session.requested' && erased.body.customer).toEqual({ name: '', email: '' });
});

test('log:verify works while the console has the log open and writes', async () => {
  const log = await folder.open('console-1', withoutList);
  await log.append([note(hour, 'while verifying')]);
  expect(problems()).toEqual([]);
  expect(await log.append([note(hour, 'and after')])).toMatchObject({ ok: true });
});

test('the console verifies with progress, and reports the same problems', async () => {
  folder.tamper(editBody(3, 'chair', 'table'));
  const log = await folder.open('console-1', withoutList);
  const steps: [number, number][] = [];
  const report = await log.verify((done, total) => steps.push([done, total]));
  expect(problemsAt(report)).toEqual(problems());
  expect(steps.at(-1)).toEqual([8, 8]);
});

test('the console verifies a log of several megabytes in parts, with the same report', async () => {
  const log = await folder.open('console-1', withoutList);
  for (let order = 0; order < 90; order += 1)
    await log.append([
      callback(order, 'sale', 'success', { comment: randomBytes(30_000).toString('hex') }, undefined, {
        orderNumber: `LONG-${order}`,
      }),
    ]);
  await log.close();
  expect(statSync(folder.file).size).toBeGreaterThan(4_000_000);
  folder.tamper(editBody(3, 'chair', 'table'));
  const again = await folder.open('console-1', withoutList);
  const steps: [number, number][] = [];
  const report = await again.verify((done, total) => steps.push([done, total]));
  expect(report).toMatchObject({ events: 98, payments: 92 });
  expect(problemsAt(report)).toEqual(problems());
  expect(steps.at(-1)).toEqual([98, 98]);
});

test('one byte changed in the file itself is found, at any position of the evidence', () => {
  const bytes = readFileSync(folder.file);
  const copy = `${folder.file}.copy`;
  for (const text of ['Blue chair', 'CF-1001', 'jane@example.com', 'A1B2C3', 'Ada', 'sandbox']) {
    let found = 0;
    for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) {
      found += 1;
      copyFileSync(folder.file, copy);
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 0x01;
      writeFileSync(copy, changed);
      expect(problems(copy)).not.toEqual([]);
    }
    expect(found).toBeGreaterThan(0);
  }
});

test('a damaged page is reported, not thrown', () => {
  const bytes = readFileSync(folder.file);
  bytes.fill(0x7f, 4096, 8192);
  writeFileSync(folder.file, bytes);
  const { status, stdout } = run(folder.file);
  expect(status).toBe(1);
  expect(stdout).toContain('damaged');
});

test.each([
  ['two files', ['one.db', 'two.db']],
  ['a folder', ['/tmp']],
])('log:verify with %s exits with 2 and prints the usage', (_what, args) => {
  expect(run(...args)).toMatchObject({
    status: 2,
    stdout: '',
    stderr: expect.stringContaining('Usage: log-verify'),
  });
});

const foreign = `
    a trigger | CREATE TRIGGER keep BEFORE DELETE ON personal BEGIN SELECT RAISE(IGNORE); END | trigger keep
    a view | CREATE VIEW peek AS SELECT * FROM personal | view peek
    a table | CREATE TABLE stolen (text TEXT) | table stolen
    an index | CREATE INDEX odd ON event (agent) | index odd
    a changed trigger | DROP TRIGGER event_stays; CREATE TRIGGER event_stays BEFORE UPDATE ON event WHEN 0 BEGIN SELECT RAISE(ABORT, 'no'); END | trigger event_stays
    an additional column | ALTER TABLE shape ADD COLUMN more TEXT | table shape`;

test.each(tableOf(foreign))(
  '%s that Counterfoil did not create is reported, and such a log is not opened',
  async (_what, sql = '', at) => {
    const database = new Database(folder.file);
    database.exec(sql);
    database.close();
    expect(problems()).toContain(`schema ${at}`);
    expect(await startWriter(folder.file)).toMatchObject({
      type: 'refused',
      error: { code: 'log.altered' },
    });
  },
);

test('A missing index or trigger is reported, and created again when the log is opened', async () => {
  const database = new Database(folder.file);
  database.exec('DROP INDEX event_dedupe; DROP TRIGGER event_remains;');
  database.close();
  expect(problems()).toEqual(
    expect.arrayContaining(['index index event_dedupe', 'index trigger event_remains']),
  );
  expect(await startWriter(folder.file)).toEqual({ type: 'ready' });
  expect(problems()).toEqual([]);
});
