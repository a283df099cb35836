import * as fc from 'fast-check';
import { runs } from '../../../tools/app-harness/runs.ts';
import { describe, expect, test } from 'vitest';
import { netOf, totalsCounter } from '../../../main/export/books.ts';
import { hrefOf, readRoute, type Route } from '../../../renderer/routes.ts';
import { listOfElsewhere, listOfLinks } from '../../../renderer/screens/overview/links.ts';
import { filterOf } from '../../../renderer/stores/payments/filters.ts';
import { splitIntoDays } from '../../../shared/days.ts';
import type { Event, EventDraft } from '../../../shared/payments/evidence.ts';
import { decimalOf } from '../../../shared/money/signed-amount.ts';
import { countedWire, wireOf } from '../../../shared/money/wire-amount.ts';
import {
  convertedStates,
  noOutcomes,
  outcomes,
  outcomeStates,
  raisedOf,
  raisedStates,
} from '../../../shared/payments/outcomes.ts';
import type { Entry } from '../../../shared/payments/movement.ts';
import { rowOf } from '../../../shared/payments/payment-row.ts';
import { entriesIn, type Period } from '../../../shared/reports/payment-books.ts';
import type { MovedMoney } from '../../../shared/money/moved-money.schema.ts';
import type { Overview } from '../../../shared/reports/overview.ts';
import type { Payment, PaymentState } from '../../../shared/payments/payment.ts';
import { stateAt } from '../../../shared/payment-reducer/state-at.ts';
import { reducePayment } from '../../../shared/payment-reducer/reduce.ts';
import {
  accepted,
  asEvent,
  callback,
  hour,
  lookUp,
  refusedSession,
  requested,
  start,
} from '../../../tools/evidence/evidence.ts';
import { listInMemory } from '../../../tools/postgres-harness/list.ts';
import { project } from '../../../main/payment-log/projection/project.ts';
import { projector } from '../../../main/payment-log/sqlite/list/projector.ts';
import { createListReader } from '../../../main/payment-log/sqlite/query/list-reader.ts';

/** The overview's SQL counts the same as plain code, and every number opens the payments that it counts. */

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const day = 24 * hour;
const now = start + 20 * day;

type Order = {
  history: (typeof storyNames)[number];
  at: number;
  delay: number;
  amount: string;
  currency: string;
  agent: string;
  profileId: string;
};
const storyNames = [
  'waiting',
  'unanswered',
  'refused',
  'paid',
  'settled',
  'declined',
  'refunded',
  'chargeback',
  'voided',
  'contradictory',
  'elsewhere',
] as const;

const order: fc.Arbitrary<Order> = fc.record({
  history: fc.constantFrom(...storyNames),
  at: fc.oneof(
    fc.integer({ min: 0, max: 20 * day }),
    // Exactly at the start of a day.
    fc.integer({ min: 1, max: 19 }).map(days => new Date(start + days * day).setHours(0, 0, 0, 0) - start),
    fc.integer({ min: 20 * day - hour, max: 20 * day }),
  ),
  delay: fc.integer({ min: 1_000, max: 3 * hour }),
  amount: fc.constantFrom('123.40', '0.01', '9999999.99', '100.00', '83.47', '12345678901234567890.00'),
  currency: fc.constantFrom('EUR', 'EUR', 'USD', 'JPY'),
  agent: fc.constantFrom('Ada', 'Grace Hopper', 'Zoë'),
  profileId: fc.constantFrom('shop', 'hotel'),
});

