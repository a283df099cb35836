import type { Event } from '../../../../shared/payments/evidence.ts';
import { msg, type Message } from '../../../../shared/messages/message.ts';
import type { ProblemPlace } from '../../../../shared/messages/problem-place.ts';
import type { Problem } from './check-chain.ts';
import { isOlder, type LogDatabase } from '../store/database.ts';
import { differences, type StoredRow } from '../../projection/differences.ts';
import { dayOf, project, type MovedAt } from '../../projection/project.ts';
import type { ProjectedJoin } from '../../projection/customer-keys.ts';
import { correctableWords } from '../../../../shared/search-query/correctable.ts';
import { readRowContent } from '../store/side-tables.ts';
import type { StoredEvent } from '../store/stored-event.ts';

/** One event of a payment that counts, by its number in the log. */
export type CountedEvent = { seq: number; event: Event };

/**
 * The events that a stored row shows: all, or for a list that is behind those up to an earlier one, which the row names
 * by their number. A row must show the events up to `through`; other rows are compared with all events.
 */
const shownEvents = (
  stored: StoredRow | undefined,
  events: readonly CountedEvent[],
  through: number,
): Event[] => {
  const least = events.filter(({ seq }) => seq <= through).length;
  const named = stored === undefined ? least : readRowContent(stored.row)?.events;
  const count = Number.isSafeInteger(named) && Number(named) >= least ? named : events.length;
  return events.slice(0, count).map(({ event }) => event);
};

/** Payments by number: the first excluded, the last included. */
export type Range = { after: number; until: number };

export type ProjectionCheck = {
  /** Prepares the payments of a range. */
  enter(range: Range): void;
  /** Rebuilds one payment from its events (null if one is unreadable) and compares it with the tables. */
  payment(rows: readonly StoredEvent[], events: readonly CountedEvent[] | null): void;
  /** Compares the tables' totals with the rebuilt payments; returns the number of payments. */
  end(): number;
};

/**
 * Checks the projection's tables for payments of a range. If the projection has not processed all events of a
 * payment, all tables must show the same earlier state: they may be behind, never wrong. An older log's projection is
 * not checked, since it is rebuilt when the log is opened. Every method throws SQLite errors.
 */
