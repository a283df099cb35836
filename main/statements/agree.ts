import { decimalOf } from '../../shared/money/signed-amount.ts';
import {
  paymentLineKinds,
  type MatchRule,
  type PaymentLineKind,
} from '../../shared/statements/statement-kinds.ts';
import type { Sums } from '../../shared/statements/statement-record.schema.ts';
import type { Line, Lines, NotRead } from './reading/line.ts';
import { createLookUp, match, type LookUp, type Match } from './match.ts';
import type { Movement } from './movements.ts';
import { daysOfLump, payoutsOf, sumsByDay, type Payout } from './payouts.ts';
import { daysBetween, spanOf, toleranceDays } from './reading/dates.ts';

/** A row of one of the four lists. Amounts in wire form, with a minus sign for what went back. */
export type AgreementRow = {
  orderNumber: string | null;
  kind: PaymentLineKind;
  line: number | null;
  /** The movement here, see `Movement`; null: none. */
  movement: string | null;
  rule: MatchRule | null;
  amount: string | null;
  currency: string;
  day: string | null;
};
/** `what`: in which value the two differ. */
export type Difference = AgreementRow & { what: 'amount' | 'currency' | 'day'; ours: string; theirs: string };
/** `again`: another line already is this movement. `unknown`: nothing here is. */
export type OnlyThere = AgreementRow & { reason: 'again' | 'unknown' };

export type Agreement = {
  agreed: AgreementRow[];
  onlyHere: AgreementRow[];
  onlyThere: OnlyThere[];
  different: Difference[];
  notRead: readonly NotRead[];
  /** Money that is no payment: reserves, and what else moved on a bank's account. */
  other: { line: number; amount: string; currency: string; day: string | null }[];
  payouts: (Omit<Payout, 'gross' | 'fees' | 'net'> & Omit<Sums, 'currency'>)[];
  totals: Sums[];
  /** Fees and net of each day. */
  days: (Sums & { day: string })[];
  /** The days for which a payment here should be in the statement. */
  period: { first: string; last: string } | null;
};

const isPaymentKind = (kind: Line['kind']): kind is PaymentLineKind =>
  paymentLineKinds.some(one => one === kind);

/** The share of matches whose days agree, from which the file's days are those of the payments. */
const sameDaysShare = 0.8;

/** Whether the days of the lines are those of the payments; otherwise they are days of booking, and not compared. */
const compareDays = (matches: readonly Match[]): boolean => {
  const dated = matches.filter(({ line }) => line.day !== null);
  const near = dated.filter(
    ({ line, movement }) => daysBetween(line.day ?? '', movement.day) <= toleranceDays,
  );
  return dated.length > 0 && near.length >= dated.length * sameDaysShare;
};

/** Days by which a booking may be later than its payment. */
const maxLateDays = 45;

/** The days that a statement covers, as days of payments: those of its lines, or of the payments that they are. */
const periodOf = (
  { lines, period }: Lines,
  matches: readonly Match[],
  isDayCompared: boolean,
): Agreement['period'] => {
  const near = isDayCompared
    ? []
    : matches.filter(({ line, movement }) => {
        const day = line.day ?? line.settled;
        return day !== null && daysBetween(day, movement.day) <= maxLateDays;
      });
  const ofLines = spanOf(lines.flatMap(({ day, settled }) => day ?? settled ?? []));
  const ofPayments = spanOf((near.length > 0 ? near : matches).map(({ movement }) => movement.day));
  const span = (isDayCompared ? ofLines : ofPayments) ?? ofLines;
  const isWithin =
    span === null || (period !== null && period.first <= span.first && period.last >= span.last);
  return isWithin ? period : span;
};

