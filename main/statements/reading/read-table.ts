import { currencyStatus } from '../../../shared/money/currencies.ts';
import type {
  ColumnRole,
  DateOrder,
  LineKind,
  NumberForm,
} from '../../../shared/statements/statement-kinds.ts';
import {
  cardOf,
  formOf,
  referenceOf,
  wordsOf,
  type Line,
  type Lines,
  type NotRead,
  type Question,
} from './line.ts';
import type { Row, Table } from '../files/statement-rows.ts';
import { directionOf, type Columns } from './statement-columns.ts';
import { dateOrdersOf, dayInZone, readWhen } from './dates.ts';
import { isTotalRow, isUndone } from './kinds.ts';
import { meanings, type KnownPayments } from './meanings.ts';
import { numberFormsOf, readNumber } from './numbers.ts';
import { plainWords } from './plain-words.ts';

/** How the numbers and dates of a file are read, once it is certain. */
export type Conventions = { numbers: NumberForm; dates: DateOrder };

/** The cells of a row by role; of references all of them. */
const rowReader = ({ roles }: Pick<Columns, 'roles'>) => {
  const at = new Map<ColumnRole, number>();
  const references: number[] = [];
  const texts: number[] = [];
  const fees: number[] = [];
  for (const [column, role] of roles.entries())
    if (role === 'reference') references.push(column);
    else if (role === 'text') texts.push(column);
    else {
      if (role === 'fee') fees.push(column);
      if (!at.has(role)) at.set(role, column);
    }
  const cleaned = (cell = ''): string => {
    const text = cell.trim();
    return /^[='"]/.test(text) ? text.replace(/^="(.*)"$/, '$1').replace(/^'/, '') : text;
  };
  return {
    has: (role: ColumnRole): boolean => at.has(role),
    of: ({ cells }: Row, role: ColumnRole): string => {
      const column = at.get(role);
      return column === undefined ? '' : cleaned(cells[column]);
    },
    references: ({ cells }: Row): string[] =>
      references.flatMap(column => {
        const cell = cleaned(cells[column]);
        // A spreadsheet has rounded it.
        return /^\d\.\d+E\+?\d+$/i.test(cell) ? [] : (referenceOf(cell) ?? []);
      }),
    /** Whether several columns have fees, and their cells. */
    hasSeveralFees: fees.length > 1,
    fees: ({ cells }: Row): string[] => fees.map(column => cleaned(cells[column])).filter(Boolean),
    text: ({ cells }: Row): string => texts.map(column => cleaned(cells[column])).join(' '),
  };
};
type RowReader = ReturnType<typeof rowReader>;

const moneyRoles = ['amount', 'debit', 'credit', 'fee', 'net', 'net-debit', 'net-credit'] as const;

/** Record types of rows that are no transactions, where a file has them in its first column. */
const isRecordOfOther = (record: string): boolean =>
  record !== '' && !/^(sb|tr|tx|d|dt|dtl|data|detail|row|line|position)$/i.test(record);

/** The rows after the headings that may be lines: neither totals nor the heads and feet of sections. */
const bodyOf = (table: Table, columns: Columns, read: RowReader): { body: Row[]; skipped: number } => {
  const body: Row[] = [];
  let skipped = columns.from;
  /** A day or a reference with a digit, which no total has: a product may be called "Total Fitness". */
  const namesPayment = (row: Row): boolean =>
    /\d/.test([read.of(row, 'day'), read.of(row, 'order'), ...read.references(row)].join(' '));
  for (const row of table.rows.slice(columns.from)) {
    const isOther =
      (read.has('record') && isRecordOfOther(read.of(row, 'record'))) ||
      (isTotalRow(row.cells) && !namesPayment(row)) ||
      !moneyRoles.some(role => read.of(row, role) !== '') ||
      (row.cells.length === columns.headings.length &&
        row.cells.every((cell, at) => cell === columns.headings[at]));
    if (isOther) skipped += 1;
    else body.push(row);
  }
  return { body, skipped };
};

/** Signs that mean one currency. */
const signs: Readonly<Record<string, string>> = { '€': 'EUR', '£': 'GBP' };

