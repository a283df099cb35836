import { raisedStates } from '../../../../../shared/payments/outcomes.ts';
import type { EventOf } from '../../../../../shared/payments/evidence.ts';
import type { PaymentRow } from '../../../../../shared/payments/payment.ts';
import { readPhoneNumber } from '../../../../../shared/phone-number.ts';
import { folded } from '../../../../../shared/search-query/fold-text.ts';
import { searchWordsOf, wantedWords } from '../../../../../shared/search-query/search-words.ts';
import type { CustomerName, CustomerRecord, FoundCustomer } from '../../../answers.ts';
import type { PaymentLogAnswers } from '../../../payment-log.ts';
import {
  asSurest,
  customerKeysOf,
  detailsOf,
  seriesKeyOf,
  typedKeysOf,
} from '../../../projection/customer-keys.ts';
import { dayOf } from '../../../projection/project.ts';
import type { LogDatabase } from '../../store/database.ts';
import type { Evidence } from '../../list/merged-evidence.ts';
import { isUnknownToIndex, listStatements, scanLength as maxUnindexed } from '../list.ts';
import { correctedWords } from '../search/corrected-words.ts';
import { findPayments } from '../search/query-planner.ts';
import { unfiltered } from '../../../unfiltered.ts';
import { spellingsOfId } from '../../../../../shared/payment-reducer/evidence/payment-id.ts';
import { readRow } from '../../../projection/packed-row.ts';

/** A payment of the list with its row. */
type Listed = { payment: number; row: PaymentRow };

/** A join that leads from a customer's payment to another one: recorded with `orderNumber`, it names `otherOrder`. */
type FoundJoin = {
  id: string;
  agent: string;
  at: number;
  orderNumber: string;
  otherOrder: string;
  other: number;
};

type StoredRow = { payment: number; row: string };

const listed = ({ payment, row }: StoredRow): Listed => ({ payment, row: readRow(row) });

/** The reads of the index of customers. Each is a range of an index; `entry`: a key as the index has it. */
const customerStatements = (database: LogDatabase) => {
  const paymentOf = database
    .prepare<[string, string], number>('SELECT id FROM payment WHERE order_number = ? AND profile_id = ?')
    .pluck();
  const row = database.prepare<[number], string>('SELECT "row" FROM listed WHERE payment = ?').pluck();
  const hasEntry = database
    .prepare<[string, number], number>('SELECT 1 FROM customer_key WHERE key = ? AND payment = ?')
    .pluck();
  const paymentsOfId = database
    .prepare<[string, string, string], number>(
      'SELECT payment FROM payment_id WHERE payment_id IN (?, ?, ?) ORDER BY payment',
    )
    .pluck();
  const payments = database.prepare<[string, number], StoredRow>(
    `SELECT k.payment, l."row" AS row FROM customer_key k CROSS JOIN listed l ON l.payment = k.payment
     WHERE k.key = ? ORDER BY k.payment DESC LIMIT ?`,
  );
  const withAmount = database.prepare<[string, number], StoredRow>(
    `SELECT k.payment, l."row" AS row FROM customer_key k CROSS JOIN listed l ON l.payment = k.payment
     WHERE k.key = ? AND l.amount = ? ORDER BY k.payment DESC`,
  );
  const count = database.prepare<[string], number>('SELECT count(*) FROM customer_key WHERE key = ?').pluck();
  const firstSince = database
    .prepare<[number], number | null>('SELECT min(low) FROM day WHERE day >= ?')
    .pluck();
  const hasJoins = database.prepare<[], number>('SELECT 1 FROM customer_join LIMIT 1').pluck();
  const joins = database.prepare<[string, string], FoundJoin>(
    `SELECT j.event AS id, j.agent, j.at, p.order_number AS orderNumber, j.other_order AS otherOrder, o.id AS other
     FROM customer_key k CROSS JOIN customer_join j ON j.payment = k.payment
       CROSS JOIN payment p ON p.id = j.payment
       CROSS JOIN payment o ON o.order_number = j.other_order AND o.profile_id = j.profile_id
     WHERE k.key = ?
     UNION ALL
     SELECT j.event, j.agent, j.at, p.order_number, j.other_order, j.payment
     FROM customer_key k CROSS JOIN payment o ON o.id = k.payment
       CROSS JOIN customer_join j ON j.other_order = o.order_number AND j.profile_id = o.profile_id
       CROSS JOIN payment p ON p.id = j.payment
     WHERE k.key = ?
     ORDER BY 3, 1`,
  );
  return {
    paymentOf: (profileId: string, orderNumber: string): number | undefined =>
      paymentOf.get(orderNumber, profileId),
    row: (payment: number): PaymentRow | null => {
      const text = row.get(payment);
      return text === undefined ? null : readRow(text);
    },
    hasEntry: (entry: string, payment: number): boolean => hasEntry.get(entry, payment) !== undefined,
    paymentsOfId: (paymentId: string): number[] => paymentsOfId.all(...spellingsOfId(paymentId)),
    /** Newest first. */
    payments: (entry: string, limit: number): Listed[] => payments.all(entry, limit).map(listed),
    /** Payments with this amount (minor units), newest first, read one by one. */
    *withAmount(entry: string, amount: number): Generator<Listed> {
      for (const row of withAmount.iterate(entry, amount)) yield listed(row);
    },
    count: (entry: string): number => count.get(entry) ?? 0,
    /** The first payment of a UTC day or later; null if there is none. */
    firstSince: (day: number): number | null => firstSince.get(day) ?? null,
    hasJoins: (): boolean => hasJoins.get() !== undefined,
    /** Oldest first. */
    joinsOf: (entry: string): FoundJoin[] => joins.all(entry, entry),
  };
};

