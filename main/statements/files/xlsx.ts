import { Unzip, UnzipInflate } from 'fflate';
import { msg } from '../../../shared/messages/message.ts';
import { StatementRefusal } from './statement-refusal.ts';
import { createTable, maxColumns, type Table } from './statement-rows.ts';
import { createXmlReader, type Element } from './xml.ts';

/** Limit of everything that is unpacked, bytes: a statement of 200,000 rows has less. */
const maxUnpackedBytes = 256 * 1024 * 1024;
/** Ratio limit of unpacked to packed bytes; it applies above the bytes below. */
const maxRatio = 200;
const suspiciousBytes = 32 * 1024 * 1024;
/** Bytes that are unpacked at once, so that a bomb is noticed early. */
const pieceBytes = 16 * 1024;
/** Limit of the texts that cells share, characters. */
const maxSharedChars = 48 * 1024 * 1024;

type Reader = { write: (piece: string) => void; end: () => void };

/** Unpacks the files that `readerOf` wants, piece by piece. Throws `StatementRefusal`. */
const unpack = (bytes: Buffer, readerOf: (name: string) => Reader | null): void => {
  let unpacked = 0;
  const unzip = new Unzip(file => {
    const reader = readerOf(file.name);
    if (reader === null) return;
    const decoder = new TextDecoder();
    file.ondata = (failure, data, isLast) => {
      // What a reader throws comes back as a failure.
      if (failure)
        throw failure instanceof StatementRefusal
          ? failure
          : new StatementRefusal(msg('statement-file.workbook-damaged'));
      unpacked += data.length;
      const isBomb = unpacked > suspiciousBytes && unpacked > maxRatio * bytes.length;
      if (unpacked > maxUnpackedBytes || isBomb)
        throw new StatementRefusal(
          msg('statement-file.bomb', { max: maxUnpackedBytes / 1024 / 1024 }),
          msg('statement-file.workbook.hint'),
        );
      reader.write(decoder.decode(data, { stream: !isLast }));
      if (isLast) reader.end();
    };
    file.start();
  });
  unzip.register(UnzipInflate);
  try {
    for (let at = 0; at < bytes.length; at += pieceBytes)
      unzip.push(bytes.subarray(at, at + pieceBytes), at + pieceBytes >= bytes.length);
  } catch (thrown) {
    if (thrown instanceof StatementRefusal) throw thrown;
    throw new StatementRefusal(msg('statement-file.workbook-damaged'), msg('statement-file.workbook.hint'));
  }
};

