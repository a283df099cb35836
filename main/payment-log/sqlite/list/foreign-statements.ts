import type { LeftOut, LeftOutProblem } from '../../../../shared/team/team-standing.ts';
import type { EventPlace } from '../../answers.ts';
import type { LogDatabase } from '../store/database.ts';

/** The statements with which the chains of other installations are written into a list. */

/** The part of a chain that is here: numbers `low` to `high`; `hash`: the link of the last one. */
export type Held = { writer: string; low: number; high: number; hash: string };

/** A chain, and where it ends here. */
export type Chain = {
  id: number;
  name: string;
  account: string;
  seq: number;
  hash: string;
  at: number;
};
type Low = { low: number; content: string; hash: string };
type Stored = { seq: number; payment: number; id: Buffer };

const chainColumns = 'id, name, account, last_seq AS seq, last_hash AS hash, last_at AS at';

export const foreignStatements = (database: LogDatabase) => ({
  chains: database.prepare<[], Held>(
    `SELECT w.name AS writer, h.low, w.last_seq AS high, w.last_hash AS hash FROM held h JOIN writer w ON w.id = h.writer`,
  ),
  findChain: database.prepare<[string], Chain>(`SELECT ${chainColumns} FROM writer WHERE name = ?`),
  setAccount: database.prepare<[string, string]>('UPDATE writer SET account = ? WHERE name = ?'),
  setEnd: database.prepare<[number, string, number]>(
    'UPDATE writer SET last_seq = ?, last_hash = ? WHERE id = ?',
  ),
  setAt: database.prepare<[number, number]>('UPDATE writer SET last_at = max(last_at, ?) WHERE id = ?'),
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
  lastEvent: database.prepare<[], number>('SELECT coalesce(max(seq), 0) FROM event').pluck(),
  insert: database.prepare<(number | string | Buffer | null)[]>(
    'INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  ),
  insertPersonal: database.prepare<[number, Buffer, string]>('INSERT INTO personal VALUES (?, ?, ?)'),
  /** The events of an account in an order, and their size. */
  usedBy: database.prepare<[number, string], { events: number; chars: number }>(
    `SELECT count(*) AS events, coalesce(sum(length(e."values")), 0) AS chars
     FROM event e INDEXED BY event_payment JOIN writer w ON w.id = e.writer WHERE e.payment = ? AND w.account = ?`,
  ),
  findEvent: database.prepare<[number, number], Stored>(
    'SELECT seq, payment, id FROM event WHERE writer = ? AND writer_seq = ?',
  ),
  orderOf: database.prepare<[number], { profileId: string; orderNumber: string | null }>(
    'SELECT profile_id AS profileId, order_number AS orderNumber FROM payment WHERE id = ?',
  ),
  dropEvent: database.prepare<[number]>('DELETE FROM event WHERE seq = ?'),
  dropPersonal: database.prepare<[number]>('DELETE FROM personal WHERE event = ?'),
  dropNamed: database.prepare<[number, number, Buffer | null]>(
    `DELETE FROM personal WHERE event IN
       (SELECT seq FROM event INDEXED BY event_payment WHERE payment = ? AND writer = ? AND id = ?)`,
  ),
  /** The orders of a chain. */
  ordersOf: database.prepare<[number], { profileId: string; orderNumber: string | null }>(
    `SELECT DISTINCT p.profile_id AS profileId, p.order_number AS orderNumber
     FROM event e JOIN payment p ON p.id = e.payment WHERE e.writer = ?`,
  ),
  dropChainPersonal: database.prepare<[number]>(
    'DELETE FROM personal WHERE event IN (SELECT seq FROM event WHERE writer = ?)',
  ),
  dropChainEvents: database.prepare<[number]>('DELETE FROM event WHERE writer = ?'),
  dropChainLeftOut: database.prepare<[number]>('DELETE FROM left_out WHERE writer = ?'),
  dropHeld: database.prepare<[number]>('DELETE FROM held WHERE writer = ?'),
  clearChain: database.prepare<[string, number]>(
    'UPDATE writer SET last_seq = 0, last_hash = ?, last_at = 0 WHERE id = ?',
  ),
  noteCurrent: database.prepare<[number]>('UPDATE state SET current_at = max(current_at, ?)'),
  noteLevel: database.prepare<[number]>('UPDATE state SET level_at = ?'),
  levelAt: database.prepare<[], number | null>('SELECT level_at FROM state').pluck(),
  namedElsewhere: database.prepare<[number, number, Buffer | null], EventPlace>(
    `SELECT w.name AS writer, e.writer_seq AS writerSeq FROM event e INDEXED BY event_payment
       JOIN writer w ON w.id = e.writer JOIN personal p ON p.event = e.seq
     WHERE e.payment = ? AND e.writer <> ? AND e.id = ?`,
  ),
});
