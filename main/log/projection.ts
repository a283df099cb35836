import type { Event } from '../../shared/evidence.ts';
import type { Payment, PaymentRow } from '../../shared/payment.ts';
import { reducePayment } from '../../shared/reduce.ts';
import { wordsOf } from '../../shared/search-words.ts';
import type { LogDatabase } from './database.ts';

/** What the tables keep of a payment: the reducer's answer, cut for lists, filters and search. */
export type Projected = {
  profileId: string;
  orderNumber: string;
  state: string;
  currency: string;
  flagged: number;
  firstAt: number;
  runsOutAt: number | null;
  row: string;
  words: string;
  flags: readonly string[];
  paymentIds: readonly string[];
};

/** A row of the list: everything but the link, which is a bearer, and the attempts. */
export const toRow = ({ link, attempts: _attempts, ...rest }: Payment): PaymentRow => ({
  ...rest,
  expiresAt: link?.expiresAt ?? null,
});

/** What the tables must hold for an order with these events (at least one). */
export const project = (events: readonly Event[]): Projected => {
  const payment = reducePayment(events);
  const row = toRow(payment);
  return {
    profileId: payment.profileId,
    orderNumber: payment.orderNumber,
    state: payment.state,
    currency: payment.currency ?? '',
    flagged: payment.flags.length > 0 ? 1 : 0,
    firstAt: payment.firstAt,
    // The same two states as in stateAt: only they end by the clock alone.
    runsOutAt: payment.state === 'waiting' || payment.state === 'started' ? row.expiresAt : null,
    row: JSON.stringify(row),
    words: wordsOf(payment, events),
    flags: [...new Set(payment.flags.map(({ kind }) => kind))],
    paymentIds: payment.paymentIds,
  };
};

export const dayOf = (instant: number): number => Math.floor(instant / 86_400_000);

type Kept = { facet: number; firstAt: number; words: string };

/** Writes payments into the projection's tables; to be called inside a transaction. */
export const projector = (database: LogDatabase): ((id: number, projected: Projected) => void) => {
  const kept = database.prepare<[number], Kept>(
    'SELECT facet, first_at AS firstAt, words FROM payment WHERE id = ?',
  );
  const facetOf = database
    .prepare<[string, string, string, number, number], number>(
      `INSERT INTO facet (profile_id, state, currency, flagged, timed, n) VALUES (?, ?, ?, ?, ?, 1)
       ON CONFLICT DO UPDATE SET n = n + 1 RETURNING id`,
    )
    .pluck();
  const leaveFacet = database.prepare<[number]>('UPDATE facet SET n = n - 1 WHERE id = ?');
  const insert = database.prepare<[number, string, string, number, number, number | null, string, string]>(
    `INSERT INTO payment (id, profile_id, order_number, facet, first_at, runs_out_at, "row", words)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const update = database.prepare<[number, number, number | null, string, string, number]>(
    'UPDATE payment SET facet = ?, first_at = ?, runs_out_at = ?, "row" = ?, words = ? WHERE id = ?',
  );
  const find = database.prepare<[number, string]>('INSERT INTO search (rowid, words) VALUES (?, ?)');
  const lose = database.prepare<[number, string]>(
    "INSERT INTO search (search, rowid, words) VALUES ('delete', ?, ?)",
  );
  const addFlag = database.prepare<[string, number]>(
    'INSERT OR IGNORE INTO payment_flag (flag, payment) VALUES (?, ?)',
  );
  const flagsKept = database.prepare<[number], { row: string }>(
    'SELECT "row" AS row FROM payment WHERE id = ?',
  );
  const dropFlag = database.prepare<[string, number]>(
    'DELETE FROM payment_flag WHERE flag = ? AND payment = ?',
  );
  const addPaymentId = database.prepare<[string, number]>(
    'INSERT OR IGNORE INTO payment_id (payment_id, payment) VALUES (?, ?)',
  );
  const widenDay = database.prepare<[number, number, number]>(
    `INSERT INTO day (day, low, high) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET low = min(low, excluded.low), high = max(high, excluded.high)`,
  );

  const flagKindsOf = (row: string): string[] =>
    (JSON.parse(row) as PaymentRow).flags.map(({ kind }) => kind);

  return (id, projected) => {
    const { profileId, orderNumber, state, currency, flagged, firstAt, runsOutAt, row, words } = projected;
    const before = kept.get(id);
    const flagsBefore = before ? flagKindsOf(flagsKept.get(id)?.row ?? '{"flags":[]}') : [];
    const facet = facetOf.get(profileId, state, currency, flagged, runsOutAt === null ? 0 : 1) ?? 0;
    if (before) {
      leaveFacet.run(before.facet);
      if (before.words !== words) lose.run(id, before.words);
      update.run(facet, firstAt, runsOutAt, row, words, id);
    } else {
      insert.run(id, profileId, orderNumber, facet, firstAt, runsOutAt, row, words);
    }
    if (before?.words !== words) find.run(id, words);
    if (before?.firstAt !== firstAt) widenDay.run(dayOf(firstAt), id, id);
    for (const flag of flagsBefore) if (!projected.flags.includes(flag)) dropFlag.run(flag, id);
    for (const flag of projected.flags) addFlag.run(flag, id);
    for (const paymentId of projected.paymentIds) addPaymentId.run(paymentId, id);
  };
};
