import { readRow } from '../../projection/packed-row.ts';
import { dayOf, movedAtOf, type Projected } from '../../projection/project.ts';
import type { Connection } from '../connection.ts';
import { escapeText } from '../text.ts';
import { hoursOf } from './payment-ids.ts';

/** A payment's row and its indexes, to be written. */
export type ListedPayment = { payment: number; projected: Projected };

/** Writes rows inside a transaction that holds the locks of their payments. Rejects with the client's errors. */
export type ListWriter = {
  /** `generation`: rows of another one are written in full. */
  write(connection: Connection, payments: readonly ListedPayment[], generation: number): Promise<void>;
  /** Forgets what a transaction inserted that was rolled back. */
  reset(): void;
};

type Stored = {
  payment: number;
  facet: number;
  first_at: number;
  checked_days: number | null;
  row: string;
  made_in: number;
  words: string | null;
};

const facetKey = (one: Projected): string =>
  JSON.stringify([
    one.profileId,
    one.state,
    one.currency,
    one.flagged,
    one.runsOutAt === null ? 0 : 1,
    one.resolved,
  ]);

const selectStored = `SELECT l.payment, l.facet, l.first_at, l.checked_days, l."row", l.made_in, s.words
  FROM listed l LEFT JOIN searched s ON s.payment = l.payment WHERE l.payment = ANY ($1::bigint[])`;

const upsertListed = `INSERT INTO listed (payment, facet, first_at, runs_out_at, agent, amount, paid_after, paid,
    returned, uncounted, checked_days, "row", made_in)
  SELECT *, $13::int FROM unnest($1::bigint[], $2::int[], $3::bigint[], $4::bigint[], $5::text[], $6::bigint[],
    $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::text[])
  ON CONFLICT (payment) DO UPDATE SET facet = excluded.facet, first_at = excluded.first_at,
    runs_out_at = excluded.runs_out_at, agent = excluded.agent, amount = excluded.amount,
    paid_after = excluded.paid_after, paid = excluded.paid, returned = excluded.returned,
    uncounted = excluded.uncounted, checked_days = excluded.checked_days, "row" = excluded."row",
    made_in = excluded.made_in`;

const upsertReview = `INSERT INTO review (payment, profile_id, assignee, snoozed_until, resolved_at)
  SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::bigint[])
  ON CONFLICT (payment) DO UPDATE SET assignee = excluded.assignee, snoozed_until = excluded.snoozed_until,
    resolved_at = excluded.resolved_at`;

const widenDays = `INSERT INTO day (day, low, high) SELECT * FROM unnest($1::int[], $2::bigint[], $3::bigint[])
  ON CONFLICT (day) DO UPDATE SET low = least(day.low, excluded.low), high = greatest(day.high, excluded.high)
  WHERE day.low > excluded.low OR day.high < excluded.high`;

const addCounts = `INSERT INTO facet_count (facet, slot, n) SELECT f, $3, n FROM unnest($1::int[], $2::bigint[]) AS c(f, n)
  ON CONFLICT (facet, slot) DO UPDATE SET n = facet_count.n + excluded.n`;

/** Pairs of a payment and a value that it has, as columns. */
const pairs = <T>(
  payments: readonly ListedPayment[],
  of: (projected: Projected) => readonly T[],
): [number[], T[]] => {
  const ids: number[] = [];
  const values: T[] = [];
  for (const { payment, projected } of payments) {
    for (const value of of(projected)) {
      ids.push(payment);
      values.push(value);
    }
  }
  return [ids, values];
};

