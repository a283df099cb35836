import { msg, type MessageKey } from '../../../shared/messages/message.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import type { Orientation } from '../../../shared/reports/export.ts';
import type { Merchant } from '../../../shared/settings/profile.ts';
import { aboutLines, periodText, type ReportFacts } from '../about.ts';
import { netOf, type CurrencyTotals, type Totals } from '../books.ts';
import { clockText } from '../columns.ts';
import { totalsOf } from '../payment-sheets.ts';
import type { ReportContext } from '../report-context.ts';
import { letterhead, printedPage } from './printed-page.ts';
import { safe } from './safe-text.ts';
import { statementDays, statementStyle, sumTexts } from './statement-lines.ts';

/** Limit of payments listed one by one; a longer statement has its totals and days only. */
const maxListed = 5_000;

/** A period's statement as a page: the totals of each currency, then every payment and return by day. */
export const statementPage = (
  rows: readonly PaymentRow[],
  facts: ReportFacts,
  /** As printed. */
  merchant: Merchant,
  context: ReportContext,
  orientation: Orientation,
): string => {
  const { format, locale, zone, language, period } = context;
  const t = (key: MessageKey): string => format({ key });
  const { long: money } = sumTexts([], locale);
  const number = (text: string): string => `<td class="number">${text}</td>`;
  const sums = (of: Totals, currency: string): string =>
    [
      String(of.payments),
      money(of.paid, currency),
      of.returns === 0 ? '–' : String(of.returns),
      of.returns === 0 ? '–' : money(-(of.refunded + of.disputed), currency),
      money(netOf(of), currency),
    ]
      .map(number)
      .join('');
  const sumHeads = [
    'export.totals.payments',
    'export.column.paid',
    'export.totals.returns',
    'statement.returned',
    'export.column.net',
  ] as const satisfies readonly MessageKey[];
  const notCounted = (of: CurrencyTotals): string =>
    of.all.notCounted === 0
      ? ''
      : `<p class="quiet">${safe(of.currency)}: ${format(msg('statement.not-counted', { count: of.all.notCounted }))}${of.all.outsideNet === 0n ? '' : ` ${format(msg('overview.outside-net', { amount: money(of.all.outsideNet, of.currency) }))}`}</p>`;

  const totals = totalsOf(rows, context);
  const totalsTable =
    totals.length === 0
      ? `<p>${t('statement.empty')}</p>`
      : `<table class="totals"><thead><tr><th>${t('overview.currency')}</th>${sumHeads.map(key => `<th class="number">${t(key)}</th>`).join('')}</tr></thead><tbody>${totals
          .map(of => `<tr><td>${safe(of.currency)}</td>${sums(of.all, of.currency)}</tr>`)
          .join('')}</tbody></table>${totals.map(notCounted).join('')}`;
  const sumsOfAll = `<section><h2>${t('statement.totals')}</h2>${totalsTable}</section>\n`;
  const isWide = orientation === 'landscape';
  const isListed = rows.length <= maxListed;
  const days =
    totals.length === 0
      ? ''
      : `<h2>${t('statement.days')}</h2>
${isListed ? '' : `<p>${format(msg('statement.too-many', { count: rows.length }))}</p>`}
${statementDays(isListed ? rows : [], totals, context, orientation)}`;
  // The letterhead already names the merchant.
  const about = aboutLines({ ...facts, merchant: null }, context)
    .map(({ label, value }) => {
      const text =
        value.kind === 'text' ? value.text : value.kind === 'time' ? clockText(value.at, value.zone) : '';
      return `<div><dt>${safe(label)}</dt><dd>${safe(text)}</dd></div>`;
    })
    .join('');
  const name = period ? periodText(period, context) : '';
  return printedPage({
    language,
    title: `${t('statement.title')} ${name}`,
    footer: `${merchant.name} · ${t('statement.title')} · ${name}`,
    page: format(msg('printed.page', { page: '{page}', pages: '{pages}' })),
    orientation,
    isCompact: true,
    style: statementStyle(orientation),
    body: `${letterhead(t('statement.title'), `${safe(name)}<br>${safe(zone)}`, merchant, isWide ? sumsOfAll : '')}
${isWide ? '' : sumsOfAll}
${days}
<section class="closing">
<p><strong>${t('statement.no-receipt')}</strong></p>
<dl>${about}</dl>
</section>`,
  });
};
