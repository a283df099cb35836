import type { Feature, Image } from 'write-excel-file/node';
import type { Sheet } from './sheet.ts';

/** What the library does not do for a sheet: its filter, and how it is printed. */

/** `A` for 0, `Z` for 25, `AA` for 26. */
const columnName = (index: number): string =>
  (index < 26 ? '' : columnName(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26));

/** The library's type of a file's content, which it exports only inside others. */
type FileContent = Image['content'];

/** A sheet, of which only the number of rows matters here. */
type PackedSheet = Omit<Sheet, 'rows'> & { rows: readonly unknown[] };

const inXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll("'", "''");

/** The heading on each page, and the columns that are printed; names that every spreadsheet program knows. */
const printNames = (sheets: readonly PackedSheet[]): string =>
  sheets
    .map(({ name, header, rows, printedColumns = header.length }, index) => {
      const sheet = `'${inXml(name)}'`;
      const last = `$${columnName(printedColumns - 1)}$${rows.length + 1}`;
      return `<definedName name="_xlnm.Print_Area" localSheetId="${index}">${sheet}!$A$1:${last}</definedName><definedName name="_xlnm.Print_Titles" localSheetId="${index}">${sheet}!$1:$1</definedName>`;
    })
    .join('');

/** A4 turned, as wide as one page; its name and the page's number at the foot. In the order of the file format. */
const pageSetup =
  '<pageMargins left="0.4" right="0.4" top="0.45" bottom="0.55" header="0.25" footer="0.25"/>' +
  '<pageSetup paperSize="9" orientation="landscape" fitToWidth="1" fitToHeight="0"/>' +
  '<headerFooter><oddFooter>&amp;L&amp;A&amp;R&amp;P / &amp;N</oddFooter></headerFooter>';

/** Filters over whole tables, and the setup of printed pages, for these sheets in their order. */
export const sheetFeatures = (sheets: readonly PackedSheet[]): Feature<FileContent> => ({
  files: {
    transform: {
      'xl/workbook.xml': {
        transform: content =>
          content.replace('<definedNames/>', () => `<definedNames>${printNames(sheets)}</definedNames>`),
      },
      'xl/worksheets/sheet{id}.xml': {
        transform: (content, _options, { sheetIndex }) => {
          const sheet = sheets[sheetIndex];
          if (!sheet) return content;
          const range = `A1:${columnName(sheet.header.length - 1)}${sheet.rows.length + 1}`;
          // In a sheet the filter follows the data directly.
          const filter = sheet.hasFilter ? `<autoFilter ref="${range}"/>` : '';
          return content
            .replace('<sheetViews>', '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><sheetViews>')
            .replace('</sheetData>', `</sheetData>${filter}`)
            .replace('</worksheet>', `${pageSetup}</worksheet>`);
        },
      },
    },
  },
});