/** Built-in formats of dates and times. */
const isDateNumber = (id: number): boolean => (id >= 14 && id <= 22) || (id >= 45 && id <= 47);
const isDateCode = (code: string): boolean => /[dmyhs]/i.test(code.replaceAll(/"[^"]*"|\[[^\]]*\]|\\./g, ''));

/** What cells refer to. */
type Parts = {
  texts: string[];
  /** By style: whether numbers are dates. */
  dates: boolean[];
  /** The path of the first sheet's file. */
  sheet: string | null;
  is1904: boolean;
};

const readParts = (bytes: Buffer): Parts => {
  const parts: Parts = { texts: [], dates: [], sheet: null, is1904: false };
  let sharedChars = 0;
  let shared = '';
  const codes = new Map<number, string>();
  let firstSheet: string | null = null;
  const targets = new Map<string, string>();
  const attribute = (element: Element | undefined, name: string): string => element?.attributes[name] ?? '';
  const readers: Record<string, () => Reader> = {
    'xl/sharedStrings.xml': () =>
      createXmlReader({
        close: (path, text) => {
          const name = path.at(-1)?.name;
          if (name === 't' && path.every(({ name: of }) => of !== 'rPh')) shared += text;
          if (name !== 'si') return;
          sharedChars += shared.length;
          if (sharedChars > maxSharedChars)
            throw new StatementRefusal(msg('statement-file.workbook-damaged'));
          parts.texts.push(shared);
          shared = '';
        },
      }),
    'xl/styles.xml': () =>
      createXmlReader({
        close: path => {
          const element = path.at(-1);
          if (element?.name === 'numFmt')
            codes.set(Number(attribute(element, 'numFmtId')), attribute(element, 'formatCode'));
          if (element?.name !== 'xf' || path.at(-2)?.name !== 'cellXfs') return;
          const id = Number(attribute(element, 'numFmtId'));
          const code = codes.get(id);
          parts.dates.push(code === undefined ? isDateNumber(id) : isDateCode(code));
        },
      }),
    'xl/workbook.xml': () =>
      createXmlReader({
        close: path => {
          const element = path.at(-1);
          if (element?.name === 'workbookPr')
            parts.is1904 = ['1', 'true'].includes(attribute(element, 'date1904'));
          if (element?.name === 'sheet' && attribute(element, 'state') === '')
            firstSheet ??= attribute(element, 'r:id');
        },
      }),
    'xl/_rels/workbook.xml.rels': () =>
      createXmlReader({
        close: path => {
          const element = path.at(-1);
          if (element?.name === 'Relationship')
            targets.set(attribute(element, 'Id'), attribute(element, 'Target'));
        },
      }),
  };
  const names: string[] = [];
  unpack(bytes, name => {
    names.push(name);
    return readers[name]?.() ?? null;
  });
  const target = targets.get(firstSheet ?? '');
  const named = target?.startsWith('/') === true ? target.slice(1) : `xl/${target}`;
  parts.sheet =
    names.find(name => name === named) ?? names.find(name => /^xl\/worksheets\/.*\.xml$/.test(name)) ?? null;
  return parts;
};

/** Column number of a reference such as `AB12`, from 0. */
const columnOf = (reference: string): number => {
  let column = 0;
  for (const letter of /^[A-Z]+/.exec(reference)?.[0] ?? '') column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
};

/** A number as a plain decimal text, without the noise of binary fractions. */
const plainNumber = (value: string): string => {
  const number = Number(value);
  if (!Number.isFinite(number)) return value;
  if (Number.isSafeInteger(number)) return String(number);
  const [whole = '0', fraction = ''] = Math.abs(number).toFixed(10).split('.');
  const digits = Math.max(0, 15 - whole.length);
  const rounded = Number(Math.abs(number).toPrecision(15)).toFixed(Math.min(digits, 10));
  return `${number < 0 ? '-' : ''}${fraction === '' ? rounded : rounded.replace(/\.?0+$/, '')}`;
};

/** An Excel serial as `2026-11-01` or `2026-11-01T08:22:00`. */
export const dateOfSerial = (serial: number, is1904 = false): string => {
  const at = new Date(Math.round((serial - (is1904 ? 24_107 : 25_569)) * 86_400) * 1000);
  if (Number.isNaN(at.getTime())) return String(serial);
  const text = at.toISOString();
  if (serial < 1) return text.slice(11, 19);
  return Number.isInteger(serial) ? text.slice(0, 10) : text.slice(0, 19);
};

/** The first visible sheet of a workbook (XLSX); a formula is its last value. Throws `StatementRefusal`. */
export const readWorkbook = (bytes: Buffer): Table => {
  const parts = readParts(bytes);
  const { sheet } = parts;
  if (sheet === null)
    throw new StatementRefusal(msg('statement-file.workbook-damaged'), msg('statement-file.workbook.hint'));
  const table = createTable();
  let cells: string[] = [];
  let row = 0;
  let value = '';
  const cellText = (cell: Element): string => {
    const type = cell.attributes['t'] ?? 'n';
    if (type === 's') return parts.texts[Number(value)] ?? '';
    if (type !== 'n' || value === '') return value;
    return parts.dates[Number(cell.attributes['s'] ?? 0)] === true
      ? dateOfSerial(Number(value), parts.is1904)
      : plainNumber(value);
  };
  const read = (): Reader =>
    createXmlReader({
      open: path => {
        const element = path.at(-1);
        if (element?.name === 'row') {
          row = Number(element.attributes['r'] ?? row + 1);
          cells = [];
        } else if (element?.name === 'c') value = '';
      },
      close: (path, text) => {
        const element = path.at(-1);
        if (element?.name === 'v' || (element?.name === 't' && path.some(({ name }) => name === 'is')))
          value += text;
        else if (element?.name === 'c') {
          const reference = element.attributes['r'];
          const at = reference === undefined ? cells.length : columnOf(reference);
          if (at >= maxColumns)
            throw new StatementRefusal(msg('statement-file.columns', { line: row, max: maxColumns }));
          while (cells.length < at) cells.push('');
          cells[at] = cellText(element);
        } else if (element?.name === 'row') table.add(row, cells);
      },
    });
  unpack(bytes, name => (name === sheet ? read() : null));
  return { rows: table.rows, isTyped: true };
};
