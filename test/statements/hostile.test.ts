import { mkdtempSync, openSync, ftruncateSync, closeSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { openStatement } from '../../main/statements/files/open-file.ts';
import { StatementRefusal } from '../../main/statements/files/statement-refusal.ts';
import { readStatement, recognise } from '../../main/statements/read-statement.ts';
import { packLines, unpackLines } from '../../main/statements/stored-lines.ts';
import { dialects } from './dialects.ts';

/** Files that are no statements, or mean harm. */

const folder = mkdtempSync(join(tmpdir(), 'counterfoil-statements-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fileOf = (content: string | Uint8Array): string => {
  const file = join(folder, `${crypto.randomUUID()}.csv`);
  writeFileSync(file, content);
  return file;
};
const readFile = async (file: string) =>
  readStatement(await recognise(await openStatement(file), null), [], { mapping: null, zone: null });
const refusalOf = async (file: string): Promise<string> => {
  try {
    await readFile(file);
    return 'read';
  } catch (thrown) {
    if (thrown instanceof StatementRefusal) return thrown.problem.key;
    throw thrown;
  }
};

const sheet = (rows: string): Record<string, Uint8Array> => ({
  'xl/worksheets/sheet1.xml': strToU8(`<worksheet><sheetData>${rows}</sheetData></worksheet>`),
});

describe('a file is refused with what is wrong', () => {
  test.each([
    ['an empty one', '', 'statement-file.empty'],
    ['a binary one', new Uint8Array([1, 2, 0, 0, 3, 0, 0, 0, 0, 9, 9, 9, 9]), 'statement-file.no-text'],
    ['a PDF', '%PDF-1.7', 'statement-file.other-format'],
    [
      'a protected or old workbook',
      new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0, 0]),
      'statement-file.other-format',
    ],
    ['a damaged workbook', zipSync({ a: strToU8('x') }).subarray(0, 40), 'statement-file.workbook-damaged'],
    ['XML of another kind', '<html></html>', 'statement-file.other-xml'],
    ['XML that is cut', '<Document xmlns="camt.053"><BkToCstmrStmt><Stmt>', 'statement-file.xml'],
    [
      'XML whose own entities would grow',
      '<!DOCTYPE d [<!ENTITY a "aaaa">]><Document xmlns="camt.053"><Stmt>&a;</Stmt></Document>',
      'statement-file.nothing',
    ],
    [
      'XML in an unknown encoding',
      '<?xml version="1.0" encoding="x-none"?><Document/>',
      'statement-file.encoding',
    ],
    ['a million columns', ','.repeat(1_000_000), 'statement-file.columns'],
    ['two thousand columns', `${','.repeat(2_000)}1\n`, 'statement-file.columns'],
    ['too many lines', 'a;b\n'.repeat(200_001), 'statement-file.rows'],
    ['an open quote to the end', `a;b\n"${'x'.repeat(200_000)}`, 'statement-file.row-unreadable'],
    ['a text without a table', 'Dear customer,\nthank you.\n', 'statement-file.nothing'],
  ])('%s', { timeout: 30_000 }, async (_, content, key) => {
    expect(await refusalOf(fileOf(content))).toBe(key);
  });

  test('a workbook that unpacks to more than a statement can have', { timeout: 60_000 }, async () => {
    const bomb = zipSync(sheet(' '.repeat(40 * 1024 * 1024)), { level: 1 });
    expect(await refusalOf(fileOf(bomb))).toBe('statement-file.bomb');
  });

  test('one of two gigabytes, before it is read', async () => {
    const file = fileOf('x');
    const handle = openSync(file, 'r+');
    ftruncateSync(handle, 2 * 1024 ** 3);
    closeSync(handle);
    expect(await refusalOf(file)).toBe('statement-file.too-large');
  });

  test('one that is a folder, or is not there', async () => {
    expect([await refusalOf(folder), await refusalOf(join(folder, 'none'))]).toEqual([
      'command.unreadable',
      'command.unreadable',
    ]);
  });
});

