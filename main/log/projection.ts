import type { Event } from '../../shared/evidence.ts';
import { readWire } from '../../shared/money.ts';
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
  /** Who raised it; null when it was not raised here. */
  agent: string | null;
  /** Minor units of its currency; null when they cannot be told. */
  amount: number | null;
  /** Milliseconds from the first word of it to the word that it was paid. */
  paidAfter: number | null;
  row: string;
  words: string;
  flags: readonly string[];
  paymentIds: readonly string[];
};

/**
 * A row's fields in the order in which they are kept; names in every row would be half its size. New ones go to
 * the end: rows that were kept before are read until they are projected again.
 */
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
  'paidAt',
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

/** A million payments of this many minor units each can still be added up exactly. */
const mostCounted = 9_000_000_000_000n;

const minorUnits = ({ amount, currency }: Payment): number | null => {
  const minor = amount === null || currency === null ? null : readWire(amount, currency);
  return minor === null || minor > mostCounted ? null : Number(minor);
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
    agent: payment.agent,
    amount: minorUnits(payment),
    paidAfter: payment.paidAt === null ? null : payment.paidAt - payment.firstAt,
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
  type Values = [
    facet: number,
    firstAt: number,
    runsOutAt: number | null,
    agent: string | null,
    amount: number | null,
    paidAfter: number | null,
    row: string,
    words: string,
    payment: number,
  ];
  const insert = database.prepare<Values>(
    `INSERT INTO listed (facet, first_at, runs_out_at, agent, amount, paid_after, "row", words, payment)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const update = database.prepare<Values>(
    `UPDATE listed SET facet = ?, first_at = ?, runs_out_at = ?, agent = ?, amount = ?, paid_after = ?, "row" = ?,
       words = ? WHERE payment = ?`,
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
    const { agent, amount, paidAfter } = projected;
    const before = kept.get(payment);
    if (before?.row === row && before.words === words) return;
    const facet = enterFacet.get(profileId, state, currency, flagged, runsOutAt === null ? 0 : 1) ?? 0;
    const values = (): Values => [facet, firstAt, runsOutAt, agent, amount, paidAfter, row, words, payment];
    if (before) {
      leaveFacet.run(before.facet);
      // The old words must leave the index while the table still holds them.
      if (before.words !== words) lose.run(payment, before.words);
      update.run(...values());
      for (const { kind } of readRow(before.row).flags)
        if (!flags.includes(kind)) dropFlag.run(kind, payment);
    } else {
      insert.run(...values());
    }
    if (before?.words !== words) find.run(payment, words);
    if (before?.firstAt !== firstAt) widenDay.run(dayOf(firstAt), payment, payment);
    for (const flag of flags) addFlag.run(flag, payment);
    for (const paymentId of projected.paymentIds) addPaymentId.run(paymentId, payment);
  };
};