const eventsOf = (one: Order, number: number): Event[] => {
  const { at, delay, amount, currency, agent, profileId } = one;
  const orderNumber = `T-${number}`;
  const mine = { agent, profileId, orderNumber };
  const later = at + delay;
  const description = (when: number, type: string, status: string): EventDraft =>
    callback(
      when,
      type,
      status,
      { id: `p-${number}`, order_number: orderNumber, order_amount: amount, order_currency: currency },
      undefined,
      { profileId, orderNumber, paymentId: `p-${number}` },
    );
  const terms = { number: orderNumber, amount, currency, description: 'Blue chair' };
  const observed = (when: number, status: string): EventDraft =>
    lookUp(
      when,
      status,
      { paymentId: `p-${number}`, order: terms },
      { profileId, orderNumber, paymentId: `p-${number}` },
    );
  const asked = requested(at, { amount, currency }, mine);
  const raised = [asked, accepted(at + 500, {}, mine)];
  const attemptHistories: Record<Order['history'], EventDraft[]> = {
    waiting: raised,
    unanswered: [asked],
    refused: [asked, { ...refusedSession(at + 500), ...mine }],
    paid: [...raised, description(later, 'sale', 'success')],
    settled: [...raised, description(later, 'sale', 'success'), observed(later + hour, 'settled')],
    declined: [...raised, description(later, 'sale', 'fail')],
    refunded: [
      ...raised,
      description(later, 'sale', 'success'),
      description(later + hour, 'refund', 'success'),
    ],
    chargeback: [
      ...raised,
      description(later, 'sale', 'success'),
      description(later + hour, 'chargeback', 'success'),
    ],
    voided: [...raised, description(later, 'sale', 'success'), description(later + hour, 'void', 'success')],
    contradictory: [...raised, description(later, 'sale', 'success'), observed(later + hour, 'decline')],
    elsewhere: [description(at, 'sale', 'success')],
  };
  return attemptHistories[one.history].map(asEvent);
};

type ListReads = ReturnType<typeof createListReader>;

/** A list of payments, given by their events, that has no evidence. */
const openList = (payments: readonly (readonly Event[])[]): { list: ListReads; close: () => void } => {
  const { database, close } = listInMemory('console-1');
  const rows = projector(database);
  for (const [index, events] of payments.entries()) {
    const projected = project(events);
    if (projected) rows.set(index + 1, projected);
  }
  rows.flush();
  return { list: createListReader(database, () => now), close };
};

/** The number of payments in the list of a route, over all pages. */
const countAt = (list: ListReads, route: Route, profileId: string | null): number => {
  const place = readRoute(hrefOf(route));
  if (place.screen !== 'payments') return -1;
  let count = 0;
  let cursor: string | null = null;
  do {
    const page: ReturnType<ListReads['list']> = list.list(filterOf(place, profileId, now), cursor, 7);
    count += page.rows.length;
    cursor = page.next;
  } while (cursor !== null);
  return count;
};

/** What moved in a period by its own date; Net as the export adds it up. */
const movedByHand = (payments: readonly Payment[], period: Period): MovedMoney[] => {
  const counter = totalsCounter(period, () => '');
  const rows = payments.map(rowOf);
  for (const row of rows) counter.add(row);
  const sum = (kind: Entry['kind'], currency: string): string => {
    const moved = rows.filter(row => row.currency === currency).flatMap(row => entriesIn(row, period));
    const minor = moved
      .filter(one => one.kind === kind)
      .reduce(
        (all, { amount }) => all + ((amount === null ? null : countedWire(amount, currency)) ?? 0n),
        0n,
      );
    return decimalOf(minor, currency);
  };
  return counter.read().map(({ currency, all }) => ({
    currency,
    paidAmount: sum('paid', currency),
    refundedAmount: sum('refund', currency),
    voidedAmount: sum('void', currency),
    disputedAmount: sum('chargeback', currency),
    netAmount: decimalOf(netOf(all), currency),
    uncounted: all.notCounted,
  }));
};

