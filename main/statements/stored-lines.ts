import type { Line } from './reading/line.ts';

/** Characters of the lines of one event: below the limit of an event's texts, escaped. */
const maxPartChars = 200_000;

/** The fields of a line in the order in which they are stored; the three amounts are minor units. */
const fields = [
  'line',
  'kind',
  'isKindCertain',
  'order',
  'references',
  'approval',
  'card',
  'words',
  'form',
  'day',
  'settled',
  'currency',
  'gross',
  'fee',
  'net',
  'batch',
] as const satisfies readonly (keyof Line)[];

/** A line as one row of text: a JSON array. */
const packLine = (line: Line): string =>
  JSON.stringify(fields.map(field => (typeof line[field] === 'bigint' ? String(line[field]) : line[field])));

type Stored = Omit<Line, 'gross' | 'fee' | 'net'> & Record<'gross' | 'fee' | 'net', string>;

/** Lines as texts, each small enough for one event. */
export const packLines = (lines: readonly Line[]): string[] => {
  const parts: string[] = [];
  for (const line of lines) {
    const text = packLine(line);
    const part = parts.at(-1);
    if (part === undefined || part.length + text.length > maxPartChars) parts.push(text);
    else parts[parts.length - 1] = `${part}\n${text}`;
  }
  return parts;
};

/** The lines of such texts, in the same order. */
export const unpackLines = (parts: readonly string[]): Line[] =>
  parts.flatMap(part =>
    part.split('\n').map(text => {
      const values = JSON.parse(text) as unknown[];
      // Stored by `packLine`, and checked like every event of the log.
      const line = Object.fromEntries(fields.map((field, index) => [field, values[index]])) as Stored;
      return { ...line, gross: BigInt(line.gross), fee: BigInt(line.fee), net: BigInt(line.net) };
    }),
  );
