import { inflateRawSync } from 'node:zlib';

/** Reads the first sheet of a workbook, independently of the writer. */

type SheetCell = { value: string; isText: boolean; format: string | null };

/** The files of a ZIP archive by its central directory (PKWARE APPNOTE 4.3.12). */
const unzipped = (archive: Buffer): Map<string, string> => {
  const files = new Map<string, string>();
  const end = archive.lastIndexOf('PK\u0005\u0006', undefined, 'latin1');
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [method, size] = [archive.readUInt16LE(at + 10), archive.readUInt32LE(at + 20)];
    const [name, extra, comment] = [28, 30, 32].map(offset => archive.readUInt16LE(at + offset));
    const local = archive.readUInt32LE(at + 42);
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const bytes = archive.subarray(start, start + size);
    const path = archive.toString('utf8', at + 46, at + 46 + (name ?? 0));
    files.set(path, (method === 0 ? bytes : inflateRawSync(bytes)).toString('utf8'));
    at += 46 + (name ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return files;
};

const unescaped = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

const attribute = (tag: string, name: string): string | null =>
  new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? null;

const columnOf = (reference: string): number =>
  reference
    .replace(/\d+$/, '')
    .split('')
    .reduce((index, letter) => index * 26 + letter.charCodeAt(0) - 64, 0) - 1;

/** A file of a workbook as text, such as `xl/workbook.xml`; empty if there is none. */
export const readPart = (workbook: Buffer, path: string): string => unzipped(workbook).get(path) ?? '';

/** The rows of a sheet, by default the first, each by column, with the displayed text of a cell; `xml` is the sheet itself. */
export const readSheet = (workbook: Buffer, number = 1): { rows: SheetCell[][]; xml: string } => {
  const files = unzipped(workbook);
  const xml = files.get(`xl/worksheets/sheet${number}.xml`) ?? '';
  const styles = files.get('xl/styles.xml') ?? '';
  const shared = [...(files.get('xl/sharedStrings.xml') ?? '').matchAll(/<si>(.*?)<\/si>/gs)].map(
    ([, text]) => unescaped((text ?? '').replaceAll(/<[^>]*>/g, '')),
  );
  const formats = new Map(
    [...styles.matchAll(/<numFmt [^>]*>/g)].map(([tag]) => [
      attribute(tag, 'numFmtId'),
      unescaped(attribute(tag, 'formatCode') ?? ''),
    ]),
  );
  const builtIn: Readonly<Record<string, string>> = { 3: '#,##0', 4: '#,##0.00' };
  const styleTags = [
    ...(/<cellXfs[^>]*>(.*?)<\/cellXfs>/s.exec(styles)?.[1] ?? '').matchAll(/<xf [^>]*>/g),
  ].map(([tag]) => attribute(tag, 'numFmtId'));
  const rows = [...xml.matchAll(/<row [^>]*>(.*?)<\/row>/gs)].map(([, cells]) => {
    const row: SheetCell[] = [];
    for (const [, tag = '', content] of (cells ?? '').matchAll(/<c( [^>]*?)(?:\/>|>(.*?)<\/c>)/gs)) {
      const raw = /<v>(.*?)<\/v>/s.exec(content ?? '')?.[1] ?? '';
      const isText = attribute(tag, 't') === 's';
      const format = styleTags[Number(attribute(tag, 's') ?? -1)] ?? null;
      row[columnOf(attribute(tag, 'r') ?? '')] = {
        value: isText ? (shared[Number(raw)] ?? '') : raw,
        isText,
        format: format === null ? null : (formats.get(format) ?? builtIn[format] ?? null),
      };
    }
    return row.length === 0
      ? row
      : Array.from(row, cell => cell ?? { value: '', isText: false, format: null });
  });
  return { rows, xml };
};
