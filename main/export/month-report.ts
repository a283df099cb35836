import type { MonthView, StatementRow } from '../../shared/contract/statement-requests.ts';
import { msg, type MessageKey } from '../../shared/messages/message.ts';
import { formatMoney } from '../../shared/money/format-amount.ts';
import { minorOf } from '../../shared/money/signed-amount.ts';
import { wireOf } from '../../shared/money/wire-amount.ts';
import type { Sums } from '../../shared/statements/statement-record.schema.ts';
import type { Merchant } from '../../shared/settings/profile.ts';
import { aboutLines, periodText, type ReportFacts } from './about.ts';
import { clockText } from './columns.ts';
import { letterhead, printedPage } from './papers/printed-page.ts';
import { safe } from './papers/safe-text.ts';
import type { ReportContext } from './report-context.ts';
import type { Sheet, SheetCell } from './sheet.ts';

/** The report of a month: what the console says, what the statements say, and where they differ. */

/** What of the month's money is in the statements, minor units of one currency; all of them together are the overview's net. */
export type MonthPart = {
  standing: 'agreed' | 'different' | 'onlyHere' | 'elsewhere';
  currency: string;
  movements: number;
  minor: bigint;
};

export type MonthReport = {
  view: Omit<MonthView, 'rows' | 'closed'>;
  rows: readonly StatementRow[];
  parts: readonly MonthPart[];
  /** Of the lines of each day. */
  days: readonly (Sums & { day: string; statement: string })[];
  closed: MonthView['closed'];
};

const text = (value: string | null): SheetCell => (value ? { kind: 'text', text: value } : null);
const count = (value: number | null): SheetCell => (value === null ? null : { kind: 'count', count: value });
const day = (value: string | null): SheetCell => (value === null ? null : { kind: 'day', day: value });
const amount = (wire: string | null, currency: string): SheetCell => {
  if (wire === null) return null;
  const minor = minorOf(wire, currency);
  return minor === null ? text(wire) : { kind: 'amount', minor, currency };
};

type Heading = readonly [key: MessageKey, width: number, isNumber?: true];

/** The tables of a report, for both kinds of file: totals, rows, payouts, days, and what changed since the closing. */
export const monthTables = (
  { view, rows, parts, days, closed }: MonthReport,
  { format }: ReportContext,
): Sheet[] => {
  const t = (key: MessageKey): string => format({ key });
  const table = (name: MessageKey, heads: readonly Heading[], cells: Sheet['rows']): Sheet => ({
    name: t(name),
    header: heads.map(([key, width, isNumber = false]) => ({
      text: t(key),
      width: Math.max(width, t(key).length + 3),
      isNumber,
    })),
    rows: cells,
    hasFilter: true,
  });
  const whyOf = ({ rule, reason }: StatementRow): string =>
    reason !== null ? t(`month-end.reason.${reason}`) : rule === null ? '' : t(`month-end.rule.${rule}`);
  const names = new Map(view.statements.map(({ statement, name }) => [statement, name]));
  const file = (statement: string | null): SheetCell => text(names.get(statement ?? '') ?? null);
  const totals: SheetCell[][] = [
    ...parts.map(({ currency, standing, movements, minor }): SheetCell[] => [
      text(currency),
      text(t(`month-end.standing.${standing}`)),
      count(movements),
      { kind: 'amount', minor, currency },
    ]),
    ...view.figures.map(({ currency, netAmount }): SheetCell[] => [
      text(currency),
      { kind: 'text', text: t('month-end.overview-net'), isStrong: true },
      null,
      amount(netAmount, currency),
    ]),
    ...view.sums.flatMap(sums =>
      (['gross', 'fees', 'net'] as const).map((name): SheetCell[] => [
        text(sums.currency),
        text(`${names.get(sums.statement) ?? ''}: ${t(`month-end.sum.${name}`)}`),
        null,
        amount(sums[name], sums.currency),
      ]),
    ),
  ];
  const tables = [
    table(
      'month-end.sheet.sums',
      [
        ['overview.currency', 10],
        ['month-end.column.what', 34],
        ['month-end.column.movements', 12, true],
        ['column.amount', 16, true],
      ],
      totals,
    ),
    table(
      'month-end.sheet.rows',
      [
        ['month-end.column.list', 18],
        ['column.order', 22],
        ['month-end.column.kind', 14],
        ['month-end.column.day', 12],
        ['column.amount', 14, true],
        ['month-end.column.ours', 16],
        ['month-end.column.theirs', 16],
        ['month-end.file', 20],
        ['month-end.column.line', 8, true],
        ['month-end.column.why', 30],
        ['month-end.column.explanation', 40],
      ],
      rows.map((row): SheetCell[] => [
        text(t(`month-end.list.${row.list}`)),
        text(row.orderNumber),
        text(row.kind && t(`month-end.kind.${row.kind}`)),
        day(row.day),
        amount(row.amount, row.currency),
        text(row.ours),
        text(row.theirs),
        file(row.statement),
        count(row.line),
        text(whyOf(row)),
        text(row.explanation && `${row.explanation.text} (${row.explanation.agent})`),
      ]),
    ),
    table(
      'month-end.sheet.payouts',
      [
        ['month-end.file', 20],
        ['month-end.column.batch', 14],
        ['month-end.column.first', 12],
        ['month-end.column.last', 12],
        ['month-end.sum.gross', 14, true],
        ['month-end.sum.fees', 14, true],
        ['month-end.sum.net', 14, true],
        ['month-end.column.agrees', 10],
        ['month-end.column.bank-line', 12, true],
      ],
      view.payouts.map(
        ({ statement, batch, first, last, currency, gross, fees, net, agrees, bankLine }): SheetCell[] => [
          file(statement),
          text(batch),
          day(first),
          day(last),
          amount(gross, currency),
          amount(fees, currency),
          amount(net, currency),
          text(t(agrees ? 'month-end.agrees.yes' : 'month-end.agrees.no')),
          count(bankLine),
        ],
      ),
    ),
  ];
  tables.push(
    table(
      'month-end.sheet.days',
      [
        ['month-end.file', 20],
        ['month-end.column.day', 12],
        ['overview.currency', 10],
        ['month-end.sum.gross', 14, true],
        ['month-end.sum.fees', 14, true],
        ['month-end.sum.net', 14, true],
      ],
      days.map((of): SheetCell[] => [
        file(of.statement),
        day(of.day),
        text(of.currency),
        amount(of.gross, of.currency),
        amount(of.fees, of.currency),
        amount(of.net, of.currency),
      ]),
    ),
  );
  if (closed !== null && closed.changes.length > 0)
    tables.push(
      table(
        'scheduled-export.changes',
        [
          ['column.order', 22],
          ['scheduled-export.changed.net-before', 16, true],
          ['scheduled-export.changed.net-now', 16, true],
          ['month-end.column.by', 20],
        ],
        closed.changes.map(({ orderNumber, currency, before, now, agent }): SheetCell[] => [
          text(orderNumber),
          amount(before, currency),
          amount(now, currency),
          text(agent),
        ]),
      ),
    );
  return tables;
};

