import type { VerifyReport } from '../../../../shared/contract/index.ts';
import { msg, type Message, type MessageKey } from '../../../../shared/messages/message.ts';
import type { ProblemPlace } from '../../../../shared/messages/problem-place.ts';
import { differences, type StoredRow } from '../../projection/differences.ts';
import { dayOf, project, projectionVersion, type Projected } from '../../projection/project.ts';
import type { Connection } from '../connection.ts';
import type { EventReader } from '../stored-events.ts';
import { escapeText, unescapeText } from '../text.ts';
import { keyOf, readEvidence, type Evidence, type ListedOrder } from './payment-evidence.ts';

/** Payments of one request. */
const batchSize = 500;
/** Rows of one request of an index. */
const fetchSize = 5_000;
/** Deadline of a request that reads a whole table, milliseconds. */
const deadlineMs = 10 * 60_000;

type Problem = VerifyReport['problems'][number];
type Review = {
  reviewOf: string | null;
  assignee: string | null;
  snoozedUntil: number | null;
  resolvedAt: number | null;
};
type Stored = StoredRow & Review;

const selectStored = `SELECT l.payment, f.profile_id AS "profileId", f.state, f.currency, f.flagged, f.resolved, f.timed,
    l.first_at AS "firstAt", l.runs_out_at AS "runsOutAt", l.agent, l.amount, l.paid_after AS "paidAfter", l.paid,
    l.returned, l.uncounted, l.checked_days AS "checkedDays", l."row" AS row, s.words, r.profile_id AS "reviewOf",
    r.assignee, r.snoozed_until AS "snoozedUntil", r.resolved_at AS "resolvedAt"
  FROM listed l LEFT JOIN facet f ON f.id = l.facet LEFT JOIN searched s ON s.payment = l.payment
    LEFT JOIN review r ON r.payment = l.payment
  WHERE l.payment = ANY ($1::bigint[])`;

/** The rows of an index of the list, in the order of the payments. */
type IndexRows = {
  /** The values of a payment; asked for in ascending order. */
  of(payment: number): Promise<(string | number)[]>;
};

/** Walks along an index once, inside a transaction: it is sorted otherwise. */
const indexRows = async (connection: Connection, table: string, column: string): Promise<IndexRows> => {
  await connection.query(
    `DECLARE check_${table} NO SCROLL CURSOR FOR SELECT payment, ${column} AS value FROM ${table} ORDER BY payment`,
  );
  let rows: { payment: number; value: string | number }[] = [];
  let at = 0;
  const next = async (): Promise<{ payment: number; value: string | number } | null> => {
    if (at === rows.length) {
      rows = await connection.query(`FETCH ${fetchSize} FROM check_${table}`, [], { deadlineMs });
      at = 0;
    }
    return rows[at] ?? null;
  };
  return {
    of: async payment => {
      const values: (string | number)[] = [];
      for (let row = await next(); row && row.payment <= payment; row = await next()) {
        if (row.payment === payment) values.push(row.value);
        at += 1;
      }
      return values;
    },
  };
};

const isSame = (stored: readonly (string | number)[], rebuilt: readonly (string | number)[]): boolean =>
  stored.length === rebuilt.length && rebuilt.every(value => stored.includes(value));

const textOrNull = (text: string | null): string | null => (text === null ? null : unescapeText(text));
/** A text that is missing only if its table was changed. */
const textOf = (text: string | null): string => textOrNull(text) ?? '';

/** The stored row with texts as they are in the evidence. */
const unescaped = (stored: Stored): Stored => ({
  ...stored,
  profileId: textOf(stored.profileId),
  state: textOf(stored.state),
  currency: textOf(stored.currency),
  agent: textOrNull(stored.agent),
  words: textOf(stored.words),
});

const hasReview = (stored: Stored, { profileId, review }: Projected): boolean =>
  review === null
    ? stored.reviewOf === null
    : stored.reviewOf === escapeText(profileId) &&
      textOrNull(stored.assignee) === review.assignee &&
      stored.snoozedUntil === review.snoozedUntil &&
      stored.resolvedAt === review.resolvedAt;

/** Statements that count what is wrong with a whole table, and their description. */
const tableChecks: readonly (readonly [table: string, key: CountKey, sql: string])[] = [
  [
    'facet_count',
    'integrity.list.counts',
    `SELECT count(*) AS count FROM (SELECT facet, sum(n) AS n FROM facet_count GROUP BY facet) AS c
       FULL JOIN (SELECT facet, count(*) AS n FROM listed GROUP BY facet) AS l USING (facet)
     WHERE coalesce(c.n, 0) <> coalesce(l.n, 0)`,
  ],
  [
    'listed',
    'integrity.orphans.listed',
    `SELECT count(*) AS count FROM listed l WHERE NOT EXISTS (SELECT FROM payment p WHERE p.id = l.payment)
       OR NOT EXISTS (SELECT FROM facet f WHERE f.id = l.facet)`,
  ],
  ...(
    [
      ['searched', 'integrity.orphans.words'],
      ['payment_flag', 'integrity.orphans.flag'],
      ['payment_id', 'integrity.orphans.payment-id'],
      ['movement', 'integrity.orphans.movement'],
      ['review', 'integrity.orphans.review'],
    ] as const
  ).map(
    ([table, key]) =>
      [
        table,
        key,
        `SELECT count(*) AS count FROM ${table} t WHERE NOT EXISTS (SELECT FROM listed l WHERE l.payment = t.payment)`,
      ] as const,
  ),
];
type CountKey = Extract<MessageKey, 'integrity.list.counts' | `integrity.orphans.${string}`>;

