import { decimalOf } from '../../shared/money/signed-amount.ts';
import { exponentOf } from '../../shared/money/currencies.ts';
import { lineKinds } from '../../shared/statements/statement-kinds.ts';
import type { Line } from './reading/line.ts';

/** Characters of the lines of one event: below the limit of an event's texts, escaped. */
const maxPartChars = 200_000;

/** Minor units of a decimal text with an optional minus sign. */
const minorOf = (text: string, currency: string): bigint => {
  const digits = BigInt(text.replace('.', ''));
  const [, fraction = ''] = text.split('.');
  return digits * 10n ** BigInt(Math.max(0, (exponentOf(currency) ?? 0) - fraction.length));
};

/** A line as one row of text: a JSON array. */
const packLine = (line: Line): string => {
  const wire = (minor: bigint): string => decimalOf(minor, line.currency);
  return JSON.stringify([
    line.line,
    line.kind,
    line.isKindCertain ? 1 : 0,
    line.order,
    line.references,
    line.approval,
    line.card,
    line.words,
    line.form,
    line.day,
    line.settled,
    line.currency,
    wire(line.gross),
    wire(line.fee),
    wire(line.net),
    line.batch,
  ]);
};

type Packed = [
  line: number,
  kind: string,
  isKindCertain: number,
  order: string | null,
  references: string[],
  approval: string | null,
  card: string | null,
  words: string[],
  form: string | null,
  day: string | null,
  settled: string | null,
  currency: string,
  gross: string,
  fee: string,
  net: string,
  batch: string | null,
];

/** Lines as texts, each small enough for one event. */
export const packLines = (lines: readonly Line[]): string[] => {
  const parts: string[] = [];
  let part: string[] = [];
  let chars = 0;
  for (const line of lines) {
    const text = packLine(line);
    if (chars + text.length > maxPartChars && part.length > 0) {
      parts.push(part.join('\n'));
      part = [];
      chars = 0;
    }
    part.push(text);
    chars += text.length + 1;
  }
  if (part.length > 0) parts.push(part.join('\n'));
  return parts;
};

/** The lines of such texts, in the same order. */
export const unpackLines = (parts: readonly string[]): Line[] =>
  parts.flatMap(part =>
    part.split('\n').map((text): Line => {
      const [
        line,
        kind,
        certain,
        order,
        references,
        approval,
        card,
        words,
        form,
        day,
        settled,
        currency,
        gross,
        fee,
        net,
        batch,
      ] = JSON.parse(text) as Packed;
      return {
        line,
        kind: lineKinds.find(one => one === kind) ?? 'other',
        isKindCertain: certain === 1,
        order,
        references,
        approval,
        card,
        words,
        form,
        day,
        settled,
        currency,
        gross: minorOf(gross, currency),
        fee: minorOf(fee, currency),
        net: minorOf(net, currency),
        batch,
      };
    }),
  );