/** Rows of one table on paper; the workbook has all. */
const maxPrinted = 2_000;

/** The report as a page: its tables, without the rows that agree. */
export const monthPage = (
  report: MonthReport,
  facts: ReportFacts,
  merchant: Merchant,
  context: ReportContext,
): string => {
  const { format, locale, language, period } = context;
  const textOf = (cell: SheetCell): string => {
    if (cell === null) return '';
    if (cell.kind === 'amount') {
      const { minor, currency } = cell;
      return minor < 0n
        ? `−${formatMoney(wireOf(-minor, currency), currency, locale)}`
        : formatMoney(wireOf(minor, currency), currency, locale);
    }
    return cell.kind === 'text'
      ? cell.text
      : cell.kind === 'day'
        ? cell.day
        : cell.kind === 'count'
          ? String(cell.count)
          : '';
  };
  const tableText = ({ name, header, rows }: Sheet): string => {
    const classOf = (index: number): string => (header[index]?.isNumber ? ' class="number"' : '');
    const cells = (row: readonly SheetCell[]): string =>
      row.map((cell, index) => `<td${classOf(index)}>${safe(textOf(cell))}</td>`).join('');
    return `<h2>${safe(name)}</h2>${
      rows.length === 0
        ? `<p class="quiet">${format(msg('month-end.none'))}</p>`
        : `<table><thead><tr>${header.map(({ text: head }, index) => `<th${classOf(index)}>${safe(head)}</th>`).join('')}</tr></thead><tbody>${rows
            .slice(0, maxPrinted)
            .map(row => `<tr>${cells(row)}</tr>`)
            .join('')}</tbody></table>`
    }`;
  };
  const rows = report.rows.filter(({ list }) => list !== 'agreed');
  const about = aboutLines({ ...facts, merchant: null }, context)
    .map(({ label, value }) => {
      const shown =
        value.kind === 'text' ? value.text : value.kind === 'time' ? clockText(value.at, value.zone) : '';
      return `<div><dt>${safe(label)}</dt><dd>${safe(shown)}</dd></div>`;
    })
    .join('');
  const title = format(msg('month-end.report'));
  const name = period ? periodText(period, context) : report.view.month;
  return printedPage({
    language,
    title: `${title} ${name}`,
    footer: `${merchant.name} · ${title} · ${name}`,
    page: format(msg('printed.page', { page: '{page}', pages: '{pages}' })),
    orientation: 'landscape',
    isCompact: true,
    body: `${letterhead(title, `${safe(name)}<br>${safe(report.view.zone)}`, merchant)}
<p>${report.view.statements.map(of => safe(of.name)).join('<br>')}</p>
${monthTables({ ...report, rows }, context)
  .map(tableText)
  .join('\n')}
<section class="closing"><dl>${about}</dl></section>`,
  });
};