/**
 * Rebuilds every payment from its evidence and compares it with the list, in one transaction that only reads. A payment
 * with events that are not projected yet is skipped, as the list may be behind; so is a list that another version of the
 * program writes. `onStep`: called with the number of payments that were compared. Returns the number of payments.
 * Rejects with the client's errors.
 */
export const checkList = async (
  connection: Connection,
  reader: EventReader,
  report: (problem: Problem) => void,
  onStep: (payments: number) => void,
): Promise<number> => {
  const [tables] = await connection.query<{ readable: boolean }>(
    `SELECT coalesce(has_table_privilege(to_regclass('listed'), 'SELECT'), false) AS readable`,
  );
  // Without personal values nothing can be rebuilt.
  if (tables?.readable !== true || !reader.readsPersonal) return 0;
  const wrong = (at: ProblemPlace, message: Message): void => report({ kind: 'projection', at, message });
  let payments = 0;

  await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    const [list] = await connection.query<{ version: number }>('SELECT version FROM list');
    if (list?.version !== projectionVersion) return 0;
    const through = new Map(
      (
        await connection.query<{ writer: number; through: number }>('SELECT writer, through FROM projected')
      ).map(({ writer, through: number }) => [writer, number]),
    );
    const isBehind = ({ last }: Evidence): boolean =>
      [...last].some(([writer, seq]) => seq > (through.get(writer) ?? 0));
    const days = new Map(
      (
        await connection.query<{ day: number; low: number; high: number }>('SELECT day, low, high FROM day')
      ).map(one => [one.day, one]),
    );
    const flags = await indexRows(connection, 'payment_flag', 'flag');
    const ids = await indexRows(connection, 'payment_id', 'payment_id');
    const moves = await indexRows(connection, 'movement', 'at');

    const checkPayment = async (
      { id, order, profile }: ListedOrder,
      evidence: Evidence,
      row: Stored | undefined,
    ): Promise<void> => {
      const at: ProblemPlace = {
        kind: 'order',
        order: unescapeText(order),
        profile: unescapeText(profile),
      };
      const rebuilt = project(evidence.events);
      if (rebuilt === null) {
        if (row) wrong(at, msg('integrity.payment.unconfirmed'));
        return;
      }
      payments += 1;
      if (!row) return wrong(at, msg('integrity.payment.unlisted'));
      const fields = differences(unescaped(row), rebuilt);
      if (!isSame(await flags.of(id), rebuilt.flags)) fields.push('payment_flag');
      if (!isSame(await ids.of(id), rebuilt.paymentIds.map(escapeText))) fields.push('payment_id');
      if (!isSame(await moves.of(id), rebuilt.movedAt)) fields.push('movement');
      if (!hasReview(row, rebuilt)) fields.push('review');
      const day = days.get(dayOf(rebuilt.firstAt));
      if (!day || id < day.low || id > day.high) fields.push('day');
      if (fields.length > 0) wrong(at, msg('integrity.payment.differs', { fields: fields.join(', ') }));
    };

    /** Orders without an event. */
    let eventless = 0;
    for (let after = Number.MIN_SAFE_INTEGER; ;) {
      const orders = await connection.query<ListedOrder>(
        `SELECT id, order_number AS order, profile_id AS profile FROM payment WHERE id > $1 ORDER BY id LIMIT ${batchSize}`,
        [after],
        { name: 'check-orders' },
      );
      const evidence = await readEvidence(reader, orders);
      const stored = await connection.query<Stored>(selectStored, [orders.map(({ id }) => id)], {
        name: 'check-stored',
      });
      const rows = new Map(stored.map(row => [row.payment, row]));
      for (const one of orders) {
        const of = evidence.get(keyOf(one)) ?? { events: [], last: new Map() };
        if (of.last.size === 0) eventless += 1;
        else if (!isBehind(of)) await checkPayment(one, of, rows.get(one.id));
        after = one.id;
      }
      onStep(orders.length);
      if (orders.length < batchSize) break;
    }

    if (eventless > 0)
      wrong({ kind: 'table', name: 'payment' }, msg('integrity.orphans.payment', { count: eventless }));
    const missing = await connection.query<{ order: string; profile: string }>(
      `SELECT DISTINCT e.order_number AS order, e.profile_id AS profile FROM event e
         JOIN projected p ON p.writer = e.writer AND e.writer_seq <= p.through
       WHERE e.order_number IS NOT NULL AND NOT EXISTS
         (SELECT FROM payment o WHERE o.order_number = e.order_number AND o.profile_id = e.profile_id)
       ORDER BY 2, 1`,
      [],
      { deadlineMs },
    );
    for (const { order, profile } of missing)
      wrong(
        { kind: 'order', order: unescapeText(order), profile: unescapeText(profile) },
        msg('integrity.payment.unlisted'),
      );
    for (const [table, key, sql] of tableChecks) {
      const [found] = await connection.query<{ count: number }>(sql, [], { deadlineMs });
      if (found && found.count > 0) wrong({ kind: 'table', name: table }, msg(key, { count: found.count }));
    }
    return payments;
  } finally {
    if (connection.isOpen()) await connection.query('ROLLBACK').catch(() => undefined);
  }
};
