import type { MonthView, StatementRow } from '../../../shared/contract/statement-requests.ts';
import { ok, type Result } from '../../../shared/errors.ts';
import type { MovedMoney } from '../../../shared/money/moved-money.schema.ts';
import { decimalOf, minorOf } from '../../../shared/money/signed-amount.ts';
import { movementStandings } from '../../../shared/statements/statement-kinds.ts';
import type { AgreementCounts, Sums } from '../../../shared/statements/statement-record.schema.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import type { Agreement } from '../../statements/agree.ts';
import type { Movement } from '../../statements/movements.ts';
import { daysBetween } from '../../statements/reading/dates.ts';
import { startStatementThread } from '../../statements/statement-thread.ts';
import type { AppDependencies } from '../common/app-context.ts';
import { monthPeriod, readMovements } from './month-movements.ts';
import {
  explainedKey,
  explanationsOf,
  readBook,
  readLines,
  tiesOf,
  type StatementBook,
} from './statement-book.ts';

/** Days after a payout within which a bank receives it. */
const maxUnderwayDays = 10;

/** A month compared, with all rows. */
export type MonthComparison = Omit<MonthView, 'closed' | 'rows'> & {
  rows: StatementRow[];
  book: StatementBook;
  days: readonly (Sums & { day: string; statement: string })[];
};

/** `isOfBank`: by its format. */
type Compared = { statement: string; isOfBank: boolean; agreement: Agreement };

const rowsOf = (compared: readonly Compared[], book: StatementBook): StatementRow[] => {
  const explained = explanationsOf(book);
  const seenHere = new Set<string>();
  const rows: StatementRow[] = [];
  const add = (
    list: StatementRow['list'],
    statement: string | null,
    of: Omit<StatementRow, 'list' | 'id' | 'statement' | 'explanation'>,
  ): void => {
    const known = explained.get(explainedKey({ ...of, statement }));
    rows.push({
      ...of,
      list,
      statement,
      id: `${list} ${statement ?? ''} ${of.line ?? ''} ${of.movement ?? ''}`,
      explanation: known ? { text: known.text, agent: known.agent, at: known.at } : null,
    });
  };
  const nothing = { reason: null, ours: null, theirs: null };
  for (const { statement, agreement } of compared) {
    for (const row of agreement.different) {
      const { what, ...rest } = row;
      add('different', statement, { ...rest, reason: what });
    }
    for (const row of agreement.onlyHere) {
      const key = row.movement ?? '';
      if (seenHere.has(key)) continue;
      seenHere.add(key);
      const reason = row.amount === null ? 'amount-unknown' : null;
      add('onlyHere', null, { ...row, ...nothing, reason });
    }
    for (const { reason, ...row } of agreement.onlyThere)
      add('onlyThere', statement, { ...row, ...nothing, reason });
    for (const { line, why } of agreement.notRead)
      add('notRead', statement, {
        line,
        movement: null,
        orderNumber: null,
        kind: null,
        rule: null,
        amount: null,
        currency: '',
        day: null,
        ...nothing,
        reason: why,
      });
    for (const row of agreement.agreed) add('agreed', statement, { ...row, ...nothing });
  }
  return rows;
};

const countsOf = (rows: readonly StatementRow[]): AgreementCounts => {
  const counts = { agreed: 0, onlyHere: 0, onlyThere: 0, different: 0, explained: 0, notRead: 0 };
  for (const { list, explanation } of rows)
    counts[list === 'agreed' || explanation === null ? list : 'explained'] += 1;
  return counts;
};

type Standing = MonthView['parts'][number]['standing'];

/** What the net of a currency leaves out, minor units. */
const outsideNet = (of: MovedMoney | undefined): bigint => {
  const minor = (wire: string): bigint => minorOf(wire, of?.currency ?? '') ?? 0n;
  if (of === undefined) return 0n;
  const back = minor(of.refundedAmount) + minor(of.voidedAmount) + minor(of.disputedAmount);
  return minor(of.paidAmount) - back - minor(of.netAmount);
};