/** The same counts in plain JavaScript, from the payments themselves. */
const countedByHand = (payments: readonly Payment[], cuts: readonly number[]): Overview => {
  const from = cuts[0] ?? 0;
  const until = cuts.at(-1) ?? 0;
  const within = (payment: Payment, first: number, last: number): boolean =>
    payment.firstAt >= first && payment.firstAt < last;
  const now_ = (payment: Payment): PaymentState =>
    stateAt({ state: payment.state, expiresAt: payment.link?.expiresAt ?? null }, now);
  const inTime = payments.filter(payment => within(payment, from, until));
  const here = inTime.filter(({ raisedHere }) => raisedHere);
  const outcomesOf = (some: readonly Payment[]) => {
    const counts = noOutcomes();
    for (const outcome of outcomes)
      counts[outcome] = some.filter(payment => outcomeStates[outcome].includes(now_(payment))).length;
    return counts;
  };
  const sum = (some: readonly Payment[], currency: string): string =>
    wireOf(
      some.reduce((total, { amount }) => total + (countedWire(amount ?? '', currency) ?? 0n), 0n),
      currency,
    );
  /** Minor units that came in or went back, and the movements that cannot be read. */
  const moneyOf = (some: readonly Payment[]) => {
    const sums = { paid: 0n, returned: 0n, uncounted: 0 };
    for (const { entries, currency } of some)
      for (const { kind, amount } of entries) {
        const minor = amount === null ? null : countedWire(amount, currency ?? '');
        if (minor === null) sums.uncounted += 1;
        else sums[kind === 'paid' ? 'paid' : 'returned'] += minor;
      }
    return sums;
  };
  /** Paid minus returned of the payments whose every amount can be read. */
  const netSum = (some: readonly Payment[]): bigint => {
    const { paid, returned } = moneyOf(some.filter(one => moneyOf([one]).uncounted === 0));
    return paid - returned;
  };
  const medianOf = (some: readonly Payment[]): number | null => {
    const took = some
      .flatMap(({ paidAt, firstAt }) => (paidAt === null ? [] : [paidAt - firstAt]))
      .sort((one, other) => one - other);
    if (took.length === 0) return null;
    const middle = [took[Math.floor((took.length - 1) / 2)] ?? 0, took[Math.floor(took.length / 2)] ?? 0];
    return ((middle[0] ?? 0) + (middle[1] ?? 0)) / 2;
  };
  const figures = (some: readonly Payment[], currency: string) => ({
    outcomes: outcomesOf(some),
    refused: some.filter(payment => now_(payment) === 'refused').length,
    converted: some.filter(payment => convertedStates.includes(now_(payment))).length,
    raisedAmount: sum(
      some.filter(payment => raisedStates.includes(now_(payment))),
      currency,
    ),
    paidAmount: wireOf(moneyOf(some).paid, currency),
    returnedAmount: wireOf(moneyOf(some).returned, currency),
    netAmount: decimalOf(netSum(some), currency),
    outsideNetAmount: decimalOf(moneyOf(some).paid - moneyOf(some).returned - netSum(some), currency),
    uncounted: moneyOf(some).uncounted,
    unreadAmounts: some.filter(
      payment =>
        raisedStates.includes(now_(payment)) &&
        (payment.amount === null || countedWire(payment.amount, currency) === null),
    ).length,
  });
  const paidBetween = (currency: string, first: number, last: number): string =>
    wireOf(
      moneyOf(payments.filter(one => one.raisedHere && one.currency === currency && within(one, first, last)))
        .paid,
      currency,
    );
  const currencies = [...new Set(here.map(({ currency }) => currency ?? ''))].map(currency => {
    const some = here.filter(payment => payment.currency === currency);
    return {
      currency,
      figures: figures(some, currency),
      medianToPay: medianOf(some),
      days: cuts.slice(1).map((end, index) => ({
        from: cuts[index] ?? 0,
        until: end,
        outcomes: outcomesOf(some.filter(payment => within(payment, cuts[index] ?? 0, end))),
        converted: some.filter(
          payment => within(payment, cuts[index] ?? 0, end) && convertedStates.includes(now_(payment)),
        ).length,
        paidAmount: paidBetween(currency, cuts[index] ?? 0, end),
      })),
      agents: [...new Set(some.map(({ agent }) => agent ?? ''))].map(agent => ({
        agent,
        ...figures(
          some.filter(payment => payment.agent === agent),
          currency,
        ),
      })),
    };
  });
  return { currencies, elsewhere: inTime.length - here.length };
};

const byName = (overview: Overview): Overview => ({
  ...overview,
  currencies: overview.currencies
    .map(of => ({ ...of, agents: of.agents.toSorted((one, other) => (one.agent < other.agent ? -1 : 1)) }))
    .sort((one, other) => (one.currency < other.currency ? -1 : 1)),
});