test('a formula is its value, and a date cell is its day', async () => {
  const rows = [
    '<row r="1"><c r="A1" t="inlineStr"><is><t>Order number</t></is></c><c r="B1" t="inlineStr"><is><t>Sale date</t></is></c><c r="C1" t="inlineStr"><is><t>Amount</t></is></c><c r="D1" t="inlineStr"><is><t>Currency</t></is></c></row>',
    '<row r="2"><c r="A2" t="str"><f>"A-"&amp;1</f><v>A-1</v></c><c r="B2" s="1"><v>46327</v></c><c r="C2"><f>HYPERLINK("http://x")</f><v>12.300000000000001</v></c><c r="D2" t="inlineStr"><is><t>EUR</t></is></c></row>',
  ].join('');
  const styles = strToU8('<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>');
  const { lines } = await readFile(fileOf(zipSync({ ...sheet(rows), 'xl/styles.xml': styles })));
  expect(lines.lines).toMatchObject([{ order: 'A-1', day: '2026-11-01', gross: 1_230n, currency: 'EUR' }]);
});

test('neither a name nor a card number of a file is kept', async () => {
  const text = [
    'Order number;Sale date;Amount;Currency;Type;Card number;Customer name;Description',
    'A-1;2026-11-01;12.00;EUR;Sale;4111111111111111;Maria Schmidt;Maria Schmidt pays A-1 with DE02120300000000202051',
  ].join('\n');
  const { lines } = await readFile(fileOf(text));
  const [packed = ''] = packLines(lines.lines);
  expect(packed).not.toMatch(/Maria|Schmidt|4111111111111111|DE0212/);
  expect(packed).toContain('1111');
});

test('any bytes are read, listed or refused, and never anything else', async () => {
  const parts = dialects.map(([, bytes]) => bytes());
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...parts),
      fc.nat(),
      fc.nat(),
      fc.uint8Array({ maxLength: 40 }),
      async (bytes, from, length, inserted) => {
        const start = from % bytes.length;
        const cut = Buffer.concat([
          bytes.subarray(0, start),
          inserted,
          bytes.subarray(start + (length % 400)),
        ]);
        const key = await refusalOf(fileOf(cut.subarray(0, 20_000)));
        expect(key === 'read' || key.startsWith('statement-file.')).toBe(true);
      },
    ),
    { numRuns: 60 },
  );
}, 60_000);

test('lines are stored and read again without a difference', async () => {
  for (const [, bytes] of dialects) {
    const { lines } = readStatement(await recognise({ name: '', bytes: bytes(), sha256: '' }, null), [], {
      mapping: null,
      zone: null,
    });
    expect(unpackLines(packLines(lines.lines))).toEqual(lines.lines);
  }
});

test('a card number is masked in each part of a file that is kept', async () => {
  const card = '4111 1111 1111 1111';
  const text = [
    'Order number;Payment reference;Sale date;Amount;Currency;Type;Batch;Description',
    `${card};4111111111111111;2026-11-01;12.00;EUR;Sale;4111-1111-1111-1111;Paid with ${card}`,
  ].join('\n');
  const bank = `:20:A\n:60F:C261031EUR1,00\n:61:2611021102C12,00NTRFNONREF//4111111111111111\n:86:EREF+4111111111111111SVWZ+${card}\n`;
  const xml = `<Document xmlns="camt.053"><Stmt><Ntry><Amt Ccy="EUR">12.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><NtryDtls><TxDtls><Refs><EndToEndId>4111111111111111</EndToEndId><TxId>${card}</TxId></Refs></TxDtls></NtryDtls></Ntry></Stmt></Document>`;
  for (const content of [text, bank, xml]) {
    const { lines } = await readFile(fileOf(content));
    expect(lines.lines).toHaveLength(1);
    const [packed = ''] = packLines(lines.lines);
    expect(packed).toMatch(/1111/);
    expect(packed.replaceAll(/[^\d]/g, '')).not.toContain('4111111111111111');
  }
});