/** Limits: spellings of one customer, candidates, notes, and rows that are read to find either. */
const maxSpellings = 50;
const maxCandidates = 5;
const maxNotes = 50;
const maxSimilar = 40;
/** Limit of payments among which the newest is found: the index has them in the order of arrival. */
const maxNamed = 200;
/** Limit of payments that a search for customers reads. */
const maxScanned = 500;
const scanLength = 100;
/** Limit of orders with one customer and amount. */
const maxSameIntent = 20;
/** Limit of orders of one customer. */
const maxOrders = 100_000;

type Join = { id: string; agent: string; at: number; orderNumber: string; otherOrder: string };
/** A customer's keys in the order in which they are reached, each with the join that leads to it. */
type Spellings = ReadonlyMap<string, Join | null>;

const newestFirst = (one: Listed, other: Listed): number =>
  other.row.firstAt - one.row.firstAt ||
  (one.row.orderNumber < other.row.orderNumber ? 1 : one.row.orderNumber > other.row.orderNumber ? -1 : 0);

const isNote = (event: { kind: string }): event is EventOf<'note.added'> => event.kind === 'note.added';

/**
 * Customers of a profile, by the index of what the merchant typed. Each answer depends on the evidence only, not on the
 * order in which it arrived. `now`: the clock, milliseconds.
 */
export const createCustomerReader = (
  database: LogDatabase,
  evidence: Evidence,
  now: () => number,
): Pick<
  PaymentLogAnswers,
  'customer' | 'ordersToErase' | 'knownCustomer' | 'findCustomers' | 'ordersOfCustomer'