/** `slot`: which of the slots of the counts this installation uses. */
export const createListWriter = (slot: number): ListWriter => {
  const facets = new Map<string, number>();

  const ensureFacets = async (connection: Connection, payments: readonly ListedPayment[]): Promise<void> => {
    const missing = new Map<string, Projected>();
    for (const { projected } of payments) {
      const key = facetKey(projected);
      if (!facets.has(key)) missing.set(key, projected);
    }
    if (missing.size === 0) return;
    // In one order, so that two installations do not wait for each other.
    const wanted = [...missing].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, one]) => one);
    const values = [
      wanted.map(({ profileId }) => escapeText(profileId)),
      wanted.map(({ state }) => escapeText(state)),
      wanted.map(({ currency }) => escapeText(currency)),
      wanted.map(({ flagged }) => flagged),
      wanted.map(({ runsOutAt }) => (runsOutAt === null ? 0 : 1)),
      wanted.map(({ resolved }) => resolved),
    ];
    const keys = 'unnest($1::text[], $2::text[], $3::text[], $4::int[], $5::int[], $6::int[])';
    await connection.query(
      `INSERT INTO facet (profile_id, state, currency, flagged, timed, resolved) SELECT * FROM ${keys}
       ON CONFLICT DO NOTHING`,
      values,
    );
    const found = await connection.query<{ id: number; at: number }>(
      `SELECT f.id, k.at::int FROM ${keys} WITH ORDINALITY AS k(a, b, c, d, e, g, at)
       JOIN facet f ON (f.profile_id, f.state, f.currency, f.flagged, f.timed, f.resolved) = (k.a, k.b, k.c, k.d, k.e, k.g)`,
      values,
    );
    if (facets.size > 10_000) facets.clear();
    for (const { id, at } of found) {
      const one = wanted[at - 1];
      if (one) facets.set(facetKey(one), id);
    }
  };

  const write: ListWriter['write'] = async (connection, payments, generation) => {
    const stored = await connection.query<Stored>(selectStored, [payments.map(({ payment }) => payment)], {
      name: 'list-stored',
    });
    const before = new Map(stored.map(row => [row.payment, row]));
    const isOld = ({ payment }: ListedPayment): boolean => before.get(payment)?.made_in !== generation;
    const hasNewWords = (one: ListedPayment): boolean =>
      before.get(one.payment)?.words !== escapeText(one.projected.words);
    const changed = payments.filter(one => {
      const known = before.get(one.payment);
      const { row, checkedDays } = one.projected;
      return isOld(one) || known?.row !== row || known.checked_days !== checkedDays || hasNewWords(one);
    });
    if (changed.length === 0) return;
    await ensureFacets(connection, changed);
    const facetOf = ({ projected }: ListedPayment): number => facets.get(facetKey(projected)) ?? 0;
    const column = <T>(of: (projected: Projected) => T): T[] => changed.map(({ projected }) => of(projected));
    await connection.query(
      upsertListed,
      [
        changed.map(({ payment }) => payment),
        changed.map(facetOf),
        column(({ firstAt }) => firstAt),
        column(({ runsOutAt }) => runsOutAt),
        column(({ agent }) => (agent === null ? null : escapeText(agent))),
        column(({ amount }) => amount),
        column(({ paidAfter }) => paidAfter),
        column(({ paid }) => paid),
        column(({ returned }) => returned),
        column(({ uncounted }) => uncounted),
        column(({ checkedDays }) => checkedDays),
        column(({ row }) => row),
        generation,
      ],
      { name: 'list-upsert' },
    );
    const worded = changed.filter(hasNewWords);
    if (worded.length > 0)
      await connection.query(
        `INSERT INTO searched (payment, words) SELECT * FROM unnest($1::bigint[], $2::text[])
         ON CONFLICT (payment) DO UPDATE SET words = excluded.words`,
        [worded.map(({ payment }) => payment), worded.map(({ projected }) => escapeText(projected.words))],
        { name: 'list-words' },
      );

    // Rows of an earlier generation are not trusted: everything beside them is replaced.
    const replaced = changed
      .filter(one => before.has(one.payment) && isOld(one))
      .map(({ payment }) => payment);
    if (replaced.length > 0)
      for (const table of ['payment_flag', 'payment_id', 'movement', 'review'])
        await connection.query(`DELETE FROM ${table} WHERE payment = ANY ($1::bigint[])`, [replaced]);
    const oldRows = changed.flatMap(one => {
      const known = before.get(one.payment);
      return known && !isOld(one) ? [{ ...one, old: readRow(known.row) }] : [];
    });
    const lostFlags = oldRows.flatMap(({ payment, projected, old }) =>
      old.flags.flatMap(({ kind }) => (projected.flags.includes(kind) ? [] : [{ payment, kind }])),
    );
    if (lostFlags.length > 0)
      await connection.query(
        `DELETE FROM payment_flag f USING unnest($1::bigint[], $2::text[]) AS k(p, v) WHERE f.payment = k.p AND f.flag = k.v`,
        [lostFlags.map(({ payment }) => payment), lostFlags.map(({ kind }) => kind)],
      );
    const lostMoves = oldRows.flatMap(({ payment, projected, old }) =>
      movedAtOf(old).flatMap(at => (projected.movedAt.includes(at) ? [] : [{ payment, at }])),
    );
    if (lostMoves.length > 0)
      await connection.query(
        `DELETE FROM movement m USING unnest($1::bigint[], $2::bigint[]) AS k(p, v) WHERE m.payment = k.p AND m.at = k.v`,
        [lostMoves.map(({ payment }) => payment), lostMoves.map(({ at }) => at)],
      );
    const lostReviews = oldRows.filter(({ projected, old }) => old.review && projected.review === null);
    if (lostReviews.length > 0)
      await connection.query('DELETE FROM review WHERE payment = ANY ($1::bigint[])', [
        lostReviews.map(({ payment }) => payment),
      ]);

    for (const [table, name, type, [ids, values]] of [
      ['payment_flag', 'flag', 'text', pairs(changed, ({ flags }) => flags)],
      ['payment_id', 'payment_id', 'text', pairs(changed, ({ paymentIds }) => paymentIds.map(escapeText))],
      ['movement', 'at', 'bigint', pairs<number>(changed, ({ movedAt }) => movedAt)],
    ] as const) {
      if (ids.length > 0)
        await connection.query(
          `INSERT INTO ${table} (payment, ${name}) SELECT * FROM unnest($1::bigint[], $2::${type}[]) ON CONFLICT DO NOTHING`,
          [ids, values],
          { name: `list-${table}` },
        );
    }
    const reviewed = changed.flatMap(({ payment, projected: { profileId, review } }) =>
      review ? [{ payment, profileId, ...review }] : [],
    );
    if (reviewed.length > 0)
      await connection.query(upsertReview, [
        reviewed.map(({ payment }) => payment),
        reviewed.map(({ profileId }) => escapeText(profileId)),
        reviewed.map(({ assignee }) => (assignee === null ? null : escapeText(assignee))),
        reviewed.map(({ snoozedUntil }) => snoozedUntil),
        reviewed.map(({ resolvedAt }) => resolvedAt),
      ]);

    const days = new Map<number, { low: number; high: number }>();
    const counts = new Map<number, number>();
    for (const one of changed) {
      const known = before.get(one.payment);
      const facet = facetOf(one);
      if (facet !== known?.facet) {
        counts.set(facet, (counts.get(facet) ?? 0) + 1);
        if (known) counts.set(known.facet, (counts.get(known.facet) ?? 0) - 1);
      }
      if (known?.first_at === one.projected.firstAt && !isOld(one)) continue;
      const day = dayOf(one.projected.firstAt);
      const { low, high } = hoursOf(one.payment);
      const range = days.get(day) ?? { low, high };
      days.set(day, { low: Math.min(low, range.low), high: Math.max(high, range.high) });
    }
    // Rows that several installations share are written last and in one order.
    const byDay = [...days].sort(([one], [other]) => one - other);
    if (byDay.length > 0)
      await connection.query(
        widenDays,
        [byDay.map(([day]) => day), byDay.map(([, { low }]) => low), byDay.map(([, { high }]) => high)],
        { name: 'list-days' },
      );
    const byFacet = [...counts].filter(([, n]) => n !== 0).sort(([one], [other]) => one - other);
    if (byFacet.length > 0)
      await connection.query(addCounts, [byFacet.map(([facet]) => facet), byFacet.map(([, n]) => n), slot], {
        name: 'list-counts',
      });
  };

  return { write, reset: () => facets.clear() };
};