/** The money of `movements` by what they are in the statements, and what the overview leaves out of it. */
const partsOf = (
  movements: readonly Movement[],
  standings: ReadonlyMap<string, Standing>,
  figures: readonly MovedMoney[],
): MonthView['parts'] =>
  [...Map.groupBy(movements, ({ currency }) => currency)]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([currency, ofCurrency]) => {
      const byStanding = Map.groupBy(ofCurrency, ({ key }) => standings.get(key) ?? 'elsewhere');
      const outside = outsideNet(figures.find(one => one.currency === currency));
      return movementStandings.flatMap((standing): MonthView['parts'] => {
        if (standing === 'outside')
          return outside === 0n
            ? []
            : [{ standing, currency, movements: null, amount: decimalOf(-outside, currency) }];
        const of = byStanding.get(standing) ?? [];
        const minor = of.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n);
        return of.length === 0
          ? []
          : [{ standing, currency, movements: of.length, amount: decimalOf(minor, currency) }];
      });
    });

/** The payouts with the line of a bank that received each: the only one of its amount in the days after it. */
export const payoutsOf = (compared: readonly Compared[]): MonthView['payouts'] => {
  // What a bank booked as one sum is a payout in its own statement, if its payments are known.
  const received = compared.flatMap(({ isOfBank, agreement: { other, payouts } }) => [
    ...other,
    ...(isOfBank ? payouts.map(({ net, last, ...rest }) => ({ ...rest, amount: net, day: last })) : []),
  ]);
  return compared.flatMap(({ statement, isOfBank, agreement }) =>
    agreement.payouts.map(({ line, batch, first, last, currency, gross, fees, net, agrees }) => {
      const fitting = received.filter(
        one =>
          one.amount === net &&
          one.currency === currency &&
          one.day !== null &&
          last !== null &&
          one.day >= last &&
          daysBetween(one.day, last) <= maxUnderwayDays,
      );
      const bankLine = isOfBank ? line : fitting.length === 1 ? (fitting[0]?.line ?? null) : null;
      return { statement, line, batch, first, last, currency, gross, fees, net, agrees, bankLine };
    }),
  );
};

/** Compares all statements of a month with the movements here. Errors: `internal`, and those of the log. */
export const compareMonth = async (
  { clock }: Pick<AppDependencies, 'clock'>,
  log: PaymentLog,
  { profileId, month, zone }: { profileId: string; month: string; zone: string },
): Promise<Result<MonthComparison>> => {
  const book = await readBook(log, profileId);
  const [first, last] = [`${month}-01`, `${month}-31`];
  const statements = book.statements.filter(
    ({ period }) => period !== null && period.first <= last && period.last >= first,
  );
  const span = monthPeriod(month, zone);
  const starts = statements.flatMap(({ period }) => (period === null ? [] : Date.parse(period.first)));
  const movements = await readMovements(
    log,
    profileId,
    Math.min(span.from, ...starts),
    Math.max(span.until, clock() + 1),
    zone,
  );
  const figures = [...((await log.movedMoney(profileId, [span]))[0] ?? [])];
  const thread = startStatementThread();
  try {
    const stored = await Promise.all(
      statements.map(async ({ statement, period, unread }) => ({
        statement,
        parts: await readLines(log, statement),
        notRead: unread,
        period,
        tied: tiesOf(book, statement),
      })),
    );
    const result: Result<Record<string, Agreement>> =
      statements.length === 0 ? ok({}) : await thread.run('compare', stored, movements);
    if (!result.ok) return result;
    const compared = statements.flatMap(({ statement, format }): Compared[] => {
      const agreement = result.value[statement];
      const isOfBank = format === 'camt' || format === 'mt940';
      return agreement ? [{ statement, isOfBank, agreement }] : [];
    });
    const standings = new Map<string, Standing>();
    for (const list of ['onlyHere', 'different', 'agreed'] as const)
      for (const { agreement } of compared)
        for (const { movement } of agreement[list]) if (movement !== null) standings.set(movement, list);
    const rows = rowsOf(compared, book).filter(({ day }) => day === null || day.startsWith(month));
    return ok({
      month,
      zone,
      book,
      statements: statements.map(({ statement, name, format, at, agent, lines, notRead, period }) => ({
        statement,
        name,
        format,
        importedAt: at,
        agent,
        lines,
        notRead,
        period,
      })),
      counts: countsOf(rows),
      rows,
      payouts: payoutsOf(compared),
      sums: compared.flatMap(({ statement, agreement }) =>
        agreement.totals.map(of => ({ ...of, statement })),
      ),
      figures,
      parts: partsOf(
        movements.filter(({ at }) => at >= span.from && at < span.until),
        standings,
        figures,
      ),
      days: compared.flatMap(({ statement, agreement }) =>
        agreement.days.flatMap(of => (of.day.startsWith(month) ? { ...of, statement } : [])),
      ),
    });
  } finally {
    thread.close();
  }
};