const currencyOf = (read: RowReader, row: Row, fallback: string): string => {
  const named = read.of(row, 'currency').toUpperCase();
  if (named !== '') return named;
  const inCell = moneyRoles.map(role => /[A-Z]{3}|[€£]/.exec(read.of(row, role))?.[0]).find(Boolean);
  return inCell === undefined ? fallback : (signs[inCell] ?? inCell);
};

/** A currency that is named once for the whole file: in a heading, or in a row before them. `usual`: if it names none. */
const fileCurrency = (table: Table, columns: Columns, usual: string): string => {
  const texts = [...columns.headings, ...table.rows.slice(0, columns.from).flatMap(({ cells }) => cells)];
  const named = texts.flatMap(text =>
    [...text.matchAll(/\b[A-Z]{3}\b/g)].flatMap(([word]) => {
      // "ALL PAYMENTS" and "TOP HOTEL" name no currency, though lek and paʻanga have these codes.
      const isCode = /\p{Ll}/u.test(text) || new RegExp(`[(:] *${word}|^ *${word} *$`).test(text);
      return isCode && currencyStatus(word) === 'current' ? word : [];
    }),
  );
  return named.includes(usual) ? usual : (named[0] ?? usual);
};

/** The cells with amounts and their currencies, one after the other: together they would need as much memory as the table. */
// oxlint-disable-next-line func-style -- a generator
function* amountsOf(
  body: readonly Row[],
  read: RowReader,
  fallback: string,
): Generator<readonly [cell: string, currency: string]> {
  const money = moneyRoles.filter(read.has);
  for (const row of body) {
    const currency = currencyOf(read, row, fallback);
    for (const role of money) {
      const cell = read.of(row, role);
      if (cell !== '') yield [cell, currency];
    }
  }
}

/** What can be asked of a table, and the readings that fit it. */
export const conventionsOf = (
  table: Table,
  columns: Columns,
  usual: string,
): { numbers: NumberForm[]; dates: DateOrder[]; questions: Question[] } => {
  const read = rowReader(columns);
  const { body } = bodyOf(table, columns, read);
  const fallback = fileCurrency(table, columns, usual);
  const days = body
    .flatMap(row => (['day', 'settled'] as const).map(role => read.of(row, role)))
    .filter(Boolean);
  const isMinor = read.has('record') || columns.headings.some(head => /minor|cents?\b/i.test(head));
  const numbers = numberFormsOf(amountsOf(body, read, fallback));
  const forms: NumberForm[] =
    numbers.includes('minor') && isMinor ? ['minor'] : table.isTyped && !isMinor ? ['point'] : numbers;
  // A column that any order reads has dates that name the month or start with the year.
  const orders = dateOrdersOf(days);
  const dates: DateOrder[] = orders.includes('ymd') ? ['ymd'] : orders;
  const questions: Question[] = [];
  if (forms.length > 1) questions.push({ about: 'numbers', choices: forms });
  if (dates.length > 1) questions.push({ about: 'dates', choices: dates });
  return { numbers: forms, dates: dates.length === 0 ? ['ymd'] : dates, questions };
};

/** Words for a credit, which a provider uses for a refund and a bank for money that came in. */
const creditWord = /gutschrift|abono|avoir|credit|haben|uznanie/;

/** The days that the rows before the headings name, if they are two. */
const periodOf = (table: Table, columns: Columns): Lines['period'] => {
  for (const { cells } of table.rows.slice(0, columns.from)) {
    const found = cells
      .join(' ')
      .match(/\d{1,2}[./-]\d{1,2}[./-]\d{4}|\d{4}-\d{2}-\d{2}/g)
      ?.map(text => (readWhen(text, 'ymd') ?? readWhen(text, 'dmy') ?? readWhen(text, 'mdy'))?.day);
    const [first, last] = found ?? [];
    if (found?.length === 2 && first !== undefined && last !== undefined && first <= last)
      return { first, last };
  }
  return null;
};

/** The day of a cell; in a zone, where the cell names an instant or the file names its own zone. */
const dayReader = (zone: string | null) => {
  const inZone = zone === null ? null : dayInZone(zone);
  return (cell: string, time: string, named: string, order: DateOrder): string | null => {
    const isUtc = /^(utc|gmt|z)$/i.test(named);
    const when =
      readWhen(
        `${cell}${time === '' ? '' : ` ${time}`}${isUtc && /\d:\d/.test(cell + time) ? ' Z' : ''}`,
        order,
      ) ?? readWhen(cell, order);
    return when === null || when.at === null || inZone === null ? (when?.day ?? null) : inZone(when.at);
  };
};