/** What came and went again, as a cancellation on the same day does: no statement shows it. */
const cancelled = (movements: readonly Movement[]): ReadonlySet<Movement> => {
  const out = new Set<Movement>();
  const byPayment = Map.groupBy(movements, ({ orderNumber, paymentId }) => `${orderNumber} ${paymentId}`);
  for (const of of byPayment.values())
    for (const one of of) {
      const other = out.has(one)
        ? undefined
        : of.find(
            other =>
              !out.has(other) &&
              other !== one &&
              one.amount !== null &&
              other.amount === -one.amount &&
              other.currency === one.currency,
          );
      if (other) out.add(one).add(other);
    }
  return out;
};

const sumsOf = (lines: readonly Line[]): Sums[] =>
  [...Map.groupBy(lines, ({ currency }) => currency)]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([currency, of]) => {
      const gross = of.reduce((all, line) => all + line.gross, 0n);
      const fees = of.reduce((all, line) => all + line.fee, 0n);
      return {
        currency,
        gross: decimalOf(gross, currency),
        fees: decimalOf(fees, currency),
        net: decimalOf(gross - fees, currency),
      };
    });

const wire = (amount: bigint | null, currency: string): string | null =>
  amount === null ? null : decimalOf(amount, currency);

const rowOf = (line: Line, movement: Movement | null, rule: MatchRule | null): AgreementRow => ({
  orderNumber: movement?.orderNumber ?? line.order,
  kind: movement?.kind ?? (isPaymentKind(line.kind) ? line.kind : 'sale'),
  line: line.line,
  movement: movement?.key ?? null,
  rule,
  amount: wire(line.gross, line.currency),
  currency: line.currency,
  day: line.day ?? line.settled,
});

/** In which value a line and its movement differ, and both values; null: in none. `paid`: by all lines of the movement. */
const differenceOf = (
  { line, movement }: Match,
  paid: bigint,
  isDayCompared: boolean,
): Pick<Difference, 'what' | 'ours' | 'theirs'> | null => {
  const ours = wire(movement.amount, movement.currency) ?? '';
  const theirs = wire(line.gross, line.currency) ?? '';
  if (movement.currency !== line.currency)
    return {
      what: 'currency',
      ours: `${ours} ${movement.currency}`,
      theirs: `${theirs} ${line.currency}`,
    };
  if (movement.amount !== null && movement.amount !== paid) return { what: 'amount', ours, theirs };
  return isDayCompared && line.day !== null && daysBetween(line.day, movement.day) > toleranceDays
    ? { what: 'day', ours: movement.day, theirs: line.day }
    : null;
};

/** The rows of lines that are movements: those that agree, and those that differ. `isShared`: several may be one together. */
const compareMatches = (
  matches: readonly Match[],
  isDayCompared: boolean,
  isShared: boolean,
): Pick<Agreement, 'agreed' | 'different'> => {
  const paidBy = new Map<Movement, bigint>();
  if (isShared)
    for (const { line, movement } of matches) paidBy.set(movement, (paidBy.get(movement) ?? 0n) + line.gross);
  const [agreed, different]: [AgreementRow[], Difference[]] = [[], []];
  for (const found of matches) {
    const row = rowOf(found.line, found.movement, found.rule);
    const difference = differenceOf(found, paidBy.get(found.movement) ?? found.line.gross, isDayCompared);
    if (difference === null) agreed.push(row);
    else different.push({ ...row, ...difference });
  }
  return { agreed, different };
};

/**
 * What lines are that match no movement: payments that are only there, one sum of several days, or money that is no
 * payment. A booking that no payment here explains is only a payment if it looks like those that are.
 */
const sortUnmatched = (
  unmatched: readonly Line[],
  matches: readonly Match[],
  movements: readonly Movement[],
): { onlyThere: OnlyThere[]; lumps: Payout[]; other: Line[] } => {
  const forms = new Set(matches.flatMap(({ line }) => line.form ?? []));
  let days: ReturnType<typeof sumsByDay> | null = null;
  const [onlyThere, lumps, other]: [OnlyThere[], Payout[], Line[]] = [[], [], []];
  for (const line of unmatched) {
    const { currency, gross, settled } = line;
    if (line.form === null || forms.has(line.form)) {
      onlyThere.push({ ...rowOf(line, null, null), reason: 'unknown' });
      continue;
    }
    days ??= sumsByDay(movements);
    const lump = settled === null ? null : daysOfLump(gross, settled, days.get(currency) ?? []);
    if (lump === null) other.push(line);
    else
      lumps.push({
        line: line.line,
        batch: null,
        ...lump,
        currency,
        gross,
        fees: 0n,
        net: gross,
        agrees: true,
      });
  }
  return { onlyThere, lumps, other };
};

