import type { Event } from '../../shared/evidence.ts';
import { nameOf, type Problem } from './check-chain.ts';
import type { LogDatabase } from './database.ts';
import { dayOf, project, type Projected } from './projection.ts';
import { eventReading, selectEvents, type StoredEvent } from './stored-event.ts';

type Kept = {
  profileId: string;
  state: string;
  currency: string;
  flagged: number;
  timed: number;
  firstAt: number;
  runsOutAt: number | null;
  row: string;
  words: string;
};

/** What the tables say otherwise than the evidence. */
const differences = (kept: Kept, rebuilt: Projected): string[] => {
  const pairs: [string, unknown, unknown][] = [
    ['profile', kept.profileId, rebuilt.profileId],
    ['state', kept.state, rebuilt.state],
    ['currency', kept.currency, rebuilt.currency],
    ['flagged', kept.flagged, rebuilt.flagged],
    ['timed', kept.timed, rebuilt.runsOutAt === null ? 0 : 1],
    ['first heard of', kept.firstAt, rebuilt.firstAt],
    ['link runs out', kept.runsOutAt, rebuilt.runsOutAt],
    ['row', kept.row, rebuilt.row],
    ['words', kept.words, rebuilt.words],
  ];
  return pairs.filter(([, one, other]) => one !== other).map(([name]) => name);
};

/**
 * Rebuilds every payment from its evidence and compares it with what the projection's tables hold. Payments
 * with evidence that the projection has not come to yet are left out: it may be behind, never wrong.
 * `range`: payments by number, the first excluded, the last included. `step` is called for every event. Returns how many payments there are. Throws SQLite's errors.
 */
export const checkProjection = (
  database: LogDatabase,
  range: { after: number; until: number },
  note: (problem: Problem) => void,
  step: () => void,
): number => {
  const stale = (at: string, message: string): void => note({ kind: 'projection', at, message });
  const keptOf = database.prepare<[number], Kept>(
    `SELECT f.profile_id AS profileId, f.state, f.currency, f.flagged, f.timed,
       l.first_at AS firstAt, l.runs_out_at AS runsOutAt, l."row" AS row, l.words
     FROM listed l JOIN facet f ON f.id = l.facet WHERE l.payment = ?`,
  );
  const has = (sql: string) => database.prepare<[string | number, number], number>(sql).pluck();
  const hasFlag = has('SELECT 1 FROM payment_flag WHERE flag = ? AND payment = ?');
  const hasPaymentId = has('SELECT 1 FROM payment_id WHERE payment_id = ? AND payment = ?');
  const hasDay = has('SELECT 1 FROM day WHERE day = ? AND ? BETWEEN low AND high');
  const { after, until } = range;
  const count = (sql: string, ...values: number[]): number =>
    database
      .prepare<number[], number>(sql)
      .pluck()
      .get(...values) ?? 0;
  const through = count('SELECT through FROM projection');
  const reading = eventReading(database);

  let payments = 0;
  let behind = 0;
  const expected = { listed: 0, payment_flag: 0, payment_id: 0 };

  const check = (payment: number, rows: readonly StoredEvent[]): void => {
    const first = rows[0];
    const last = rows.at(-1);
    if (!first || !last || first[6] === null) return;
    payments += 1;
    const at = `order ${first[6]} of ${first[5]}`;
    if (first[0] !== payment)
      stale(at, `${nameOf(first)} is its first, but it is listed as number ${payment}.`);
    if (last[0] > through) {
      behind += 1;
      return;
    }
    let events: Event[];
    try {
      events = rows.map(reading.event);
    } catch {
      stale(at, 'Its evidence cannot be read.');
      return;
    }
    const rebuilt = project(events);
    expected.listed += 1;
    expected.payment_flag += rebuilt.flags.length;
    expected.payment_id += rebuilt.paymentIds.length;
    const kept = keptOf.get(payment);
    if (!kept) {
      stale(at, 'It is missing from the list of payments.');
      return;
    }
    const fields = differences(kept, rebuilt);
    if (rebuilt.flags.some(flag => hasFlag.get(flag, payment) === undefined)) fields.push('flags');
    if (rebuilt.paymentIds.some(id => hasPaymentId.get(id, payment) === undefined))
      fields.push('payment ids');
    if (hasDay.get(dayOf(rebuilt.firstAt), payment) === undefined) fields.push('day');
    if (fields.length > 0) stale(at, `The list differs from the evidence in: ${fields.join(', ')}.`);
  };

  const rows = database
    .prepare<[number, number], StoredEvent>(
      `${selectEvents} WHERE event.payment > ? AND event.payment <= ? ORDER BY event.payment, event.seq`,
    )
    .raw();
  let current = 0;
  let gathered: StoredEvent[] = [];
  for (const row of rows.iterate(after, until)) {
    step();
    if (row[4] !== current) {
      check(current, gathered);
      gathered = [];
      current = row[4];
    }
    gathered.push(row);
  }
  check(current, gathered);

  for (const [table, right] of Object.entries(expected)) {
    const held = count(`SELECT count(*) FROM ${table} WHERE payment > ? AND payment <= ?`, after, until);
    if (behind === 0 ? held !== right : held < right) {
      stale(`table ${table}`, `It holds ${held} entries where the evidence gives ${right}.`);
    }
  }
  const miscounted = count(
    'SELECT count(*) FROM facet f WHERE f.n <> (SELECT count(*) FROM listed l WHERE l.facet = f.id)',
  );
  if (miscounted > 0 && after === 0) stale('table facet', `${miscounted} running count(s) are wrong.`);
  return payments;
};