const sizeOf = (value: bigint): bigint => (value < 0n ? -value : value);

/** What a file's net says about its fees: the sum of the columns, one of them, or the difference itself. */
type FeeRule = 'stated' | 'first' | 'difference';

/** How the fees of a file are read: as its columns have them, unless its gross and net contradict them in most rows. */
const feeRuleOf = (
  rows: readonly { stated: bigint; first: bigint; difference: bigint | null }[],
): FeeRule => {
  const known = rows.filter(({ difference }) => difference !== null && difference !== 0n);
  if (known.length === 0) return 'stated';
  const share = (name: 'stated' | 'first'): number =>
    known.filter(row => sizeOf(row[name]) === sizeOf(row.difference ?? 0n)).length / known.length;
  if (share('stated') >= 0.5) return 'stated';
  return share('first') >= 0.5 ? 'first' : 'difference';
};

/** Rows from which it is learned how a file writes fees and kinds. */
const sampleRows = 400;

/**
 * The lines of a table. `zone`: IANA name of the zone whose days are wanted; null = as the file writes them. `usual`: the
 * currency of a file that names none; empty: unknown. `known`: the payments here.
 */
export const readTable = (
  table: Table,
  columns: Columns,
  { numbers, dates }: Conventions,
  { zone, usual, known }: { zone: string | null; usual: string; known: KnownPayments },
): Lines => {
  const read = rowReader(columns);
  const { body, skipped } = bodyOf(table, columns, read);
  const fallback = fileCurrency(table, columns, usual);
  const money = moneyRoles.filter(read.has);
  const dayOf = dayReader(zone);
  const lines: Line[] = [];
  const notRead: NotRead[] = [];
  // Whether amounts have a sign, or their direction is in the word for the kind alone.
  const isSigned =
    read.has('direction') ||
    read.has('debit') ||
    body.some(row => (['amount', 'net'] as const).some(role => /^[(−–-]|-$/.test(read.of(row, role))));
  const debits = body.map(row => read.of(row, 'debit') || read.of(row, 'net-debit')).filter(Boolean);
  const isDebitNegative = debits.filter(cell => /^[(−–-]|-$/.test(cell)).length > debits.length / 2;
  const meaningOf = meanings(read.has('kind'), isSigned, known);
  /** The amounts of a row as the file has them; null if one cannot be read. */
  const amountsIn = (row: Row, currency: string) => {
    const amounts: Partial<Record<ColumnRole, bigint>> = {};
    for (const role of money) {
      const cell = read.of(row, role);
      const value = cell === '' ? undefined : readNumber(cell, currency, numbers);
      if (value === null) return null;
      if (value !== undefined) amounts[role] = value;
    }
    const sided = (debit: ColumnRole, credit: ColumnRole): bigint | null => {
      const [minus, plus] = [amounts[debit], amounts[credit]];
      if (minus === undefined && plus === undefined) return null;
      return isDebitNegative ? (plus ?? 0n) + (minus ?? 0n) : (plus ?? 0n) - (minus ?? 0n);
    };
    const gross = sided('debit', 'credit') ?? amounts.amount ?? null;
    const net = sided('net-debit', 'net-credit') ?? amounts.net ?? null;
    if (gross === null && net === null) return null;
    const first = amounts.fee ?? null;
    const stated = read.hasSeveralFees
      ? read.fees(row).reduce((all, cell) => all + (readNumber(cell, currency, numbers) ?? 0n), 0n)
      : first;
    return { gross, net, stated, first };
  };
  const namedBy = (row: Row): string[] => [
    referenceOf(read.of(row, 'order')) ?? '',
    ...read.references(row),
    ...wordsOf(read.text(row)),
  ];
  /** The word of a row for its kind, which some files have among the directions, or as the status. */
  const wordOf = (row: Row): string => {
    const kind = read.of(row, 'kind');
    if (kind !== '') return kind;
    const way = read.of(row, 'direction');
    return (directionOf(way) === null ? way : '') || read.of(row, 'status');
  };
  const feeRule = feeRuleOf(
    body.slice(0, sampleRows).flatMap(row => {
      const found = amountsIn(row, currencyOf(read, row, fallback));
      if (found === null) return [];
      const { gross, net, stated, first } = found;
      // The words of all rows are learned before the first is read.
      meaningOf(wordOf(row), read.text(row), () => namedBy(row), sizeOf(gross ?? net ?? 0n));
      const difference = gross === null || net === null ? null : gross - net;
      return { stated: stated ?? 0n, first: first ?? 0n, difference };
    }),
  );
  for (const row of body) {
    const { line } = row;
    if (read.has('status') && isUndone(read.of(row, 'status'))) {
      notRead.push({ line, why: 'not-made' });
      continue;
    }
    const currency = currencyOf(read, row, fallback);
    if (currencyStatus(currency) === null) {
      notRead.push({ line, why: 'currency' });
      continue;
    }
    const found = amountsIn(row, currency);
    if (found === null) {
      notRead.push({ line, why: 'amount' });
      continue;
    }
    let { gross, net } = found;
    const way = read.of(row, 'direction');
    const direction = directionOf(way);
    if (way !== '' && direction === null && isUndone(way)) {
      notRead.push({ line, why: 'not-made' });
      continue;
    }
    const word = wordOf(row);
    const text = read.text(row);
    const references = read.references(row);
    const order = referenceOf(read.of(row, 'order'));
    const size = sizeOf(gross ?? net ?? 0n);
    const meant = meaningOf(word, text, () => namedBy(row), size);
    const hasReference = order !== null || references.length > 0 || read.of(row, 'approval') !== '';
    const goesBack = meant?.kind === 'refund' || meant?.kind === 'chargeback';
    const signed = (value: bigint): bigint => {
      if (direction !== null) return direction === 'debit' ? -sizeOf(value) : sizeOf(value);
      // A word for the kind among the directions says the direction.
      const isBack = goesBack && !meant.isTurned && (!isSigned || (way !== '' && value > 0n));
      return isBack ? -sizeOf(value) : value;
    };
    gross = gross === null ? null : signed(gross);
    net = net === null ? null : signed(net);
    const isMinus = (gross ?? net ?? 0n) < 0n;
    let kind: LineKind = meant?.kind ?? (isMinus ? 'refund' : 'sale');
    // A payment names something that a payment has; what names nothing is money of another kind.
    if (meant === null && !hasReference && read.of(row, 'card') === '' && text === '') kind = 'other';
    if (kind === 'sale' && isMinus) kind = 'refund';
    // Banks call any incoming money a credit.
    else if (
      kind === 'refund' &&
      isSigned &&
      !isMinus &&
      (!read.has('kind') || creditWord.test(plainWords(word)))
    )
      kind = 'sale';
    const stated = feeRule === 'first' ? found.first : feeRule === 'difference' ? null : found.stated;
    // A fee is what is taken off, with any sign.
    const fee = stated === null ? (gross !== null && net !== null ? gross - net : 0n) : sizeOf(stated);
    const total = gross ?? (net ?? 0n) + (kind === 'fee' ? 0n : fee);
    // A row that is a fee; in a file without signs it is what is taken off.
    const charged = total === 0n ? fee : isSigned || total < 0n ? -total : total;
    const day = dayOf(read.of(row, 'day'), read.of(row, 'time'), read.of(row, 'zone'), dates);
    if (day === null && read.of(row, 'day') !== '') {
      notRead.push({ line, why: 'day' });
      continue;
    }
    lines.push({
      line,
      kind,
      isKindCertain: meant !== null || !isMinus,
      order,
      references,
      approval: referenceOf(read.of(row, 'approval')),
      card: cardOf(read.of(row, 'card')),
      words: wordsOf(text),
      form: meant === null && text !== '' ? formOf(text) : null,
      day,
      settled: read.of(row, 'settled') === '' ? null : dayOf(read.of(row, 'settled'), '', '', dates),
      currency,
      gross: kind === 'fee' ? 0n : total,
      fee: kind === 'fee' ? charged : fee,
      net: kind === 'fee' ? -charged : (net ?? total - fee),
      batch: referenceOf(read.of(row, 'batch')),
    });
  }
  return { lines, notRead, skipped, period: periodOf(table, columns) };
};