> => {
  const read = customerStatements(database);
  const find = findPayments(database);
  const corrected = correctedWords(database);
  const { firstOf } = listStatements(database);
  const notesOfOrder = evidence.newestOf("event.kind = 'note.added'");
  const hasRequest = evidence.newestOf("event.kind = 'session.requested'");
  /** The newest notes of these orders. */
  const notesOf = (rows: readonly PaymentRow[]): EventOf<'note.added'>[] =>
    rows
      .flatMap(order => [...notesOfOrder(order, null)].map(row => evidence.event(row)).filter(isNote))
      .toSorted((one, other) => other.happenedAt - one.happenedAt)
      .slice(0, maxNotes);
  /** Whether a link was requested for an order since an instant, milliseconds. */
  const isRequestedSince = (order: PaymentRow, since: number): boolean => {
    for (const row of hasRequest(order, null)) if (row[8] >= since) return true;
    return false;
  };

  /** The surest key of the customer of a payment; null if it has none. */
  const keyOf = (payment: number): string | null => {
    const row = read.row(payment);
    if (!row) return null;
    const [typed] = typedKeysOf(row);
    if (typed) return typed.key;
    // A charge of a series belongs to the customer of the first payment.
    const { series, profileId } = row;
    if (series === null || !read.hasEntry(asSurest(seriesKeyOf(profileId, series.firstPaymentId)), payment))
      return null;
    return (
      read
        .paymentsOfId(series.firstPaymentId)
        .flatMap(first => read.row(first) ?? [])
        .filter(first => first.profileId === profileId)
        .flatMap(first => typedKeysOf(first).slice(0, 1))[0]?.key ?? null
    );
  };

  /** All keys of one customer, from one of them on, over the joins between their payments. */
  const spellingsFrom = (own: string): Spellings => {
    const found = new Map<string, Join | null>([[own, null]]);
    if (!read.hasJoins()) return found;
    for (const key of found.keys())
      for (const { other, ...join } of read.joinsOf(asSurest(key))) {
        const next = keyOf(other);
        if (next !== null && !found.has(next) && found.size < maxSpellings) found.set(next, join);
      }
    return found;
  };

  /** The charges of the series that these payments began. */
  const chargesOf = (typed: readonly Listed[], limit: number): Listed[] =>
    typed.flatMap(({ row }) =>
      row.paymentIds.flatMap(id => read.payments(asSurest(seriesKeyOf(row.profileId, id)), limit)),
    );

  /** The newest payments under one surest key, and the charges of their series. */
  const paymentsOf = (key: string, limit: number): Listed[] => {
    const typed = read.payments(asSurest(key), limit);
    return [...typed, ...chargesOf(typed, limit)].toSorted(newestFirst).slice(0, limit);
  };

  const nameOf = (key: string, listed: readonly Listed[]): CustomerName => ({
    orderNumber: listed[0]?.row.orderNumber ?? '',
    ...detailsOf(listed.map(({ row }) => row)),
    payments: Math.max(read.count(asSurest(key)), listed.length),
  });

  /** All payments of a customer, by spelling, and together. */
  const membersOf = (spellings: Spellings, limit: number) => {
    const bySpelling = Array.from(spellings, ([key, joined]) => {
      const listed = paymentsOf(key, limit + 1);
      return { key, joined, listed, name: nameOf(key, listed) };
    }).filter(({ listed }) => listed.length > 0);
    const all = bySpelling.flatMap(({ listed }) => listed).toSorted(newestFirst);
    return { bySpelling, all: all.slice(0, limit), more: all.length > limit };
  };

  /** Other customers with the same phone number or full name, the newest first. */
  const candidatesOf = (spellings: Spellings, members: readonly Listed[]): CustomerName[] => {
    const shared = new Set(
      members.flatMap(({ row }) =>
        typedKeysOf(row).flatMap(({ kind, key }) => (kind === 'email' ? [] : [key])),
      ),
    );
    const seen = new Set(spellings.keys());
    const found: CustomerName[] = [];
    const similar = [...shared]
      .slice(0, maxSimilar)
      .flatMap(key => [...read.payments(key, maxSimilar), ...read.payments(asSurest(key), maxSimilar)])
      .toSorted(newestFirst);
    for (const { payment } of similar) {
      if (found.length === maxCandidates) break;
      const key = keyOf(payment);
      if (key === null || seen.has(key)) continue;
      const all = spellingsFrom(key);
      for (const one of all.keys()) seen.add(one);
      found.push(nameOf(key, paymentsOf(key, maxNamed)));
    }
    return found;
  };

  const customer = (profileId: string, orderNumber: string, limit: number): CustomerRecord | null => {
    const payment = read.paymentOf(profileId, orderNumber);
    const own = payment === undefined ? null : keyOf(payment);
    if (own === null) return null;
    const spellings = spellingsFrom(own);
    const { bySpelling, all, more } = membersOf(spellings, limit);
    return {
      spellings: bySpelling
        .toSorted((one, other) => {
          const [first, second] = [one.listed[0], other.listed[0]];
          return first && second ? newestFirst(first, second) : 0;
        })
        .map(({ joined, name }) => ({ ...name, joined })),
      rows: all.map(({ row }) => row),
      more,
      notes: notesOf(all.map(({ row }) => row)),
      candidates: candidatesOf(spellings, all),
    };
  };

  /** Payments with this key, whether or not it is their surest one, newest first. */
  const withKey = (key: string, limit: number): Listed[] =>
    [...read.payments(asSurest(key), limit), ...read.payments(key, limit)]
      .toSorted(newestFirst)
      .slice(0, limit);

  return {
    customer,
    ordersToErase: (profileId, orderNumber) => {
      const payment = read.paymentOf(profileId, orderNumber);
      const own = payment === undefined ? null : keyOf(payment);
      if (own === null) return [];
      const spellings = spellingsFrom(own);
      const needed = new Set([orderNumber]);
      for (const join of spellings.values())
        for (const order of join ? [join.orderNumber, join.otherOrder] : []) needed.add(order);
      const orders = [...spellings.keys()].toReversed().flatMap(key => {
        const typed = read.payments(asSurest(key), maxOrders);
        const charges = chargesOf(typed, maxOrders);
        const all = [...charges, ...typed].map(({ row }) => row.orderNumber);
        return [...all.filter(order => !needed.has(order)), ...all.filter(order => needed.has(order))];
      });
      return [...new Set([...orders.filter(order => order !== orderNumber), orderNumber])];
    },
    knownCustomer: (profileId, typed, limit) => {
      for (const { kind, key } of customerKeysOf(profileId, typed)) {
        const newest = withKey(key, limit).find(({ row }) => raisedStates.includes(row.state));
        const own = newest && keyOf(newest.payment);
        if (!own) continue;
        const { all, more } = membersOf(spellingsFrom(own), limit);
        return {
          by: kind,
          rows: all.map(({ row }) => row).filter(({ state }) => raisedStates.includes(state)),
          more,
        };
      }
      return null;
    },
    findCustomers: (profileId, words, limit) => {
      const found: FoundCustomer[] = [];
      const seen = new Set<string>();
      const number = readPhoneNumber(words);
      const filter = { ...unfiltered, words: number ?? words.slice(0, 200), profileId };
      /** Adds the customers in whose typed details each of these search words is. */
      const add = (searched: string, isApproximate: boolean): void => {
        const wanted = wantedWords(searched);
        if (wanted.length === 0) return;
        const isMeant = ({ customer: typed, customerFrom }: PaymentRow): boolean => {
          if (customerFrom !== 'request' || !typed) return false;
          const phone = readPhoneNumber(typed.phone ?? '') ?? typed.phone ?? '';
          const own = [typed.name, typed.email, phone].filter(text => text !== undefined);
          const text = ` ${[...own.map(folded), ...own.flatMap(searchWordsOf)].join(' ')} `;
          return wanted.every(forms => forms.some(form => text.includes(form)));
        };
        const first = isUnknownToIndex(searched) ? firstOf(null, maxUnindexed) : 0;
        let below: number | null = null;
        for (let scanned = 0; scanned < maxScanned; scanned += scanLength) {
          const page = find({ ...filter, words: searched }, below, scanLength, now(), first);
          for (const payment of page) {
            const row = read.row(payment);
            const key = row && isMeant(row) ? keyOf(payment) : null;
            if (!row || key === null || seen.has(key)) continue;
            const spellings = spellingsFrom(key);
            for (const one of spellings.keys()) seen.add(one);
            const { bySpelling, all } = membersOf(spellings, maxNamed);
            const payments = bySpelling.reduce((sum, { name }) => sum + name.payments, 0);
            const own = nameOf(key, paymentsOf(key, maxNamed));
            const { orderNumber, amount, currency, firstAt: at } = all[0]?.row ?? row;
            const newest = { amount, currency, at };
            found.push({ profileId: row.profileId, ...own, orderNumber, payments, isApproximate, newest });
            if (found.length === limit) return;
          }
          if (page.length < scanLength) return;
          below = page.at(-1) ?? null;
        }
      };
      add(filter.words, false);
      const exact = found.length;
      // Beside exact matches only whole words: a beginning would match too many.
      for (const similar of corrected(filter.words, exact > 0)) {
        if (found.length === limit || (exact === 0 && found.length > 0)) break;
        add(similar, true);
      }
      return found;
    },
    ordersOfCustomer: (profileId, typed, amount, currency, since) => {
      const first = read.firstSince(dayOf(since)) ?? Number.MAX_SAFE_INTEGER;
      const keys = new Set<string>();
      for (const { key } of customerKeysOf(profileId, typed)) {
        keys.add(key);
        for (const one of spellingsFrom(key).keys()) keys.add(one);
      }
      const listed = [...keys].flatMap(key =>
        [key, asSurest(key)].flatMap(entry => {
          const found: Listed[] = [];
          for (const one of read.withAmount(entry, amount)) {
            if (found.length === maxSameIntent) break;
            // An old order may have a new link.
            if (one.payment >= first || isRequestedSince(one.row, since)) found.push(one);
          }
          return found;
        }),
      );
      return [
        ...new Set(
          listed
            .toSorted(newestFirst)
            .filter(({ row }) => row.currency === currency)
            .map(({ row }) => row.orderNumber),
        ),
      ];
    },
  };
};
