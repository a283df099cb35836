import type { LeftOut, LeftOutProblem } from '../../../shared/team/replica-standing.ts';
import type { EventPlace } from '../answers.ts';
import type { LogDatabase } from '../sqlite/store/database.ts';

/** The statements with which a replica is written. */

/** The part of a chain that a replica has: numbers `low` to `high`; `hash`: the link of the last one. */
export type Held = { writer: string; low: number; high: number; hash: string };

/** A chain, and where it ends in the replica. */
export type Chain = { id: number; name: string; seq: number; hash: string };
type Low = { low: number; content: string; hash: string };
type Place = { seq: number; payment: number; id: Buffer };
/** An order of which the shared log may have older events. */
export type UnfinishedOrder = { payment: number; profileId: string; orderNumber: string };

export const replicaStatements = (database: LogDatabase) => ({
  chains: database.prepare<[], Held>(
    `SELECT w.name AS writer, h.low, w.last_seq AS high, w.last_hash AS hash FROM held h JOIN writer w ON w.id = h.writer`,
  ),
  findChain: database.prepare<[string], Chain>(
    'SELECT id, name, last_seq AS seq, last_hash AS hash FROM writer WHERE name = ?',
  ),
  addChain: database.prepare<[string, string], Chain>(
    `INSERT INTO writer (name, last_seq, last_hash) VALUES (?, 0, ?)
     RETURNING id, name, last_seq AS seq, last_hash AS hash`,
  ),
  setEnd: database.prepare<[number, string, number]>(
    'UPDATE writer SET last_seq = ?, last_hash = ? WHERE id = ?',
  ),
  findLow: database.prepare<[number], Low>(
    'SELECT low, low_content AS content, low_hash AS hash FROM held WHERE writer = ?',
  ),
  setLow: database.prepare<[number, number, string, string]>(
    `INSERT INTO held VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET
       low = excluded.low, low_content = excluded.low_content, low_hash = excluded.low_hash`,
  ),
  leaveOut: database.prepare<[number, number, LeftOutProblem, string]>(
    'INSERT OR REPLACE INTO left_out VALUES (?, ?, ?, ?)',
  ),
  leftOut: database.prepare<[], LeftOut>(
    `SELECT w.name AS writer, l.problem, count(*) AS events FROM left_out l JOIN writer w ON w.id = l.writer
     GROUP BY w.name, l.problem`,
  ),
  shapeOf: database.prepare<[string], number>('SELECT id FROM shape WHERE text = ?').pluck(),
  addShape: database.prepare<[string], number>('INSERT INTO shape (text) VALUES (?) RETURNING id').pluck(),
  insert: database.prepare<(number | string | Buffer | null)[]>(
    'INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  ),
  insertPersonal: database.prepare<[number, Buffer, string]>('INSERT INTO personal VALUES (?, ?, ?)'),
  findPayment: database
    .prepare<[string | null, string], number>(
      'SELECT id FROM payment WHERE order_number IS ? AND profile_id = ?',
    )
    .pluck(),
  paymentKeyOf: database.prepare<[number], { profileId: string; orderNumber: string | null }>(
    'SELECT profile_id AS profileId, order_number AS orderNumber FROM payment WHERE id = ?',
  ),
  addPayment: database.prepare<[number, string, string | null]>('INSERT INTO payment VALUES (?, ?, ?)'),
  moveEvents: database.prepare<[number, number]>('UPDATE event SET payment = ? WHERE payment = ?'),
  movePayment: database.prepare<[number, number]>('UPDATE payment SET id = ? WHERE id = ?'),
  dropPayment: database.prepare<[number]>(
    'DELETE FROM payment WHERE id = ? AND NOT EXISTS (SELECT 1 FROM event WHERE payment = payment.id)',
  ),
  queue: database.prepare<[number]>('INSERT OR IGNORE INTO unfinished VALUES (?)'),
  unfinished: database.prepare<[number], UnfinishedOrder>(
    `SELECT u.payment, p.profile_id AS profileId, p.order_number AS orderNumber
     FROM unfinished u JOIN payment p ON p.id = u.payment ORDER BY u.payment DESC LIMIT ?`,
  ),
  finish: database.prepare<[number]>('DELETE FROM unfinished WHERE payment = ?'),
  paymentsBetween: database.prepare<[number, number, number], { id: number; isOrder: number; last: number }>(
    `SELECT id, order_number IS NOT NULL AS isOrder,
       (SELECT max(seq) FROM event INDEXED BY event_payment WHERE payment = payment.id) AS last
     FROM payment WHERE id > ? AND id < ? ORDER BY id LIMIT ?`,
  ),
  dropPersonalBefore: database.prepare<[number, number]>(
    'DELETE FROM personal WHERE event IN (SELECT seq FROM event INDEXED BY event_payment WHERE payment = ? AND seq < ?)',
  ),
  dropEventsBefore: database.prepare<[number, number]>('DELETE FROM event WHERE payment = ? AND seq < ?'),
  prunedTo: database.prepare<[], number>('SELECT pruned_to FROM state').pluck(),
  notePruned: database.prepare<[number]>('UPDATE state SET pruned_to = ?'),
  isBounded: database.prepare<[], number>('SELECT months IS NOT NULL FROM state').pluck(),
  countOf: database
    .prepare<[number, number], number>(
      'SELECT count(*) FROM event INDEXED BY event_payment WHERE payment = ? AND writer = ?',
    )
    .pluck(),
  // An event that was taken out leaves its position to its payment.
  isUsed: database
    .prepare<[number, number], number>(
      'SELECT 1 FROM event WHERE seq = ? UNION ALL SELECT 1 FROM payment WHERE id = ?',
    )
    .pluck(),
  findEvent: database.prepare<[number, number], Place>(
    'SELECT seq, payment, id FROM event WHERE writer = ? AND writer_seq = ?',
  ),
  isHere: database
    .prepare<[number, number, number, number], number>(
      `SELECT 1 FROM event WHERE writer = ? AND writer_seq = ?
       UNION ALL SELECT 1 FROM left_out WHERE writer = ? AND writer_seq = ?`,
    )
    .pluck(),
  dropEvent: database.prepare<[number]>('DELETE FROM event WHERE seq = ?'),
  dropPersonal: database.prepare<[number]>('DELETE FROM personal WHERE event = ?'),
  dropNamed: database.prepare<[number, number, Buffer | null]>(
    `DELETE FROM personal WHERE event IN
       (SELECT seq FROM event INDEXED BY event_payment WHERE payment = ? AND writer = ? AND id = ?)`,
  ),
  noteCurrent: database.prepare<[number]>('UPDATE state SET current_at = max(current_at, ?)'),
  noteWords: database.prepare<[number]>('UPDATE state SET words_left = ?'),
  noteLevel: database.prepare<[number]>('UPDATE state SET level_at = ?'),
  levelAt: database.prepare<[], number | null>('SELECT level_at FROM state').pluck(),
  wordsLeft: database.prepare<[], number>('SELECT words_left FROM state').pluck(),
  namedElsewhere: database.prepare<[number, number, Buffer | null], EventPlace>(
    `SELECT w.name AS writer, e.writer_seq AS writerSeq FROM event e INDEXED BY event_payment
       JOIN writer w ON w.id = e.writer JOIN personal p ON p.event = e.seq
     WHERE e.payment = ? AND e.writer <> ? AND e.id = ?`,
  ),
});
