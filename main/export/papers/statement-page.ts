import { msg, type Message, type MessageKey } from '../../../shared/messages/message.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import type { Orientation } from '../../../shared/reports/export.ts';
import type { Merchant } from '../../../shared/settings/profile.ts';
import { periodText, type ReportFacts } from '../about.ts';
import { netOf, totalsCounter, type CurrencyTotals, type Totals } from '../books.ts';
import type { ReportContext } from '../report-context.ts';
import { closingFacts } from './paper-table.ts';
import { letterhead, printedPage } from './printed-page.ts';
import { escaped, safe } from './safe-text.ts';
import { DateFormatter, parseDate } from '@internationalized/date';
import { clockParts } from '../../../shared/messages/clock-parts.ts';
import { formatAmount, formatMoney } from '../../../shared/money/format-amount.ts';
import { decimalOf } from '../../../shared/money/signed-amount.ts';
import { signedAmountOf } from '../../../shared/reports/payment-books.ts';
import { movementName, movementRows, type MovementRow } from '../movement-columns.ts';

/** The list of a statement: every payment and return on its day, in two columns of lines. */

/** Returns formatters of sums in minor units: with the currency's code, or without it where there is only one. */
const sumTexts = (currencies: readonly string[], locale: string) => {
  const format = currencies.length === 1 ? formatAmount : formatMoney;
  const withSign = (minor: bigint, text: (wire: string) => string): string =>
    minor < 0n ? `−${text(String(-minor))}` : text(String(minor));
  const text =
    (of: typeof formatAmount) =>
    (minor: bigint, currency: string): string =>
      withSign(minor, figures => of(decimalOf(BigInt(figures), currency), currency, locale));
  return { short: text(format), long: text(formatMoney) };
};

/** What a day or a period adds up to: `1,200.00 − 50.00 = 1,150.00`, or only what was paid if nothing went back. */
const balance = (
  of: Totals,
  currency: string,
  sum: (minor: bigint, currency: string) => string,
  texts: { net: string; unknown: string },
): string => {
  const returned = of.refunded + of.disputed;
  // A day of one refund without an amount has no sum.
  if (returned === 0n && of.paid === 0n && of.notCounted > 0) return `${texts.unknown} (${currency})`;
  if (returned === 0n && of.outsideNet === 0n) return sum(of.paid, currency);
  const paid = of.paid === 0n && of.payments === 0 ? '' : `${sum(of.paid, currency)} `;
  const back = returned === 0n ? '' : `− ${sum(returned, currency)} `;
  // With an unknown amount the parts do not add up to the net.
  if (of.outsideNet !== 0n) return `${paid}${back}· ${texts.net} ${sum(netOf(of), currency)}`;
  return paid === '' ? sum(-returned, currency) : `${paid}${back}= ${sum(netOf(of), currency)}`;
};

/**
 * Escaped, and isolated only where a letter or a sign is written from right to left: each element of a line makes the
 * PDF of thousands of lines larger, for screen readers.
 */
const isolated = (text: string): string =>
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Bidi_Control}]/u.test(
    text,
  )
    ? safe(text)
    : escaped(text);

/** Lines that are not divided into two columns. */
const maxInOneColumn = 44;

type Day = { day: string; rows: MovementRow[]; sums: { currency: string; totals: Totals }[] };

/** The days of all currencies, oldest first, with their sums and, if `rows` has them, their lines by time. */
const daysOf = (
  rows: readonly PaymentRow[],
  totals: readonly CurrencyTotals[],
  context: ReportContext,
): Day[] => {
  const days = new Map<string, Day>();
  for (const { currency, days: ofCurrency } of totals)
    for (const { day, totals: of } of ofCurrency) {
      const found = days.get(day) ?? { day, rows: [], sums: [] };
      found.sums.push({ currency, totals: of });
      days.set(day, found);
    }
  for (const row of movementRows(rows, context)) days.get(context.dayOf(row.movement.at))?.rows.push(row);
  for (const { rows: ofDay } of days.values())
    ofDay.sort((one, other) => one.movement.at - other.movement.at);
  return [...days.values()].toSorted((one, other) => (one.day < other.day ? -1 : 1));
};

