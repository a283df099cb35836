import { exponentOf } from '../../../shared/money/currencies.ts';
import type { NumberForm } from '../../../shared/statements/statement-kinds.ts';

/** Amounts as files write them. */

const grouped = {
  point: /^(?:\d+|[1-9]\d{0,2}(?:[, ']\d{2,3})*(?:[, ']\d{3}))?(?:\.\d*)?$/,
  comma: /^(?:\d+|[1-9]\d{0,2}(?:[. ']\d{2,3})*(?:[. ']\d{3}))?(?:,\d*)?$/,
} as const;

type Figures = { figures: string; isNegative: boolean };

/** The figures of a cell and its sign: `(1.234,50)`, `1234.50-`, `EUR 12`, `12 CR` and `- 12` are read. */
const figuresOf = (cell: string): Figures | null => {
  if (/^\d[\d.,]*$/.test(cell)) return { figures: cell, isNegative: false };
  const text = cell
    .replaceAll(/[\u00a0\u2007\u2009\u202f]/g, ' ')
    .replaceAll(/[’`´]/g, "'")
    .replaceAll(/[−–]/g, '-');
  const found =
    /^(?<open>\()?\s*(?:kr\.?|Fr\.|\p{L}{3}|(?:R|US)?\p{Sc})?\s*(?<sign>[-+])?\s*(?:kr\.?|Fr\.|\p{L}{3}|(?:R|US)?\p{Sc})?\s*(?<figures>\d[\d., ']*|[.,]\d+)\s*(?<after>-|\+)?\s*(?:kr\.?|zł|Kč|Ft|Fr\.|(?:R|US)?\p{Sc}|\p{L}{3})?\s*(?<word>CR|DR|C|D|H|S)?\s*\)?$/u.exec(
      text.trim().replace(/^'/, ''),
    )?.groups;
  if (!found) return null;
  const { open, sign, figures = '', after, word = '' } = found;
  return {
    figures: figures.trim(),
    isNegative: open !== undefined || sign === '-' || after === '-' || /^[DS]/.test(word),
  };
};

/**
 * Minor units of a cell in one form; null if it has not that form or more digits than the currency has. An empty cell
 * is null too.
 */
export const readNumber = (cell: string, currency: string, form: NumberForm): bigint | null => {
  const read = figuresOf(cell);
  const exponent = exponentOf(currency);
  const digits = read && exponent !== null ? digitsOf(read.figures, exponent, form) : null;
  if (digits === null) return null;
  return read?.isNegative === true ? -BigInt(digits) : BigInt(digits);
};

/** The digits of the minor units. */
const digitsOf = (figures: string, exponent: number, form: NumberForm): string | null => {
  if (form === 'minor') return /^\d{1,15}$/.test(figures) ? figures : null;
  const mark = form === 'point' ? '.' : ',';
  // Most amounts: no groups, and all digits of the currency.
  const end = figures.length - exponent - 1;
  if (figures[end] === mark && /^\d{1,15}[.,]\d+$/.test(figures))
    return figures.slice(0, end) + figures.slice(end + 1);
  if (!grouped[form].test(figures)) return null;
  const [whole = '', fraction = ''] = figures.split(mark);
  const digits = fraction.length <= exponent ? fraction : fraction.replace(/0+$/, '');
  const plain = /\D/.test(whole) ? whole.replaceAll(/\D/g, '') : whole;
  if (digits.length > exponent || plain.length > 15) return null;
  return `${plain}${digits.padEnd(exponent, '0')}` || '0';
};

/** The forms in which all amounts of a file can be read, likeliest first; `minor` only where no cell has a mark. */
export const numberFormsOf = (cells: Iterable<readonly [cell: string, currency: string]>): NumberForm[] => {
  const misses = { point: 0, comma: 0 };
  let hasMark = false;
  let count = 0;
  for (const [cell, currency] of cells) {
    const read = figuresOf(cell);
    const exponent = exponentOf(currency);
    if (read === null || exponent === null) continue;
    count += 1;
    hasMark ||= /[.,]/.test(read.figures);
    for (const form of ['point', 'comma'] as const)
      if (digitsOf(read.figures, exponent, form) === null) misses[form] += 1;
  }
  if (!hasMark) return ['point', 'minor'];
  if (misses.point === 0 && misses.comma === 0) return ['point', 'comma'];
  // A single cell that cannot be read is listed, and does not change how the others are read.
  const best = misses.point <= misses.comma ? 'point' : 'comma';
  return misses[best] < count ? [best] : ['point'];
};
