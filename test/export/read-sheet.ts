import { strFromU8, unzipSync } from 'fflate';

/** Reads the sheets of a workbook. */

type SheetCell = { value: string; isText: boolean; format: string | null };

/** A file of a workbook as text, such as `xl/workbook.xml`; empty if there is none. */
export const readPart = (workbook: Buffer, path: string): string => {
  const { [path]: part } = unzipSync(workbook, { filter: ({ name }) => name === path });
  return part ? strFromU8(part) : '';
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

/** The rows of a sheet, by default the first, each by column, with the displayed text of a cell. */
export const readSheet = (workbook: Buffer, number = 1): SheetCell[][] => {
  const xml = readPart(workbook, `xl/worksheets/sheet${number}.xml`);
  const styles = readPart(workbook, 'xl/styles.xml');
  const shared = [...readPart(workbook, 'xl/sharedStrings.xml').matchAll(/<si>(.*?)<\/si>/gs)].map(
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
  return [...xml.matchAll(/<row [^>]*>(.*?)<\/row>/gs)].map(([, cells]) => {
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
};
