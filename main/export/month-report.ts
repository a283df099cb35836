import { msg, type MessageKey } from '../../shared/messages/message.ts';
import { formatMoney } from '../../shared/money/format-amount.ts';
import { decimalOf } from '../../shared/money/signed-amount.ts';
import { readWire } from '../../shared/money/wire-amount.ts';
import { safe } from './papers/safe-text.ts';
import { letterhead, printedPage } from './papers/printed-page.ts';
import type { Merchant } from '../../shared/settings/profile.ts';
import type { MonthView, StatementRow } from '../../shared/contract/statement-requests.ts';
import { aboutLines, periodText, type ReportFacts } from './about.ts';
import { clockText } from './columns.ts';
import type { ReportContext } from './report-context.ts';
import type { Sheet, SheetCell } from './sheet.ts';

/** The report of a month: what the console says, what the statements say, and where they differ. */

/** What of the month's money is in the statements, minor units of one currency; all of them together are the overview's net. */
export type MonthPart = {
  standing: 'agreed' | 'different' | 'onlyHere' | 'elsewhere';
  currency: string;
  movements: number;
  minor: bigint;
  /** Movements whose amount is not known. */
  unknown: number;
};

export type MonthReport = {
  view: Omit<MonthView, 'rows' | 'closed'>;
  rows: readonly StatementRow[];
  parts: readonly MonthPart[];
  closed: MonthView['closed'];
};

const text = (value: string | null): SheetCell =>
  value === null || value === '' ? null : { kind: 'text', text: value };

const amountCell = (wire: string | null, currency: string): SheetCell => {
  if (wire === null) return null;
  const isMinus = wire.startsWith('-');
  const minor = readWire(isMinus ? wire.slice(1) : wire, currency);
  return minor === null ? text(wire) : { kind: 'amount', minor: isMinus ? -minor : minor, currency };
};

const sheetOf = (
  context: ReportContext,
  name: MessageKey,
  heads: readonly (readonly [MessageKey, number, boolean?])[],
  rows: Sheet['rows'],
): Sheet => ({
  name: context.format({ key: name }),
  header: heads.map(([key, width, isNumber = false]) => {
    const heading = context.format({ key });
    return { text: heading, width: Math.max(width, heading.length + 3), isNumber };
  }),
  rows,
  hasFilter: true,
});

/** Why a row is in its list, in words. */
const reasonText = ({ list, reason, rule }: StatementRow, { format }: ReportContext): string => {
  if (list === 'agreed') return rule === null ? '' : format({ key: `month-end.rule.${rule}` as MessageKey });
  return reason === null ? '' : format({ key: `month-end.reason.${reason}` as MessageKey });
};

