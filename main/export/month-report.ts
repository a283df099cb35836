import { DateFormatter } from '@internationalized/date';
import type { MonthView, StatementRow } from '../../shared/contract/statement-requests.ts';
import { msg, type MessageKey } from '../../shared/messages/message.ts';
import type { Sums } from '../../shared/statements/statement-record.schema.ts';
import type { Merchant } from '../../shared/settings/profile.ts';
import { agentText, periodText, type ReportFacts } from './about.ts';
import { closingFacts, paperTable } from './papers/paper-table.ts';
import { letterhead, printedPage } from './papers/printed-page.ts';
import { safe } from './papers/safe-text.ts';
import type { ReportContext } from './report-context.ts';
import {
  countCell,
  dayCell,
  sheetOf,
  textCell,
  wireCell,
  type Heading,
  type Sheet,
  type SheetCell,
} from './sheet.ts';

/** The report of a month: what the console says, what the statements say, and where they differ. */

export type MonthReport = {
  view: Omit<MonthView, 'rows' | 'closed'>;
  rows: readonly StatementRow[];
  /** Of the lines of each day. */
  days: readonly (Sums & { day: string; statement: string })[];
  closed: MonthView['closed'];
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

/** The tables of a report, for both kinds of file: totals, rows, payouts, days, and what changed since the closing. */
export const monthTables = ({ view, rows, days, closed }: MonthReport, context: ReportContext): Sheet[] => {
  const t = (key: MessageKey): string => context.format({ key });
  const table = (name: MessageKey, headings: readonly Heading[], cells: Sheet['rows']): Sheet =>
    sheetOf(name, headings, cells, context);
  const whyOf = ({ rule, reason }: StatementRow): string =>
    reason !== null ? t(`month-end.reason.${reason}`) : rule === null ? '' : t(`month-end.rule.${rule}`);
  const names = new Map(view.statements.map(({ statement, name }) => [statement, name]));
  /** One of two values that differ. */
  const compared = ({ reason, currency }: StatementRow, value: string | null): SheetCell =>
    reason === 'amount' ? wireCell(value, currency) : reason === 'day' ? dayCell(value) : textCell(value);
  const file = (statement: string | null): SheetCell => textCell(names.get(statement ?? '') ?? null);
  const totals: SheetCell[][] = [
    ...view.parts.map(({ currency, standing, movements, amount }): SheetCell[] => [
      textCell(currency),
      textCell(t(`month-end.standing.${standing}`)),
      countCell(movements),
      wireCell(amount, currency),
    ]),
    ...view.figures.map(({ currency, netAmount }): SheetCell[] => [
      textCell(currency),
      { kind: 'text', text: t('month-end.overview'), isStrong: true },
      null,
      wireCell(netAmount, currency),
    ]),
    ...view.sums.flatMap(sums =>
      (['gross', 'fees', 'net'] as const).map((name): SheetCell[] => [
        textCell(sums.currency),
        textCell(`${names.get(sums.statement) ?? ''}: ${t(`month-end.sum.${name}`)}`),
        null,
        wireCell(sums[name], sums.currency),
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
        textCell(t(`month-end.list.${row.list}`)),
        textCell(row.orderNumber),
        textCell(row.kind && t(`month-end.kind.${row.kind}`)),
        dayCell(row.day),
        textCell(row.currency),
        wireCell(row.amount, row.currency),
        compared(row, row.ours),
        compared(row, row.theirs),
        file(row.statement),
        countCell(row.line),
        textCell(whyOf(row)),
        textCell(row.explanation && `${row.explanation.text} (${agentText(row.explanation.agent, context)})`),
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
          textCell(batch),
          dayCell(first),
          dayCell(last),
          textCell(currency),
          wireCell(gross, currency),
          wireCell(fees, currency),
          wireCell(net, currency),
          textCell(t(agrees ? 'month-end.agrees.yes' : 'month-end.agrees.no')),
          countCell(bankLine),
        ],
      ),
    ),
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
        dayCell(of.day),
        textCell(of.currency),
        wireCell(of.gross, of.currency),
        wireCell(of.fees, of.currency),
        wireCell(of.net, of.currency),
      ]),
    ),
  ];
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
          textCell(orderNumber),
          textCell(currency),
          wireCell(before, currency),
          wireCell(now, currency),
          textCell(agentText(agent, context)),
        ]),
      ),
    );
  return tables;
};

/** The report as a page: its tables, without the rows that agree. */
export const monthPage = (
  report: MonthReport,
  facts: ReportFacts,
  merchant: Merchant,
  context: ReportContext,
): string => {
  const { format, language, period } = context;
  const rows = report.rows.filter(({ list }) => list !== 'agreed');
  const title = format(msg('month-end.report'));
  const name = period ? periodText(period, context) : report.view.month;
  return printedPage({
    language,
    merchant,
    title,
    name,
    orientation: 'landscape',
    isCompact: true,
    body: `${letterhead(title, `${safe(name)}<br>${safe(report.view.zone)}`, merchant)}
<p>${report.view.statements.map(of => safe(of.name)).join('<br>')}</p>
<p>${safe(closingText(report.closed, context))}</p>
${monthTables({ ...report, rows }, context)
  .map(table => paperTable(table, context))
  .join('\n')}
<h2>${format(msg('export.sheet.about'))}</h2>
<section class="closing">${closingFacts(facts, context)}</section>`,
  });
};
