import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { parse } from 'csv-parse';
import { agree } from '../../main/statements/agree.ts';
import { decoded } from '../../main/statements/files/decode.ts';
import { readerOptions } from '../../main/statements/files/delimited.ts';
import { createLookUp } from '../../main/statements/match.ts';
import type { Movement } from '../../main/statements/movements.ts';
import { readStatement, recognise } from '../../main/statements/read-statement.ts';
import { alternate, atMost, type Row } from './measure.ts';

const headings =
  '"Merchant Account","Psp Reference","Merchant Reference","Payment Method","Creation Date","TimeZone","Type","Gross Currency","Gross Debit (GC)","Gross Credit (GC)","Net Currency","Net Debit (NC)","Net Credit (NC)","Commission (NC)","Batch Number"';

/** A month of payments, and the provider's file about them. */
const monthOf = (count: number): { bytes: Buffer; movements: Movement[] } => {
  const lines = [headings];
  const movements: Movement[] = [];
  const decimal = (cents: number): string => (cents / 100).toFixed(2);
  for (let index = 0; index < count; index += 1) {
    const cents = 500 + ((index * 7919) % 90_000);
    const fee = Math.round(cents * 0.015);
    const at = Date.UTC(2026, 10, 1) + Math.floor((index / count) * 30 * 86_400_000);
    const stamp = new Date(at).toISOString().slice(0, 19).replace('T', ' ');
    const [orderNumber, paymentId] = [String(index).padStart(7, '0'), randomUUID()];
    lines.push(
      `"Harbour","${paymentId}","${orderNumber}","visa","${stamp}","UTC","Settled","EUR","","${decimal(cents)}","EUR","","${decimal(cents - fee)}","${decimal(fee)}","${300 + Math.floor((index / count) * 30)}"`,
    );
    const known = { rrn: String(1e11 + index), approval: String(index % 1e6), card: '1111' };
    const money = { kind: 'sale', amount: BigInt(cents), currency: 'EUR' } as const;
    const day = stamp.slice(0, 10);
    movements.push({ key: `0 ${orderNumber}`, orderNumber, paymentId, day, at, ...money, ...known });
  }
  return { bytes: Buffer.from(`\ufeff${lines.join('\r\n')}\r\n`), movements };
};

/** The records of a file, read by the library alone. */
const countRecords = async (bytes: Buffer): Promise<number> => {
  let count = 0;
  const parser = parse({
    ...readerOptions,
    on_record: () => {
      count += 1;
      return null;
    },
  });
  parser.resume();
  for (const piece of decoded(bytes, 'utf-8'))
    if (piece !== '' && !parser.write(piece)) await once(parser, 'drain');
  parser.end();
  await once(parser, 'end');
  return count;
};

/** Reads a file and compares it with the payments, as the command and the thread do; throws unless all agree. */
const compareAll = async ({ bytes, movements }: ReturnType<typeof monthOf>): Promise<void> => {
  const lookUp = createLookUp(movements);
  const file = await recognise({ bytes, name: 'statement.csv', sha256: '' }, 'UTC');
  const { lines } = readStatement(file, movements, { mapping: null, zone: 'UTC', lookUp });
  const { agreed } = agree(lines, movements, { lookUp });
  if (agreed.length !== movements.length) throw new Error(`${agreed.length} of ${movements.length} agree`);
};

/** A statement with as many lines as there are payments, compared with them. */
export const statementOf = async (count: number): Promise<Row> => {
  const month = monthOf(count);
  const of = `a statement of ${count.toLocaleString('en')} lines`;
  const [ours, bare] = await alternate([() => compareAll(month), () => countRecords(month.bytes)], {
    rounds: 5,
    warmUp: 1,
  });
  return atMost(`read and compare ${of} / its records counted by csv-parse (ms)`, ours, bare, 4);
};
