import { formatAmount } from '../../../shared/money/format-amount.ts';
import { wireOf } from '../../../shared/money/wire-amount.ts';
import { aboutLines, type ReportFacts } from '../about.ts';
import { cellText } from '../csv.ts';
import type { ReportContext } from '../report-context.ts';
import type { Sheet, SheetCell } from '../sheet.ts';
import { safe } from './safe-text.ts';

/** A cell on paper. An amount is without its currency, which a column of its table names. */
const paperText = (cell: SheetCell, context: ReportContext): string => {
  if (cell?.kind !== 'amount') return cellText(cell, context);
  const { minor, currency } = cell;
  const text = formatAmount(wireOf(minor < 0n ? -minor : minor, currency), currency, context.locale);
  return minor < 0n ? `−${text}` : text;
};

/** Rows of one table on paper; the workbook has all. */
const maxPrinted = 2_000;

/** Characters of a cell that stays in one line, such as a day or a kind: longer ones break anywhere. */
const maxUnbroken = 13;

/** A table under its name. */
export const paperTable = ({ name, header, rows }: Sheet, context: ReportContext): string => {
  const classOf = (index: number): string => (header[index]?.isNumber ? ' class="number"' : '');
  const heads = header.map(({ text }, index) => `<th${classOf(index)}>${safe(text)}</th>`).join('');
  const lines = rows.slice(0, maxPrinted).map(row => {
    const cells = row.map((cell, index) => {
      const text = paperText(cell, context);
      const isWhole = text.length <= maxUnbroken && !header[index]?.isNumber;
      return `<td${isWhole ? ' class="nowrap"' : classOf(index)}>${safe(text)}</td>`;
    });
    return `<tr>${cells.join('')}</tr>`;
  });
  return `<h2>${safe(name)}</h2>${
    rows.length === 0
      ? `<p class="quiet">${context.format({ key: 'month-end.none' })}</p>`
      : `<table><thead><tr>${heads}</tr></thead><tbody>${lines.join('')}</tbody></table>`
  }`;
};

/** The facts at the end of a paper; its letterhead already names the merchant. */
export const closingFacts = (facts: ReportFacts, context: ReportContext): string => {
  const lines = aboutLines({ ...facts, merchant: null }, context).map(
    ({ label, value }) => `<div><dt>${safe(label)}</dt><dd>${safe(paperText(value, context))}</dd></div>`,
  );
  return `<dl>${lines.join('')}</dl>`;
};