/** Movements of the statement's days that are in no line, neither alone nor in one sum. */
const missingOf = (
  movements: readonly Movement[],
  period: Agreement['period'],
  isKnown: (movement: Movement) => boolean,
): AgreementRow[] => {
  const open = movements.filter(movement => !isKnown(movement));
  const gone = cancelled(open);
  return open
    .filter(
      movement =>
        period !== null && movement.day >= period.first && movement.day <= period.last && !gone.has(movement),
    )
    .map(({ orderNumber, kind, key, amount, currency, day }) => ({
      orderNumber,
      kind,
      line: null,
      movement: key,
      rule: null,
      amount: wire(amount, currency),
      currency,
      day,
    }));
};

/**
 * Compares a statement with the movements here. `tied`: what persons decided, see `match`. `elsewhere`: keys of
 * movements that other statements of the sender contain, so that they are not missing here. `lookUp`: of these movements.
 */
export const agree = (
  statement: Lines,
  movements: readonly Movement[],
  {
    tied = new Map(),
    elsewhere = new Set(),
    lookUp = createLookUp(movements),
  }: { tied?: ReadonlyMap<number, string | null>; elsewhere?: ReadonlySet<string>; lookUp?: LookUp } = {},
): Agreement => {
  const payments = statement.lines.filter(({ kind }) => isPaymentKind(kind));
  const { matches, again, unmatched } = match(payments, movements, lookUp, tied);
  const isDayCompared = compareDays(matches);
  const { onlyThere, lumps, other } = sortUnmatched(unmatched, matches, movements);
  const bookings = [...statement.lines.filter(({ kind }) => kind === 'other'), ...other];
  const seen = new Set(matches.map(({ movement }) => movement));
  const period = periodOf(statement, matches, isDayCompared);
  const isInLump = ({ day }: Movement): boolean =>
    lumps.some(({ first, last }) => day >= (first ?? '') && day <= (last ?? ''));
  const uncounted = new Set(bookings);
  const inLumps = new Set(lumps.map(({ line }) => line));
  const counted = statement.lines.filter(
    line => line.kind !== 'payout' && !uncounted.has(line) && !inLumps.has(line.line),
  );
  return {
    ...compareMatches(matches, isDayCompared, seen.size < matches.length),
    onlyHere: missingOf(
      movements,
      period,
      movement => seen.has(movement) || elsewhere.has(movement.key) || isInLump(movement),
    ),
    onlyThere: [
      ...again.map(({ line, movement, rule }) => ({
        ...rowOf(line, movement, rule),
        reason: 'again' as const,
      })),
      ...onlyThere,
    ],
    notRead: statement.notRead,
    other: bookings.map(({ line, gross, fee, currency, day, settled }) => ({
      line,
      amount: decimalOf(gross - fee, currency),
      currency,
      day: day ?? settled,
    })),
    payouts: [...payoutsOf(statement.lines), ...lumps].map(({ gross, fees, net, ...rest }) => ({
      ...rest,
      gross: decimalOf(gross, rest.currency),
      fees: decimalOf(fees, rest.currency),
      net: decimalOf(net, rest.currency),
    })),
    totals: sumsOf(counted),
    days: [...Map.groupBy(counted, ({ day, settled }) => day ?? settled ?? '')]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .flatMap(([day, of]) => sumsOf(of).map(sums => ({ day, ...sums }))),
    period,
  };
};
