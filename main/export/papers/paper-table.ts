import { formatAmount, formatMoney } from '../../../shared/money/format-amount.ts';
import { wireOf } from '../../../shared/money/wire-amount.ts';
import { aboutLines, type ReportFacts } from '../about.ts';
import { clockText } from '../columns.ts';
import type { ReportContext } from '../report-context.ts';
import type { Sheet, SheetCell } from '../sheet.ts';
import { safe } from './safe-text.ts';

/** `hasCurrency`: an amount names its currency, because no column does. */
const paperText = (cell: SheetCell, locale: string, hasCurrency = true): string => {
  switch (cell?.kind) {
    case undefined:
      return '';
    case 'text':
      return cell.text;
    case 'count':
      return String(cell.count);
    case 'amount': {
      const { minor, currency } = cell;
      const wire = wireOf(minor < 0n ? -minor : minor, currency);
      const text = hasCurrency ? formatMoney(wire, currency, locale) : formatAmount(wire, currency, locale);
      return minor < 0n ? `−${text}` : text;
    }
    case 'time':
      return clockText(cell.at, cell.zone);
    case 'day':
      return cell.day;
  }
};

/** Rows of one table on paper; the workbook has all. */
const maxPrinted = 2_000;

/** A table under its name. */
export const paperTable = ({ name, header, rows }: Sheet, { format, locale }: ReportContext): string => {
  const hasCurrency = header.every(({ text }) => text !== format({ key: 'overview.currency' }));
  const classOf = (index: number): string => (header[index]?.isNumber ? ' class="number"' : '');
  const heads = header.map(({ text }, index) => `<th${classOf(index)}>${safe(text)}</th>`).join('');
  const lines = rows.slice(0, maxPrinted).map(row => {
    const cells = row.map(
      (cell, index) => `<td${classOf(index)}>${safe(paperText(cell, locale, hasCurrency))}</td>`,
    );
    return `<tr>${cells.join('')}</tr>`;
  });
  return `<h2>${safe(name)}</h2>${
    rows.length === 0
      ? `<p class="quiet">${format({ key: 'month-end.none' })}</p>`
      : `<table><thead><tr>${heads}</tr></thead><tbody>${lines.join('')}</tbody></table>`
  }`;
};

/** The facts at the end of a paper; its letterhead already names the merchant. */
export const closingFacts = (facts: ReportFacts, context: ReportContext): string => {
  const lines = aboutLines({ ...facts, merchant: null }, context).map(
    ({ label, value }) =>
      `<div><dt>${safe(label)}</dt><dd>${safe(paperText(value, context.locale))}</dd></div>`,
  );
  return `<dl>${lines.join('')}</dl>`;
};
