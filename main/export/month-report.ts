import { DateFormatter } from '@internationalized/date';
import type { MonthView, StatementRow } from '../../shared/contract/statement-requests.ts';
import { msg, type MessageKey } from '../../shared/messages/message.ts';
import { formatAmount } from '../../shared/money/format-amount.ts';
import { minorOf } from '../../shared/money/signed-amount.ts';
import { wireOf } from '../../shared/money/wire-amount.ts';
import type { Sums } from '../../shared/statements/statement-record.schema.ts';
import type { Merchant } from '../../shared/settings/profile.ts';
import { aboutLines, agentText, periodText, type ReportFacts } from './about.ts';
import { clockText } from './columns.ts';
import { letterhead, printedPage } from './papers/printed-page.ts';
import { safe } from './papers/safe-text.ts';
import type { ReportContext } from './report-context.ts';
import type { Sheet, SheetCell } from './sheet.ts';

/** The report of a month: what the console says, what the statements say, and where they differ. */

export type MonthReport = {
  view: Omit<MonthView, 'rows' | 'closed'>;
  rows: readonly StatementRow[];
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

/** Who closed the month and when, and what changed since. */
export const closingText = (closed: MonthReport['closed'], context: ReportContext): string => {
  const { format, locale, zone } = context;
  if (closed === null) return format(msg('month-end.not-closed'));
  const at = new DateFormatter(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: zone });
  return [
    msg('month-end.closed', { at: at.format(new Date(closed.at)), agent: agentText(closed.agent, context) }),
    ...(closed.changes.length > 0 ? [msg('month-end.changed', { count: closed.changes.length })] : []),
    ...(closed.isOtherStatements ? [msg('month-end.other-statements')] : []),
  ]
    .map(format)
    .join(' ');
};

type Heading = readonly [key: MessageKey, width: number, isNumber?: true];

/** The tables of a report, for both kinds of file: totals, rows, payouts, days, and what changed since the closing. */
export const monthTables = ({ view, rows, days, closed }: MonthReport, context: ReportContext): Sheet[] => {
  const { format } = context;
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
  /** One of two values that differ. */
  const compared = ({ reason, currency }: StatementRow, value: string | null): SheetCell =>
    reason === 'amount' ? amount(value, currency) : reason === 'day' ? day(value) : text(value);
  const file = (statement: string | null): SheetCell => text(names.get(statement ?? '') ?? null);
  const totals: SheetCell[][] = [
    ...view.parts.map(({ currency, standing, movements, amount: of }): SheetCell[] => [
      text(currency),
      text(t(`month-end.standing.${standing}`)),
      count(movements),
      amount(of, currency),
    ]),
    ...view.figures.map(({ currency, netAmount }): SheetCell[] => [
      text(currency),
      { kind: 'text', text: t('month-end.overview'), isStrong: true },
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
        ['overview.currency', 10],
        ['column.amount', 14, true],
        ['month-end.column.ours', 16, true],
        ['month-end.column.theirs', 16, true],
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
        text(row.currency),
        amount(row.amount, row.currency),
        compared(row, row.ours),
        compared(row, row.theirs),
        file(row.statement),
        count(row.line),
        text(whyOf(row)),
        text(row.explanation && `${row.explanation.text} (${agentText(row.explanation.agent, context)})`),
      ]),
    ),
    table(
      'month-end.sheet.payouts',
      [
        ['month-end.file', 20],
        ['month-end.column.batch', 14],
        ['month-end.column.first', 12],
        ['month-end.column.last', 12],
        ['overview.currency', 10],
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
          text(currency),
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
          ['overview.currency', 10],
          ['month-end.changed.before', 16, true],
          ['month-end.changed.now', 16, true],
          ['month-end.column.by', 20],
        ],
        closed.changes.map(({ orderNumber, currency, before, now, agent }): SheetCell[] => [
          text(orderNumber),
          text(currency),
          amount(before, currency),
          amount(now, currency),
          text(agentText(agent, context)),
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
    // Its currency is in a column.
    if (cell.kind === 'amount') {
      const { minor, currency } = cell;
      const size = formatAmount(wireOf(minor < 0n ? -minor : minor, currency), currency, locale);
      return minor < 0n ? `−${size}` : size;
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
      return `<dt>${safe(label)}</dt><dd>${safe(shown)}</dd>`;
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
<p>${safe(closingText(report.closed, context))}</p>
${monthTables({ ...report, rows }, context)
  .map(tableText)
  .join('\n')}
<h2>${format(msg('export.sheet.about'))}</h2>
<dl>${about}</dl>`,
  });
};
