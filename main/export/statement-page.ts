import { decimalOf } from '../../shared/money/signed-amount.ts';
import { DateFormatter, parseDate } from '@internationalized/date';
import { formatMoney } from '../../shared/money/format-amount.ts';
import { msg, type MessageKey } from '../../shared/messages/message.ts';
import type { PaymentRow } from '../../shared/payments/payment.ts';
import type { Merchant } from '../../shared/settings/profile.ts';
import { aboutLines, periodText, type ReportFacts } from './about.ts';
import { netOf, type Amount, type CurrencyTotals, type Totals } from './books.ts';
import { clockText } from './columns.ts';
import { totalsOf } from './payment-sheets.ts';
import { letterhead, printedPage, safe } from './printed-page.ts';
import type { ReportContext } from './report-context.ts';

/** Limit of payments listed one by one; a longer statement has its totals and days only. */
const maxListed = 5_000;

/** A period's statement as a page: the totals, the days, and every payment. `merchant`: as printed. */
export const statementPage = (
  rows: readonly PaymentRow[],
  facts: ReportFacts,
  merchant: Merchant,
  context: ReportContext,
): string => {
  const { format, locale, zone, language, period } = context;
  const t = (key: MessageKey): string => format({ key });
  const clock = new DateFormatter(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone });
  const day = new DateFormatter(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const money = (minor: bigint, currency: string): string =>
    minor < 0n
      ? `−${formatMoney(decimalOf(-minor, currency), currency, locale)}`
      : formatMoney(decimalOf(minor, currency), currency, locale);
  const amount = (of: Amount | null, currency: string): string => {
    if (of === null) return '';
    if (of.kind === 'minor') return of.minor === 0n ? '–' : money(of.minor, currency);
    return of.kind === 'text' ? safe(of.text) : t('export.unknown');
  };
  const number = (text: string): string => `<td class="number">${text}</td>`;
  const heads = (keys: readonly MessageKey[], firstNumber: number): string =>
    `<thead><tr>${keys
      .map((key, at) => `<th${at < firstNumber ? '' : ' class="number"'}>${t(key)}</th>`)
      .join('')}</tr></thead>`;
  const sums = (of: Totals, currency: string): string =>
    [
      String(of.payments),
      money(of.paid, currency),
      String(of.returns),
      money(-(of.refunded + of.disputed), currency),
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
      : `<table>${heads(['overview.currency', ...sumHeads], 1)}<tbody>${totals
          .map(of => `<tr class="total"><td>${safe(of.currency)}</td>${sums(of.all, of.currency)}</tr>`)
          .join('')}</tbody></table>${totals.map(notCounted).join('')}`;
  const days = totals
    .map(
      ({ currency, days: list }) =>
        `<h3>${safe(currency)}</h3><table>${heads(['export.totals.day', ...sumHeads], 1)}<tbody>${list
          .map(
            one =>
              `<tr><td class="when">${day.format(parseDate(one.day).toDate('UTC'))}</td>${sums(one.totals, currency)}</tr>`,
          )
          .join('')}</tbody></table>`,
    )
    .join('');
  const listed = rows
    .map(row => {
      const books = context.books(row);
      const currency = row.currency ?? '';
      const at = books.paidAt ?? books.returnedAt;
      const customer = [
        safe(row.customer?.name ?? ''),
        row.cardLast4 === null ? '' : `<span class="nowrap">•••• ${safe(row.cardLast4)}</span>`,
      ]
        .filter(Boolean)
        .join(', ');
      return `<tr><td class="when">${at === null ? '' : clock.format(new Date(at))}</td><td><code>${safe(row.orderNumber)}</code><br><span class="quiet">${safe(row.description ?? '')}</span></td><td>${customer}<br><span class="quiet">${safe(books.payments.flatMap(({ rrn }) => rrn ?? []).join(' '))}</span></td>${[books.paid, books.refunded?.kind === 'minor' && books.disputed?.kind === 'minor' ? { kind: 'minor' as const, minor: -(books.refunded.minor + books.disputed.minor) } : books.paid === null ? null : { kind: 'unknown' as const }, books.net].map(of => number(amount(of, currency))).join('')}</tr>`;
    })
    .join('');
  const payments =
    rows.length === 0
      ? ''
      : rows.length > maxListed
        ? `<p>${format(msg('statement.too-many', { count: rows.length }))}</p>`
        : `<table>${heads(
            [
              'export.column.paid-at',
              'statement.order',
              'statement.customer',
              'export.column.paid',
              'statement.returned',
              'export.column.net',
            ],
            3,
          )}<tbody>${listed}</tbody></table>`;
  const about = aboutLines(facts, context)
    .map(({ label, value }) => {
      const text =
        value.kind === 'text' ? value.text : value.kind === 'time' ? clockText(value.at, value.zone) : '';
      return `<dt>${safe(label)}</dt><dd>${safe(text)}</dd>`;
    })
    .join('');
  const name = period ? periodText(period, context) : '';
  return printedPage({
    language,
    title: `${t('statement.title')} ${name}`,
    footer: `${merchant.name} · ${t('statement.title')} · ${name}`,
    page: format(msg('printed.page', { page: '{page}', pages: '{pages}' })),
    body: `${letterhead(t('statement.title'), `${safe(name)} · ${safe(zone)}`, merchant)}
<h2>${t('statement.totals')}</h2>
${totalsTable}
${totals.length === 0 ? '' : `<h2>${t('statement.days')}</h2>${days}`}
${rows.length === 0 ? '' : `<h2>${t('export.sheet.payments')}</h2>${payments}`}
<h2>${t('export.sheet.about')}</h2>
<dl class="about">${about}</dl>
<p class="quiet">${t('statement.no-receipt')}</p>`,
  });
};