/** `listed`: the payments that have lines; without them there are only the days. */
const statementDays = (
  listed: readonly PaymentRow[],
  totals: readonly CurrencyTotals[],
  context: ReportContext,
  orientation: Orientation,
): string => {
  const { format, locale, zone } = context;
  const t = (message: Message): string => format(message);
  const isWide = orientation === 'landscape';
  const currencies = totals.map(({ currency }) => currency);
  const { short } = sumTexts(currencies, locale);
  const [onlyCurrency] = currencies.length === 1 ? currencies : [];
  const dayName = new DateFormatter(locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  const clock = new DateFormatter(locale, {
    ...clockParts,
    timeZone: zone,
  });
  const amountOf = ({ movement, currency }: MovementRow): string => {
    const amount = signedAmountOf(movement, currency ?? '');
    if (amount.kind === 'unknown') return t(msg('export.unknown'));
    return escaped(amount.kind === 'text' ? amount.text : short(amount.minor, currency ?? ''));
  };
  const line = (row: MovementRow): string => {
    const kind =
      row.movement.kind === 'paid' && !row.movement.isCounter
        ? ''
        : `<span class="kind">${t(msg(movementName(row.movement)))}</span> `;
    const customer = row.customer?.name ?? '';
    const description = row.description ?? '';
    const texts = isWide
      ? `<td class="cut">${kind}${isolated(customer)}</td><td class="cut">${escaped(description)}</td>`
      : `<td class="cut">${kind}${[customer, description].filter(Boolean).map(isolated).join(', ')}</td>`;
    return `<tr><td>${clock.format(new Date(row.movement.at))}</td><td class="order">${escaped(row.orderNumber)}</td>${texts}<td class="card">${row.cardLast4 === null ? '' : `•• ${escaped(row.cardLast4)}`}</td><td class="number">${amountOf(row)}</td></tr>`;
  };
  const columns = isWide ? 6 : 5;
  const words = { net: t(msg('export.column.net')), unknown: t(msg('export.unknown')) };
  const section = ({ day, rows, sums }: Day): string => {
    const count = sums.reduce((all, { totals: of }) => all + of.payments, 0);
    const counted = count === 0 ? '' : t(msg('statement.day-payments', { count }));
    const amounts = sums.map(
      ({ currency, totals: of }) => `<span>${escaped(balance(of, currency, short, words))}</span>`,
    );
    return `<tbody><tr class="day"><th colspan="${columns}" scope="rowgroup"><div><span class="nowrap">${dayName.format(parseDate(day).toDate('UTC'))} <span class="quiet">${counted}</span></span><span class="sums">${amounts.join(' · ')}</span></div></th></tr>${rows.map(line).join('')}</tbody>`;
  };
  const amountHead =
    onlyCurrency === undefined
      ? t(msg('column.amount'))
      : t(msg('statement.amount', { currency: onlyCurrency }));
  const days = daysOf(listed, totals, context);
  const isShort = days.reduce((all, { rows }) => all + rows.length + 1, 0) <= maxInOneColumn;
  const classes = ['lines', isShort && 'short', onlyCurrency === undefined && 'with-currency'];
  const heads = [
    t(msg('statement.time')),
    t(msg('statement.order')),
    ...(isWide
      ? [t(msg('column.customer')), t(msg('column.description'))]
      : [t(msg('statement.customer-description'))]),
    t(msg('column.card')),
  ].map(head => `<th>${head}</th>`);
  return `<div class="${classes.filter(Boolean).join(' ')}"><table><colgroup><col class="time"><col class="order">${isWide ? '<col class="name">' : ''}<col><col class="card"><col class="sum"></colgroup><thead><tr>${heads.join('')}<th class="number">${amountHead}</th></tr></thead>${days.map(section).join('')}</table></div>`;
};

/** Two columns in both orientations; a day's head stays with its first line. */
const common = `
h1 { font-size: 15pt; } h2 { margin: 5mm 0 1.5mm; font-size: 10pt; }
.letterhead { margin-bottom: 4mm; padding-bottom: 3mm; }
.letterhead address { font-size: 7.5pt; line-height: 1.35; } .letterhead address strong { font-size: 9pt; }
.logo { max-height: 12mm; margin: 0; } .letterhead .heading { display: flex; gap: 5mm; align-items: flex-start; }
.letterhead section h2 { margin-top: 0; }
.totals { width: auto; min-width: 60%; } .totals td { font-weight: 600; } .totals td, .totals th { padding-block: 0.6mm; }
.lines { columns: 2; column-gap: 7mm; margin-top: 1mm; }
.short { columns: auto; } .lines.short table { font-size: 8pt; } .lines.short td.order { font-size: 7.2pt; }
.short col.time { width: 11mm; } .short col.order { width: 34mm; } .short col.card { width: 14mm; } .short col.sum { width: 24mm; }
.lines table { table-layout: fixed; font-size: 6.9pt; line-height: 1.27; }
.lines th, .lines td { padding: 0.17mm 1.5mm 0.17mm 0; border: 0; vertical-align: baseline; }
.lines thead th { font-weight: 400; font-size: 6.5pt; border-bottom: 0.5pt solid #9aa2ae; }
.lines td.order { font: 6.2pt/1 "JetBrains Mono", monospace; font-variant-ligatures: none; }
.lines td.card { white-space: nowrap; }
.lines .cut { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.lines .number { padding-inline: 0; }
.lines .day { break-after: avoid; }
.lines .day th { padding: 1.1mm 0 0.3mm; color: #14181f; white-space: normal; }
.lines .day div { display: flex; justify-content: space-between; flex-wrap: wrap; column-gap: 3mm; border-bottom: 0.5pt solid #c4cad3; }
.lines .day .quiet { font-size: inherit; font-weight: 400; }
.lines .sums { flex: 1; text-align: end; font-variant-numeric: tabular-nums; } .lines .sums span { white-space: nowrap; }
.kind { font-weight: 600; }
col.time { width: 8.5mm; } col.order { width: 22.5mm; } col.name { width: 36mm; } col.card { width: 10.5mm; } col.sum { width: 16.5mm; }
.with-currency col.sum { width: 18.5mm; }
.closing { break-inside: avoid; margin-top: 4mm; border-top: 0.5pt solid #c4cad3; padding-top: 2.5mm; font-size: 6.5pt; line-height: 1.35; }
.closing dl { display: block; columns: 2; column-gap: 7mm; } .closing dl > div { break-inside: avoid; margin-bottom: 0.4mm; }
.closing dt, .closing dd { display: inline; } .closing dt::after { content: ": "; }
.closing h2, .closing p { margin: 0 0 1mm; font-size: 7.5pt; }`;

/** Less room between the lines: a month of 400 payments fits on four pages that are turned. */
const landscape = `
.letterhead { margin-bottom: 2.5mm; padding-bottom: 2mm; } h2 { margin: 3mm 0 1mm; }
.lines table { font-size: 6.5pt; line-height: 1.16; } .lines th, .lines td { padding-block: 0.08mm; }
.totals { font-size: 7pt; min-width: 0; } .totals th, .totals td { padding-inline-end: 2mm; } .totals td.number, .totals th.number { padding-inline: 2mm 0; }
.letterhead { gap: 6mm; } .letterhead section { min-width: 0; } .letterhead address { max-width: 60mm; } .logo { max-width: 40mm; }
.lines .day th { padding: 0.7mm 0 0.2mm; }
.closing { margin-top: 2.5mm; padding-top: 1.5mm; font-size: 6pt; line-height: 1.25; } .closing dl { columns: 3; }`;

/** The style of a statement, after that of every paper. */
const statementStyle = (orientation: Orientation): string =>
  orientation === 'landscape' ? common + landscape : common;

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

  const counter = totalsCounter(period, context.dayOf);
  for (const row of rows) counter.add(row);
  const totals = counter.read();
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
  const name = period ? periodText(period, context) : '';
  return printedPage({
    language,
    merchant,
    title: t('statement.title'),
    name,
    orientation,
    isCompact: true,
    style: statementStyle(orientation),
    body: `${letterhead(t('statement.title'), `${safe(name)}<br>${safe(zone)}`, merchant, isWide ? sumsOfAll : '')}
${isWide ? '' : sumsOfAll}
${days}
<section class="closing">
<p><strong>${t('statement.no-receipt')}</strong></p>
${closingFacts(facts, context)}
</section>`,
  });
};