/** The sheets of the workbook: sums, both sides of every row, payouts, days, and what changed since the closing. */
export const monthSheets = ({ view, rows, parts, closed }: MonthReport, context: ReportContext): Sheet[] => {
  const t = (key: string): string => context.format({ key: key as MessageKey });
  const minor = (part: MonthPart): SheetCell => ({
    kind: 'amount',
    minor: part.minor,
    currency: part.currency,
  });
  const sums: SheetCell[][] = [
    ...parts.map((part): SheetCell[] => [
      text(part.currency),
      text(t(`month-end.standing.${part.standing}`)),
      { kind: 'count', count: part.movements },
      minor(part),
    ]),
    ...view.figures.map((of): SheetCell[] => [
      text(of.currency),
      { kind: 'text', text: t('month-end.overview-net'), isStrong: true },
      null,
      amountCell(of.netAmount, of.currency),
    ]),
    ...view.sums.flatMap((of): SheetCell[][] =>
      (['gross', 'fees', 'net'] as const).map(name => [
        text(of.currency),
        text(t(`month-end.sum.${name}`)),
        null,
        amountCell(of[name], of.currency),
      ]),
    ),
  ];
  return [
    sheetOf(
      context,
      'month-end.sheet.sums',
      [
        ['overview.currency', 10],
        ['month-end.column.what', 34],
        ['month-end.column.movements', 12, true],
        ['column.amount', 16, true],
      ],
      sums,
    ),
    sheetOf(
      context,
      'month-end.sheet.rows',
      [
        ['month-end.column.list', 18],
        ['column.order', 22],
        ['month-end.column.kind', 14],
        ['month-end.column.day', 12],
        ['column.amount', 14, true],
        ['overview.currency', 10],
        ['month-end.column.ours', 16],
        ['month-end.column.theirs', 16],
        ['month-end.column.line', 8, true],
        ['month-end.column.why', 30],
        ['month-end.column.explanation', 40],
      ],
      rows.map((row): SheetCell[] => [
        text(t(`month-end.list.${row.list}`)),
        text(row.orderNumber),
        text(row.kind === null ? null : t(`month-end.kind.${row.kind}`)),
        row.day === null ? null : { kind: 'day', day: row.day },
        amountCell(row.amount, row.currency),
        text(row.currency),
        text(row.ours),
        text(row.theirs),
        row.line === null ? null : { kind: 'count', count: row.line },
        text(reasonText(row, context)),
        text(row.explanation === null ? null : `${row.explanation.text} (${row.explanation.agent})`),
      ]),
    ),
    sheetOf(
      context,
      'month-end.sheet.payouts',
      [
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
      view.payouts.map((payout): SheetCell[] => [
        text(payout.batch),
        payout.first === null ? null : { kind: 'day', day: payout.first },
        payout.last === null ? null : { kind: 'day', day: payout.last },
        text(payout.currency),
        amountCell(payout.gross, payout.currency),
        amountCell(payout.fees, payout.currency),
        amountCell(payout.net, payout.currency),
        text(t(payout.agrees ? 'month-end.agrees.yes' : 'month-end.agrees.no')),
        payout.bankLine === null ? null : { kind: 'count', count: payout.bankLine },
      ]),
    ),
    ...(closed === null || closed.changes.length === 0
      ? []
      : [
          sheetOf(
            context,
            'scheduled-export.changes',
            [
              ['column.order', 22],
              ['overview.currency', 10],
              ['scheduled-export.changed.net-before', 16, true],
              ['scheduled-export.changed.net-now', 16, true],
              ['month-end.column.by', 20],
            ],
            closed.changes.map((change): SheetCell[] => [
              text(change.orderNumber),
              text(change.currency),
              amountCell(change.before, change.currency),
              amountCell(change.now, change.currency),
              text(change.agent),
            ]),
          ),
        ]),
  ];
};

/** Rows of each list on paper; the workbook has all. */
const maxPrinted = 500;

/** The report as a page: the sums, then every row that does not agree. */
export const monthPage = (
  { view, rows, parts, closed }: MonthReport,
  facts: ReportFacts,
  merchant: Merchant,
  context: ReportContext,
): string => {
  const { format, locale, language, period } = context;
  const t = (key: string): string => format({ key: key as MessageKey });
  const money = (wire: string, currency: string): string => safe(formatMoney(wire, currency, locale));
  const decimal = (minor: bigint, currency: string): string => {
    const cell = formatMoney(decimalOf(minor, currency), currency, locale);
    return safe(cell);
  };
  const table = (heads: readonly string[], body: readonly (readonly string[])[]): string =>
    body.length === 0
      ? `<p class="quiet">${t('month-end.none')}</p>`
      : `<table><thead><tr>${heads.map(head => `<th>${head}</th>`).join('')}</tr></thead><tbody>${body
          .map(cells => `<tr>${cells.map(cell => `<td>${cell}</td>`).join('')}</tr>`)
          .join('')}</tbody></table>`;
  const sums = table(
    [t('overview.currency'), t('month-end.column.what'), t('month-end.column.movements'), t('column.amount')],
    [
      ...parts.map(part => [
        safe(part.currency),
        t(`month-end.standing.${part.standing}`),
        String(part.movements),
        decimal(part.minor, part.currency),
      ]),
      ...view.figures.map(of => [
        safe(of.currency),
        `<strong>${t('month-end.overview-net')}</strong>`,
        '',
        `<strong>${money(of.netAmount, of.currency)}</strong>`,
      ]),
      ...view.sums.flatMap(of =>
        (['gross', 'fees', 'net'] as const).map(name => [
          safe(of.currency),
          t(`month-end.sum.${name}`),
          '',
          money(of[name], of.currency),
        ]),
      ),
    ],
  );
  const lists = (['different', 'onlyHere', 'onlyThere', 'notRead'] as const)
    .map(list => {
      const of = rows.filter(row => row.list === list);
      return `<h2>${t(`month-end.list.${list}`)} (${of.length})</h2>${table(
        [
          t('column.order'),
          t('month-end.column.kind'),
          t('month-end.column.day'),
          t('column.amount'),
          t('month-end.column.ours'),
          t('month-end.column.theirs'),
          t('month-end.column.line'),
          t('month-end.column.why'),
          t('month-end.column.explanation'),
        ],
        of
          .slice(0, maxPrinted)
          .map(row => [
            safe(row.orderNumber ?? ''),
            row.kind === null ? '' : t(`month-end.kind.${row.kind}`),
            row.day ?? '',
            row.amount === null ? '' : money(row.amount, row.currency),
            safe(row.ours ?? ''),
            safe(row.theirs ?? ''),
            row.line === null ? '' : String(row.line),
            safe(reasonText(row, context)),
            safe(row.explanation === null ? '' : `${row.explanation.text} (${row.explanation.agent})`),
          ]),
      )}`;
    })
    .join('');
  const payouts = `<h2>${t('month-end.sheet.payouts')}</h2>${table(
    [
      t('month-end.column.batch'),
      t('month-end.column.first'),
      t('month-end.column.last'),
      t('month-end.sum.gross'),
      t('month-end.sum.fees'),
      t('month-end.sum.net'),
      t('month-end.column.agrees'),
    ],
    view.payouts.map(payout => [
      safe(payout.batch ?? ''),
      payout.first ?? '',
      payout.last ?? '',
      money(payout.gross, payout.currency),
      money(payout.fees, payout.currency),
      money(payout.net, payout.currency),
      t(payout.agrees ? 'month-end.agrees.yes' : 'month-end.agrees.no'),
    ]),
  )}`;
  const changes =
    closed === null
      ? ''
      : `<h2>${t('scheduled-export.changes')}</h2>${table(
          [
            t('column.order'),
            t('scheduled-export.changed.net-before'),
            t('scheduled-export.changed.net-now'),
            t('month-end.column.by'),
          ],
          closed.changes.map(change => [
            safe(change.orderNumber),
            money(change.before, change.currency),
            money(change.now, change.currency),
            safe(change.agent),
          ]),
        )}`;
  const about = aboutLines({ ...facts, merchant: null }, context)
    .map(({ label, value }) => {
      const shown =
        value.kind === 'text' ? value.text : value.kind === 'time' ? clockText(value.at, value.zone) : '';
      return `<div><dt>${safe(label)}</dt><dd>${safe(shown)}</dd></div>`;
    })
    .join('');
  const name = period ? periodText(period, context) : view.month;
  return printedPage({
    language,
    title: `${t('month-end.report')} ${name}`,
    footer: `${merchant.name} · ${t('month-end.report')} · ${name}`,
    page: format(msg('printed.page', { page: '{page}', pages: '{pages}' })),
    orientation: 'landscape',
    body: `${letterhead(t('month-end.report'), `${safe(name)}<br>${safe(view.zone)}`, merchant)}
${view.statements.map(of => `<p>${safe(of.name)}</p>`).join('')}
${sums}${lists}${payouts}${changes}
<section class="closing"><dl>${about}</dl></section>`,
  });
};