const span = fc
  .tuple(fc.integer({ min: 0, max: 19 }), fc.integer({ min: 1, max: 20 }))
  .map(([first, days]) => {
    const midnight = new Date(start + first * day).setHours(0, 0, 0, 0);
    const end = new Date(midnight);
    end.setDate(end.getDate() + days);
    return splitIntoDays(midnight, end.getTime(), zone);
  });

describe('the overview', () => {
  test('equals the counts by plain code over the same payments, and so does the money by its own date', () => {
    fc.assert(
      fc.property(fc.array(order, { maxLength: 40 }), span, (orders, cuts) => {
        const payments = orders.map(eventsOf);
        const { list, close } = openList(payments);
        for (const profileId of ['shop', null]) {
          const mine = orders.flatMap((one, index) =>
            profileId === null || one.profileId === profileId ? [reducePayment(payments[index] ?? [])] : [],
          );
          expect(byName(list.overview(profileId, cuts))).toEqual(byName(countedByHand(mine, cuts)));
          const spans = [0, ...cuts.slice(1).keys()].map((first, index) => ({
            from: cuts[first] ?? 0,
            until: (index === 0 ? cuts.at(-1) : cuts[first + 1]) ?? 0,
          }));
          const byCurrency = (moved: readonly MovedMoney[]) =>
            moved.toSorted((one, other) => (one.currency < other.currency ? -1 : 1));
          expect(list.movedMoney(profileId, spans).map(byCurrency)).toEqual(
            spans.map(one => byCurrency(movedByHand(mine, one))),
          );
        }
        close();
      }),
      { numRuns: runs(20) },
    );
  });

  test('opens from each number a list with exactly that many payments', () => {
    fc.assert(
      fc.property(
        fc.array(order, { minLength: 10, maxLength: 40 }),
        span,
        fc.constantFrom('en' as const, 'de' as const),
        (orders, cuts, language) => {
          const { list, close } = openList(orders.map(eventsOf));
          const all = { from: cuts[0] ?? 0, until: cuts.at(-1) ?? 0 };
          const { currencies, elsewhere } = list.overview('shop', cuts);
          const ofElsewhere = listOfElsewhere(all, language);
          expect(countAt(list, ofElsewhere, 'shop')).toBe(elsewhere);
          expect(countAt(list, ofElsewhere, null)).toBe(list.overview(null, cuts).elsewhere);
          for (const { currency, figures, days, agents } of currencies) {
            const opens = (states: readonly PaymentState[], days_ = all, agent?: string): number =>
              countAt(
                list,
                listOfLinks(
                  days_,
                  states,
                  agent === undefined ? { currency } : { currency, agent },
                  language,
                ),
                'shop',
              );
            for (const of of [
              { ...figures, days: all, agent: undefined },
              ...agents.map(one => ({ ...one, days: all })),
            ]) {
              expect(opens(raisedStates, of.days, of.agent)).toBe(raisedOf(of.outcomes));
              expect(opens(convertedStates, of.days, of.agent)).toBe(of.converted);
              expect(opens(['refused'], of.days, of.agent)).toBe(of.refused);
              for (const outcome of outcomes)
                expect(opens(outcomeStates[outcome], of.days, of.agent)).toBe(of.outcomes[outcome]);
            }
            for (const one of days) {
              expect(opens(raisedStates, one)).toBe(raisedOf(one.outcomes));
              expect(opens(outcomeStates.paid, one)).toBe(one.outcomes.paid);
            }
          }
          close();
        },
      ),
      { numRuns: runs(8) },
    );
  });

  test('counts every state of a created link under one outcome', () => {
    expect(new Set(raisedStates).size).toBe(raisedStates.length);
    expect(convertedStates.every(state => raisedStates.includes(state))).toBe(true);
  });

  test('the paid rate counts exactly the links of the groups of what was paid and what went back', () => {
    expect([...convertedStates].sort()).toEqual([...outcomeStates.paid, ...outcomeStates.returned].sort());
  });
});
