import { dayOf, movedAtOf, type Projected } from '../../projection/project.ts';
import type { LogDatabase } from '../store/database.ts';
import { entriesOf } from '../../projection/customer-keys.ts';
import { readRow } from '../../projection/packed-row.ts';
import { correctableWords } from '../../../../shared/search-query/correctable.ts';
import { allOf, trigramsOf } from '../store/trigrams.ts';

/** The words that occur in payments, each once, with one payment that has it: where the search looks up spellings. */
const wordTable = (database: LogDatabase) => {
  const add = database.prepare<[string, number]>(
    'INSERT INTO word (word, payment) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const isNamed = database
    .prepare<[string, number], number>('SELECT 1 FROM word WHERE word = ? AND payment = ?')
    .pluck();
  const another = database
    .prepare<[string, string], number>(
      `SELECT p.payment FROM search CROSS JOIN listed p ON p.payment = search.rowid
       WHERE search MATCH ? AND instr(p.words, ?) > 0 LIMIT 1`,
    )
    .pluck();
  const move = database.prepare<[number, string]>('UPDATE word SET payment = ? WHERE word = ?');
  const drop = database.prepare<[string]>('DELETE FROM word WHERE word = ?');
  const leave = (word: string): void => {
    const holder = another.get(allOf(trigramsOf(` ${word} `)), ` ${word} `);
    if (holder === undefined) drop.run(word);
    else move.run(holder, word);
  };
  return {
    add: (payment: number, words: string): void => {
      for (const word of correctableWords(words)) add.run(word, payment);
    },
    /** Removes the words that a payment no longer has, unless another one has them. Call it after the index is written. */
    remove: (payment: number, before: string, after: string): void => {
      const left = new Set(after.split(' '));
      for (const word of correctableWords(before))
        if (!left.has(word) && isNamed.get(word, payment) !== undefined) leave(word);
    },
  };
};

/** What a payment's row says about the tables beside it. */
type RowContent = {
  flags: string[];
  paymentIds: string[];
  movedAt: number[];
  customerKeys: string[];
};

/** Null if the row cannot be read. */
const readRowContent = (text: string): RowContent | null => {
  try {
    const row = readRow(text);
    return {
      flags: row.flags.map(({ kind }) => kind),
      paymentIds: [...row.paymentIds],
      movedAt: movedAtOf(row),
      customerKeys: entriesOf(row),
    };
  } catch {
    return null;
  }
};

type StoredRow = { facet: number; firstAt: number; words: string; row: string };

/**
 * Writes payments into the projection's tables, inside a transaction. The search index is written last and in
 * ascending order. Any other statement in between, or a lower id, makes FTS5 write its buffer as a separate segment,
 * which costs more than the words.
 */
export const projector = (database: LogDatabase) => {
  const stored = database.prepare<[number], StoredRow>(
    'SELECT facet, first_at AS firstAt, words, "row" AS row FROM listed WHERE payment = ?',
  );
  type Facet = [
    profileId: string,
    state: string,
    currency: string,
    flagged: number,
    timed: number,
    resolved: number,
  ];
  const findFacet = database
    .prepare<Facet, number>(
      `SELECT id FROM facet
       WHERE profile_id = ? AND state = ? AND currency = ? AND flagged = ? AND timed = ? AND resolved = ?`,
    )
    .pluck();
  const addFacet = database
    .prepare<Facet, number>(
      `INSERT INTO facet (profile_id, state, currency, flagged, timed, resolved, n)
       VALUES (?, ?, ?, ?, ?, ?, 0) RETURNING id`,
    )
    .pluck();
  const countFacet = database.prepare<[number, number]>('UPDATE facet SET n = n + ? WHERE id = ?');
  type Values = [
    facet: number,
    firstAt: number,
    runsOutAt: number | null,
    agent: string | null,
    amount: number | null,
    paidAfter: number | null,
    paid: number | null,
    returned: number | null,
    uncounted: number | null,
    checkedDays: number | null,
    row: string,
    words: string,
    payment: number,
  ];
  const insert = database.prepare<Values>(
    `INSERT INTO listed (facet, first_at, runs_out_at, agent, amount, paid_after, paid, returned, uncounted,
       checked_days, "row", words, payment)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const update = database.prepare<Values>(
    `UPDATE listed SET facet = ?, first_at = ?, runs_out_at = ?, agent = ?, amount = ?, paid_after = ?, paid = ?,
       returned = ?, uncounted = ?, checked_days = ?, "row" = ?, words = ? WHERE payment = ?`,
  );
  const addWords = database.prepare<[number, string]>('INSERT INTO search (rowid, words) VALUES (?, ?)');
  const dropWords = database.prepare<[number, string]>(
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
  const dropPaymentId = database.prepare<[string, number]>(
    'DELETE FROM payment_id WHERE payment_id = ? AND payment = ?',
  );
  const addMovement = database.prepare<number[]>(
    `INSERT OR REPLACE INTO movement (at, payment, paid, refunded, voided, disputed, uncounted)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const dropMovement = database.prepare<[number, number]>(
    'DELETE FROM movement WHERE at = ? AND payment = ?',
  );
  const addCustomerKey = database.prepare<[string, number]>(
    'INSERT OR IGNORE INTO customer_key (key, payment) VALUES (?, ?)',
  );
  const dropCustomerKey = database.prepare<[string, number]>(
    'DELETE FROM customer_key WHERE key = ? AND payment = ?',
  );
  const addJoin = database.prepare<[string, number, string, string, string, number]>(
    'INSERT INTO customer_join (event, payment, profile_id, other_order, agent, at) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const dropJoins = database.prepare<[number]>('DELETE FROM customer_join WHERE payment = ?');
  const setReview = database.prepare<[number, string, string | null, number | null, number | null]>(
    `INSERT INTO review (payment, profile_id, assignee, snoozed_until, resolved_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET assignee = excluded.assignee, snoozed_until = excluded.snoozed_until,
       resolved_at = excluded.resolved_at`,
  );
  const dropRow = database.prepare<[number]>('DELETE FROM listed WHERE payment = ?');
  const dropReview = database.prepare<[number]>('DELETE FROM review WHERE payment = ?');
  const widenDay = database.prepare<[number, number, number]>(
    `INSERT INTO day (day, low, high) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET low = min(low, excluded.low), high = max(high, excluded.high)`,
  );

  const wordList = wordTable(database);
  const facets = new Map<string, number>();
  /**
   * Changes gathered for each facet's count, the payments of each day, and the words to remove from and add to the
   * index.
   */
  const counted = new Map<number, number>();
  const days = new Map<number, { low: number; high: number }>();
  const words = new Map<number, { before: string | undefined; after: string | undefined }>();

  const facetOf = (...facet: Facet): number => {
    const key = JSON.stringify(facet);
    const known = facets.get(key);
    if (known !== undefined) return known;
    const id = findFacet.get(...facet) ?? addFacet.get(...facet) ?? 0;
    if (facets.size < 10_000) facets.set(key, id);
    return id;
  };
  const count = (facet: number, change: number): void => {
    counted.set(facet, (counted.get(facet) ?? 0) + change);
  };
  /** `before`: the words of the stored row. Projected twice in one transaction, the index contains those from before both. */
  const replaceWords = (payment: number, before: string | undefined, after: string | undefined): void => {
    const indexed = words.get(payment);
    words.set(payment, { before: indexed ? indexed.before : before, after });
  };

  return {
    /** Writes a payment's row and its indexes; its words wait for `flush`. */
    set: (payment: number, projected: Projected): void => {
      const { profileId, state, currency, flagged, firstAt, runsOutAt, row, flags } = projected;
      const { agent, amount, paidAfter, paid, returned, uncounted, checkedDays, movedAt } = projected;
      const { resolved, review, paymentIds, moved, customerKeys, joins } = projected;
      const before = stored.get(payment);
      const facet = facetOf(profileId, state, currency, flagged, runsOutAt === null ? 0 : 1, resolved);
      const values: Values = [
        facet,
        firstAt,
        runsOutAt,
        agent,
        amount,
        paidAfter,
        paid,
        returned,
        uncounted,
        checkedDays,
        row,
        projected.words,
        payment,
      ];
      count(facet, 1);
      if (before) {
        count(before.facet, -1);
        update.run(...values);
        const old = readRowContent(before.row);
        for (const flag of old?.flags ?? []) if (!flags.includes(flag)) dropFlag.run(flag, payment);
        for (const at of old?.movedAt ?? []) if (!movedAt.includes(at)) dropMovement.run(at, payment);
        for (const id of old?.paymentIds ?? []) if (!paymentIds.includes(id)) dropPaymentId.run(id, payment);
        for (const key of old?.customerKeys ?? [])
          if (!customerKeys.includes(key)) dropCustomerKey.run(key, payment);
        dropJoins.run(payment);
        if (review === null) dropReview.run(payment);
      } else insert.run(...values);
      if (before?.words !== projected.words) replaceWords(payment, before?.words, projected.words);
      if (before?.firstAt !== firstAt) {
        const day = dayOf(firstAt);
        const { low, high } = days.get(day) ?? { low: payment, high: payment };
        days.set(day, { low: Math.min(low, payment), high: Math.max(high, payment) });
      }
      wordList.add(payment, projected.words);
      for (const flag of flags) addFlag.run(flag, payment);
      for (const paymentId of paymentIds) addPaymentId.run(paymentId, payment);
      for (const of of moved)
        addMovement.run(of.at, payment, of.paid, of.refunded, of.voided, of.disputed, of.uncounted);
      for (const key of customerKeys) addCustomerKey.run(key, payment);
      for (const { event, otherOrder, agent: by, at } of joins)
        addJoin.run(event, payment, profileId, otherOrder, by, at);
      if (review) setReview.run(payment, profileId, review.assignee, review.snoozedUntil, review.resolvedAt);
    },
    /** Removes a payment's row with its indexes, if there is one; its words wait for `flush`. */
    remove: (payment: number): void => {
      const before = stored.get(payment);
      if (!before) return;
      count(before.facet, -1);
      const old = readRowContent(before.row);
      for (const flag of old?.flags ?? []) dropFlag.run(flag, payment);
      for (const at of old?.movedAt ?? []) dropMovement.run(at, payment);
      for (const id of old?.paymentIds ?? []) dropPaymentId.run(id, payment);
      for (const key of old?.customerKeys ?? []) dropCustomerKey.run(key, payment);
      dropJoins.run(payment);
      dropReview.run(payment);
      dropRow.run(payment);
      replaceWords(payment, before.words, undefined);
    },
    /** Writes the gathered words, running counts and days. Call it before the transaction commits. */
    flush: (): void => {
      for (const [facet, change] of counted) if (change !== 0) countFacet.run(change, facet);
      for (const [day, { low, high }] of days) widenDay.run(day, low, high);
      for (const [payment, { before, after }] of [...words].sort(([one], [other]) => one - other)) {
        if (before === after) continue;
        if (before !== undefined) dropWords.run(payment, before);
        if (after !== undefined) addWords.run(payment, after);
      }
      // After the index, in which the remaining payments with a word are found.
      for (const [payment, { before, after }] of words)
        if (before !== undefined) wordList.remove(payment, before, after ?? '');
      counted.clear();
      days.clear();
      words.clear();
    },
    /** Discards gathered changes, after a transaction was rolled back. */
    reset: (): void => {
      facets.clear();
      counted.clear();
      days.clear();
      words.clear();
    },
  };
};