export const projectionCheck = (
  database: LogDatabase,
  { after, until }: Range,
  reportProblem: (problem: Problem) => void,
): ProjectionCheck => {
  const stale = (at: ProblemPlace, message: Message): void =>
    reportProblem({ kind: 'projection', at, message });
  const older = isOlder(database);
  const storedRowOf = older
    ? null
    : database.prepare<[number, number], StoredRow>(
        `SELECT l.payment, f.profile_id AS profileId, f.state, f.currency, f.flagged, f.resolved, f.timed,
           l.first_at AS firstAt, l.runs_out_at AS runsOutAt, l.agent, l.amount, l.paid_after AS paidAfter,
           l.paid, l.returned, l.uncounted, l.checked_days AS checkedDays, l."row" AS row, l.words
         FROM listed l JOIN facet f ON f.id = l.facet WHERE l.payment > ? AND l.payment <= ?`,
      );
  const has = (sql: string) => database.prepare<[string | number, number], number>(sql).pluck();
  const hasFlag = has('SELECT 1 FROM payment_flag WHERE flag = ? AND payment = ?');
  const hasPaymentId = has('SELECT 1 FROM payment_id WHERE payment_id = ? AND payment = ?');
  // An older log may not have this table yet.
  const hasMovement = older
    ? null
    : database
        .prepare<number[], number>(
          `SELECT 1 FROM movement WHERE at = ? AND payment = ? AND paid = ? AND refunded = ? AND voided = ?
             AND disputed = ? AND uncounted = ?`,
        )
        .pluck();
  const hasReview = older
    ? null
    : database
        .prepare<[number, string, string | null, number | null, number | null], number>(
          `SELECT 1 FROM review WHERE payment = ? AND profile_id = ? AND assignee IS ? COLLATE BINARY
             AND snoozed_until IS ? AND resolved_at IS ?`,
        )
        .pluck();
  const hasCustomerKey = older ? null : has('SELECT 1 FROM customer_key WHERE key = ? AND payment = ?');
  const hasJoin = older
    ? null
    : database
        .prepare<[string, number, string, string, string, number], number>(
          `SELECT 1 FROM customer_join WHERE event = ? AND payment = ? AND profile_id = ? AND other_order = ?
             AND agent = ? AND at = ?`,
        )
        .pluck();
  const hasWord = older
    ? null
    : database.prepare<[string], number>('SELECT 1 FROM word WHERE word = ?').pluck();
  const days = new Map(
    database
      .prepare<[], { day: number; low: number; high: number }>('SELECT day, low, high FROM day')
      .all()
      .map(one => [one.day, one]),
  );
  const count = (sql: string, ...values: number[]): number =>
    database
      .prepare<number[], number>(sql)
      .pluck()
      .get(...values) ?? 0;
  const through = older ? -1 : count('SELECT through FROM projection');

  let payments = 0;
  let entered = new Map<number, StoredRow>();
  const expected = {
    listed: 0,
    payment_flag: 0,
    payment_id: 0,
    movement: 0,
    review: 0,
    customer_key: 0,
    customer_join: 0,
  };

  return {
    enter: range => {
      const held = storedRowOf?.all(range.after, range.until) ?? [];
      entered = new Map(held.map(stored => [stored.payment, stored]));
    },
    payment: (rows, events) => {
      const first = rows[0];
      const last = rows.at(-1);
      if (!first || !last || first[6] === null) return;
      const payment = first[4];
      payments += 1;
      const at: ProblemPlace = { kind: 'order', order: first[6], profile: first[5] };
      if (first[0] !== payment)
        stale(at, msg('integrity.payment.number', { event: first[0], number: payment }));
      if (older) return;
      if (events === null) return stale(at, msg('integrity.payment.unreadable'));
      const stored = entered.get(payment);
      if (stored === undefined && first[0] > through) return;
      const shown =
        last[0] > through ? shownEvents(stored, events, through) : events.map(({ event }) => event);
      const rebuilt = shown.length === 0 ? null : project(shown);
      if (rebuilt === null) {
        payments -= 1;
        if (stored) stale(at, msg('integrity.payment.unconfirmed'));
        return;
      }
      expected.listed += 1;
      expected.payment_flag += rebuilt.flags.length;
      expected.payment_id += rebuilt.paymentIds.length;
      expected.movement += rebuilt.movedAt.length;
      if (rebuilt.review) expected.review += 1;
      expected.customer_key += rebuilt.customerKeys.length;
      expected.customer_join += rebuilt.joins.length;
      if (!stored) return stale(at, msg('integrity.payment.unlisted'));
      const fields = differences(stored, rebuilt);
      if (rebuilt.flags.some(flag => hasFlag.get(flag, payment) === undefined)) fields.push('payment_flag');
      if (rebuilt.paymentIds.some(id => hasPaymentId.get(id, payment) === undefined))
        fields.push('payment_id');
      const isMissing = ({ at, paid, refunded, voided, disputed, uncounted }: MovedAt): boolean =>
        hasMovement?.get(at, payment, paid, refunded, voided, disputed, uncounted) === undefined;
      if (rebuilt.moved.some(isMissing)) fields.push('movement');
      if (rebuilt.review && hasReview) {
        const { assignee, snoozedUntil, resolvedAt } = rebuilt.review;
        const args = [payment, rebuilt.profileId, assignee, snoozedUntil, resolvedAt] as const;
        if (hasReview.get(...args) === undefined) fields.push('review');
      }
      if (rebuilt.customerKeys.some(key => hasCustomerKey?.get(key, payment) === undefined))
        fields.push('customer_key');
      const isJoinMissing = ({ event, otherOrder, agent, at: joinedAt }: ProjectedJoin): boolean =>
        hasJoin?.get(event, payment, rebuilt.profileId, otherOrder, agent, joinedAt) === undefined;
      if (rebuilt.joins.some(isJoinMissing)) fields.push('customer_join');
      if (correctableWords(rebuilt.words).some(word => hasWord?.get(word) === undefined)) fields.push('word');
      const day = days.get(dayOf(rebuilt.firstAt));
      if (!day || payment < day.low || payment > day.high) fields.push('day');
      if (fields.length > 0) stale(at, msg('integrity.payment.differs', { fields: fields.join(', ') }));
    },
    end: () => {
      for (const [table, right] of older ? [] : Object.entries(expected)) {
        const held = count(`SELECT count(*) FROM ${table} WHERE payment > ? AND payment <= ?`, after, until);
        if (held !== right) {
          stale(
            { kind: 'table', name: table },
            msg('integrity.list.entries', { entries: held, expected: right }),
          );
        }
      }
      return payments;
    },
  };
};

/** Compares the running counts with the rows they count. Throws SQLite errors. */
export const checkCounts = (database: LogDatabase, reportProblem: (problem: Problem) => void): void => {
  const wrongCounts =
    database
      .prepare<[], number>(
        'SELECT count(*) FROM facet f WHERE f.n <> (SELECT count(*) FROM listed l WHERE l.facet = f.id)',
      )
      .pluck()
      .get() ?? 0;
  if (wrongCounts > 0)
    reportProblem({
      kind: 'projection',
      at: { kind: 'table', name: 'facet' },
      message: msg('integrity.list.counts', { count: wrongCounts }),
    });
};
