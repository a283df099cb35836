import { parse } from 'csv-parse';
import { msg } from '../../../shared/messages/message.ts';
import { decoded } from './decode.ts';
import { StatementRefusal } from './statement-refusal.ts';
import { createTable, type Table } from './statement-rows.ts';

const delimiters = [';', '\t', ',', '|'] as const;
/** Lines that decide about the delimiter. */
const sampleLines = 200;
/** Limit of one record, characters. */
const maxRecordChars = 131_072;

/** How the library reads a record, but for the delimiter. */
export const readerOptions = {
  bom: true,
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  max_record_size: maxRecordChars,
} as const;

/** The columns of a line, without what is quoted. */
const columnsOf = (line: string, delimiter: string): number =>
  line.replaceAll(/"[^"]*"/g, '').split(delimiter).length;

/** The delimiter by which most lines have equally many columns; title lines have fewer. */
export const delimiterOf = (sample: string): string => {
  const lines = sample
    .split(/\r\n|\n|\r/)
    .slice(0, sampleLines)
    .filter(line => line.trim() !== '');
  let best = { delimiter: ',', score: 0 };
  for (const delimiter of delimiters) {
    const counts = new Map<number, number>();
    for (const line of lines) {
      const columns = columnsOf(line, delimiter);
      if (columns > 1) counts.set(columns, (counts.get(columns) ?? 0) + 1);
    }
    for (const [columns, times] of counts) {
      const score = times * 100 + columns;
      if (score > best.score) best = { delimiter, score };
    }
  }
  return best.delimiter;
};

/** A text with delimiters as a table. `encoding`: its label. Throws `StatementRefusal`. */
export const readDelimited = async (bytes: Buffer, encoding: string): Promise<Table> => {
  const table = createTable();
  const pieces = decoded(bytes, encoding);
  const first = pieces.next().value ?? '';
  const parser = parse({
    ...readerOptions,
    delimiter: delimiterOf(first.replace(/^\ufeff/, '')),
    on_record: (cells: string[], { lines }) => {
      table.add(lines, cells);
      return null;
    },
  });
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  parser.on('error', (thrown: unknown) => {
    if (thrown instanceof StatementRefusal) return reject(thrown);
    const line =
      typeof thrown === 'object' && thrown !== null && 'lines' in thrown ? Number(thrown.lines) : 0;
    reject(new StatementRefusal(msg('statement-file.row-unreadable', { line })));
  });
  parser.on('end', () => resolve(undefined));
  parser.resume();
  parser.write(first);
  for (const piece of pieces) {
    if (parser.destroyed) break;
    if (piece !== '' && !parser.write(piece))
      await Promise.race([new Promise(drained => parser.once('drain', drained)), promise]);
  }
  parser.end();
  await promise;
  return { rows: table.rows, isTyped: false };
};
