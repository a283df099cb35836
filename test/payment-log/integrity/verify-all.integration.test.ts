import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { openForReading, openForWriting } from '../../../main/payment-log/sqlite/store/database.ts';
import { auditParts } from '../../../main/payment-log/sqlite/integrity/audit-parts.ts';
import { auditLog } from '../../../main/payment-log/sqlite/integrity/audit.ts';
import { accepted, callback, note, requested, start } from '../../../tools/evidence/evidence.ts';
import { startWriter } from '../../../tools/app-harness/closed-log.ts';
import { logFolder } from '../../../tools/app-harness/running-payment-log.ts';
import { copiedLog, problemsAt } from './copied-log.ts';

/** Verification beyond the chain: schema and orphaned rows. */

const folder = copiedLog(async written => {
  const log = await written.open();
  await log.append([requested(0, { customer: { name: 'Jane Quillfeather' } }), accepted()]);
  await log.append([callback(60_000, 'sale', 'success'), note(90_000, 'called', { orderNumber: 'CF-1002' })]);
  await log.append([requested(0, { idempotencyKey: crypto.randomUUID() }, { orderNumber: 'CF-1003' })]);
  await log.close();
});

/** The problems of the file, each as `kind at`. */
const problems = (): string[] => {
  const opened = openForReading(folder.file);
  if (!opened.ok) return [opened.error.code];
  const found = auditParts(1).flatMap(part => problemsAt(auditLog(opened.value, part)));
  opened.value.close();
  return found;
};

test('An unchanged log has no problem', () => {
  expect(problems()).toEqual([]);
});

describe('the schema', () => {
  const foreign = [
    [
      'a trigger',
      'CREATE TRIGGER keep BEFORE DELETE ON personal BEGIN SELECT RAISE(IGNORE); END',
      'trigger keep',
    ],
    ['a view', 'CREATE VIEW peek AS SELECT * FROM personal', 'view peek'],
    ['a table', 'CREATE TABLE stolen (text TEXT)', 'table stolen'],
    ['an index', 'CREATE INDEX odd ON event (agent)', 'index odd'],
    [
      'a changed trigger',
      `DROP TRIGGER event_stays;
       CREATE TRIGGER event_stays BEFORE UPDATE ON event WHEN 0 BEGIN SELECT RAISE(ABORT, 'no'); END`,
      'trigger event_stays',
    ],
    ['an additional column', 'ALTER TABLE shape ADD COLUMN more TEXT', 'table shape'],
  ] as const;

  test.each(foreign)(
    '%s that Counterfoil did not create is reported, and such a log is not opened',
    async (_what, sql, at) => {
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
});

describe('orphaned rows', () => {
  test.each([
    ['personal details', `INSERT INTO personal VALUES (99, x'00', '["a left over name"]')`, 'table personal'],
    ['an order', "INSERT INTO payment VALUES (99, 'sandbox', 'CF-9')", 'table payment'],
    ['a shape', "INSERT INTO shape (text) VALUES ('{}')", 'table shape'],
  ])('%s without an event is reported', (_what, sql, at) => {
    folder.tamper(sql);
    expect(problems()).toContain(`chain ${at}`);
  });
});

test('Evidence from a day with a wrong clock is erased as soon as other evidence', async () => {
  const { logWriter } = await import('../../../main/payment-log/sqlite/store/writer.ts');
  const fresh = logFolder();
  const opened = openForWriting(fresh.file);
  if (!opened.ok) throw new Error(opened.error.code);
  const day = 86_400_000;
  let now = start;
  const writer = logWriter(opened.value, 'console-1', () => now);
  const write = (number: string, at: number): void => {
    now = at;
    writer.write([
      [
        {
          ...requested(
            0,
            { customer: { name: 'Jane' }, idempotencyKey: crypto.randomUUID() },
            { orderNumber: number },
          ),
          happenedAt: at,
        },
      ],
    ]);
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
  const left = opened.value
    .prepare(
      `SELECT p.order_number FROM personal s JOIN event e ON e.seq = s.event JOIN payment p ON p.id = e.payment`,
    )
    .pluck()
    .all();
  opened.value.close();
  await fresh.remove();
  expect(left).toEqual(['later']);
});
