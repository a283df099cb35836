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

/** A row's fields in the order in which they are kept; names in every row would be half its size. */
const rowFields = [
  'profileId',
  'orderNumber',
  'raisedHere',
  'state',
  'since',
  'amount',
  'currency',
  'description',
  'customer',
  'reason',
  'linkUsable',
  'paymentIds',
  'flags',
  'restsOn',
  'cardLast4',
  'firstAt',
  'lastAt',
  'agent',
  'events',
  'expiresAt',
] as const satisfies readonly (keyof PaymentRow)[];

type MissingField = Exclude<keyof PaymentRow, (typeof rowFields)[number]>;
// A field added to the row must be kept too, or this does not compile.
const complete: [MissingField] extends [never] ? true : MissingField = true;

/** A row of the list: everything but the link, which is a bearer, and the attempts. */
const packRow = (payment: Payment): string => {
  const row: PaymentRow = { ...payment, expiresAt: payment.link?.expiresAt ?? null };
  return JSON.stringify(rowFields.map(field => row[field]));
};

export const readRow = (packed: string): PaymentRow => {
  const values = JSON.parse(packed) as unknown[];
  return Object.fromEntries(rowFields.map((field, index) => [field, values[index]])) as PaymentRow;
};

/** What the tables must hold for an order with these events (at least one). */
export const project = (events: readonly Event[]): Projected => {
  const payment = reducePayment(events);
  const timed = complete && (payment.state === 'waiting' || payment.state === 'started');
  return {
    profileId: payment.profileId,
    orderNumber: payment.orderNumber,
    state: payment.state,
    currency: payment.currency ?? '',
    flagged: payment.flags.length > 0 ? 1 : 0,
    firstAt: payment.firstAt,
    // The same two states as in stateAt: only they end by the clock alone.
    runsOutAt: timed ? (payment.link?.expiresAt ?? null) : null,
    row: packRow(payment),
    words: wordsOf(payment, events),
    flags: [...new Set(payment.flags.map(({ kind }) => kind))],
    paymentIds: payment.paymentIds,
  };
};

export const dayOf = (instant: number): number => Math.floor(instant / 86_400_000);

type Kept = { facet: number; firstAt: number; words: string; row: string };

/** Writes payments into the projection's tables; to be called inside a transaction. */
export const projector = (database: LogDatabase): ((payment: number, projected: Projected) => void) => {
  const kept = database.prepare<[number], Kept>(
    'SELECT facet, first_at AS firstAt, words, "row" AS row FROM listed WHERE payment = ?',
  );
  const enterFacet = database
    .prepare<[string, string, string, number, number], number>(
      `INSERT INTO facet (profile_id, state, currency, flagged, timed, n) VALUES (?, ?, ?, ?, ?, 1)
       ON CONFLICT DO UPDATE SET n = n + 1 RETURNING id`,
    )
    .pluck();
  const leaveFacet = database.prepare<[number]>('UPDATE facet SET n = n - 1 WHERE id = ?');
  const insert = database.prepare<[number, number, number, number | null, string, string]>(
    'INSERT INTO listed (payment, facet, first_at, runs_out_at, "row", words) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const update = database.prepare<[number, number, number | null, string, string, number]>(
    'UPDATE listed SET facet = ?, first_at = ?, runs_out_at = ?, "row" = ?, words = ? WHERE payment = ?',
  );
  const find = database.prepare<[number, string]>('INSERT INTO search (rowid, words) VALUES (?, ?)');
  const lose = database.prepare<[number, string]>(
    "INSERT INTO search (search, rowid, words) VALUES ('delete', ?, ?)",
  );
  const addFlag = database.prepare<[string, number]>(
    'INSERT OR IGNORE INTO payment_flag (flag, payment) VALUES (?, ?)',
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

  return (payment, projected) => {
    const { profileId, state, currency, flagged, firstAt, runsOutAt, row, words, flags } = projected;
    const before = kept.get(payment);
    if (before?.row === row && before.words === words) return;
    const facet = enterFacet.get(profileId, state, currency, flagged, runsOutAt === null ? 0 : 1) ?? 0;
    if (before) {
      leaveFacet.run(before.facet);
      // The old words must leave the index while the table still holds them.
      if (before.words !== words) lose.run(payment, before.words);
      update.run(facet, firstAt, runsOutAt, row, words, payment);
      for (const { kind } of readRow(before.row).flags)
        if (!flags.includes(kind)) dropFlag.run(kind, payment);
    } else {
      insert.run(payment, facet, firstAt, runsOutAt, row, words);
    }
    if (before?.words !== words) find.run(payment, words);
    if (before?.firstAt !== firstAt) widenDay.run(dayOf(firstAt), payment, payment);
    for (const flag of flags) addFlag.run(flag, payment);
    for (const paymentId of projected.paymentIds) addPaymentId.run(paymentId, payment);
  };
};
