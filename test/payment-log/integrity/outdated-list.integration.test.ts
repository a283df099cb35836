import { describe, expect, test } from 'vitest';
import { startWriter, verifyClosedLog, writeClosedLog } from '../../../tools/app-harness/closed-log.ts';
import { accepted, callback, draft, note, requested } from '../../../tools/evidence/evidence.ts';
import { copiedLog, problemsAt } from './copied-log.ts';

/** A list that counts as outdated: every table must show each payment as it was after one earlier event. */

const folder = copiedLog(async written => {
  await writeClosedLog(written.file, [
    requested(0, { customer: { name: 'Ada King', email: 'ada@shop.example' } }),
    accepted(),
    callback(60_000, 'sale', 'success', { order_amount: '1.00' }),
    draft('review.assigned', 70_000, { assignee: 'Ada' }),
    draft('customer.joined', 75_000, { otherOrder: 'CF-2' }),
    callback(80_000, 'sale', 'success', { order_number: 'CF-2' }, undefined, { orderNumber: 'CF-2' }),
    ...Array.from({ length: 120 }, (_, index) => note(index, `call ${index}`, { orderNumber: 'CF-3' })),
  ]);
});

const problems = (): string[] => problemsAt(verifyClosedLog(folder.file));

test('A list that counts as outdated and shows the newest state has no problem', () => {
  folder.tamper('UPDATE projection SET through = 1');
  expect(problems()).toEqual([]);
});

describe('While the list counts as outdated', () => {
  const first = 'order CF-1001 of sandbox';
  const ofSecond = "FROM payment WHERE order_number = 'CF-2'";
  test.each([
    ['missing issues are', 'DELETE FROM payment_flag', first],
    ['missing payment IDs are', 'DELETE FROM payment_id', first],
    ['missing movements are', 'DELETE FROM movement', 'order CF-2 of sandbox'],
    ['a missing review is', 'DELETE FROM review', first],
    ['another assignee is', "UPDATE review SET assignee = 'Eve'", first],
    ['missing details of customers are', 'DELETE FROM customer_key', first],
    ['a missing join of customers is', 'DELETE FROM customer_join', first],
    [
      'a false detail of a customer is',
      `INSERT INTO customer_key SELECT '!false', id ${ofSecond}`,
      'table customer_key',
    ],
    [
      'a false join of customers is',
      `INSERT INTO customer_join SELECT 'x', id, profile_id, 'CF-3', 'Eve', 1 ${ofSecond}`,
      'table customer_join',
    ],
    [
      'a false issue is',
      `INSERT INTO payment_flag SELECT 'settled-twice', id ${ofSecond}`,
      'table payment_flag',
    ],
    ['a false payment ID is', `INSERT INTO payment_id SELECT 'false', id ${ofSecond}`, 'table payment_id'],
    [
      'a false movement is',
      "INSERT INTO movement SELECT 7, id, 0, 0, 0, 0, 0 FROM payment WHERE order_number = 'CF-3'",
      'table movement',
    ],
    ['missing search words are', 'DELETE FROM word', first],
    ['a false search word is', `INSERT INTO word SELECT 'mallory', id ${ofSecond}`, 'table word'],
    [
      'a false review is',
      `INSERT INTO review SELECT id, profile_id, 'Eve', NULL, NULL ${ofSecond}`,
      'table review',
    ],
    ['a false amount is', 'UPDATE listed SET amount = 5 WHERE payment = 1', first],
    [
      'a false row of a payment with many events is',
      `UPDATE listed SET "row" = replace("row", 'CF-3', 'CF-9')`,
      'order CF-3 of sandbox',
    ],
    ['a row that is no JSON is', `UPDATE listed SET "row" = '?' WHERE payment = 1`, first],
  ])(
    'while the list counts as outdated %s reported, and made right by the next start',
    async (_what, sql, at) => {
      folder.tamper('UPDATE projection SET through = 1', sql);
      expect(problems()).toContain(`projection ${at}`);
      expect(await startWriter(folder.file)).toEqual({ type: 'ready' });
      expect(problems()).toEqual([]);
    },
  );

  test('a row that is older than the list claims to be is reported', () => {
    folder.tamper(
      'UPDATE projection SET through = 100',
      `UPDATE listed SET "row" = replace("row", ',120,', ',20,') WHERE payment = 7`,
    );
    expect(problems()).toContain('projection order CF-3 of sandbox');
  });
});

/** What versions 10 and 11 added. */
const beforeOperations = [
  'DROP TABLE customer_key',
  'DROP TABLE customer_join',
  'DROP TABLE word',
  'DROP INDEX event_operation',
  'DROP TABLE movement',
  `CREATE TABLE movement (
    at INTEGER NOT NULL,
    payment INTEGER NOT NULL,
    PRIMARY KEY (at, payment)
  ) STRICT, WITHOUT ROWID`,
];

test.each([
  [10, ['DROP TABLE customer_key', 'DROP TABLE customer_join', 'DROP TABLE word']],
  [9, beforeOperations],
  [8, beforeOperations],
  [7, [...beforeOperations, 'DROP TABLE amended_elsewhere']],
])('A falsified list of a log of version %i is rebuilt when it is opened', async (version, changes) => {
  const falsify = `UPDATE listed SET amount = 5, "row" = replace("row", '123.40', '999.40')`;
  folder.tamper(falsify, 'DELETE FROM payment_flag', ...changes, `PRAGMA user_version = ${version}`);
  expect(problems()).toEqual([]);
  expect(await startWriter(folder.file)).toEqual({ type: 'ready' });
  expect(problems()).toEqual([]);
});

test('Personal details that are missing under an amendment that its own chain lacks are reported', async () => {
  await writeClosedLog(folder.file, [
    requested(
      0,
      { customer: { name: 'Jane' }, idempotencyKey: crypto.randomUUID() },
      { orderNumber: 'CF-4' },
    ),
  ]);
  folder.tamper(
    'INSERT INTO amended_elsewhere SELECT event, writer.name, 2 FROM personal, writer',
    'DELETE FROM personal',
  );
  expect(problems()).toContain('chain event 127');
});
