import { afterAll, beforeAll, expect, test } from 'vitest';
import { statementPage } from '../../../main/export/papers/statement-page.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import { orientations, type Orientation } from '../../../shared/reports/export.ts';
import { languages, type Language } from '../../../shared/messages/message.ts';
import {
  hotelMerchant,
  monthOfPayments,
  paperContext,
  paperFacts,
} from '../../../tools/papers/invented-month.ts';
import { smallLogo } from '../../../tools/papers/small-logo.ts';
import { openPaperPrinter, type PaperPrinter } from '../../../tools/papers/print-paper.ts';
import { fontsOf, isWide, pageCountOf, pictureCountOf } from '../../../tools/papers/read-pdf.ts';

/** Statements as Chromium prints them. */

let printer: PaperPrinter;
beforeAll(async () => {
  printer = await openPaperPrinter();
});
afterAll(() => printer.close());

type Choice = { orientation?: Orientation; language?: Language; logo?: string };

const pageOf = (
  rows: readonly PaymentRow[],
  { orientation = 'portrait', language = 'en', logo = '' }: Choice = {},
): string =>
  statementPage(
    rows,
    paperFacts,
    hotelMerchant(logo),
    paperContext(language, language === 'de' ? 'de-DE' : 'en-GB'),
    orientation,
  );

const print = (rows: readonly PaymentRow[], choice: Choice = {}): Promise<Buffer> =>
  printer.print(pageOf(rows, choice));

const currencies = ['EUR', 'EUR', 'USD', 'JPY'];

/** The fonts of papers, all embedded by name. */
const paperFontNames = ['Inter-Regular', 'Inter-SemiBold', 'JetBrainsMono-Regular'];

test.each(orientations)('a month of 400 payments is a statement of 3 or 4 pages: %s', async orientation => {
  const rows = monthOfPayments(400, currencies);
  const pdf = await print(rows, { orientation, language: 'de', logo: smallLogo });
  expect(pageCountOf(pdf)).toBeGreaterThanOrEqual(3);
  expect(pageCountOf(pdf)).toBeLessThanOrEqual(4);
  expect(isWide(pdf)).toBe(orientation === 'landscape');
  expect(fontsOf(pdf)).toEqual(paperFontNames);
});

test.each(orientations)('no line of a statement is wider than its page: %s', async orientation => {
  const widthMm = orientation === 'portrait' ? 186 : 273;
  for (const language of languages) {
    const page = pageOf(monthOfPayments(60, currencies), { orientation, language, logo: smallLogo });
    expect(await printer.overflow(page, widthMm)).toBe(0);
  }
});

test('a statement of no payment, and one of a single payment, have one page', async () => {
  for (const count of [0, 1]) expect(pageCountOf(await print(monthOfPayments(count)))).toBe(1);
});

test('long names and descriptions are cut in a statement, and add no page to it', async () => {
  const long = monthOfPayments(400).map(row => ({
    ...row,
    description: 'A conference room with everything, '.repeat(7),
    customer: { name: 'Margarethe von Hohenstein-Wallerstadt '.repeat(3), email: '' },
  }));
  expect(pageCountOf(await print(long))).toBeLessThanOrEqual(4);
});

test('a statement has the logo of the merchant once, and without a logo no picture', async () => {
  expect(pictureCountOf(await print(monthOfPayments(20)))).toBe(0);
  expect(pictureCountOf(await print(monthOfPayments(20), { logo: smallLogo }))).toBe(1);
});

test('a text that is no letter of ours is printed as text, not read as a part of the page', async () => {
  const [row] = monthOfPayments(1);
  const hostile = '</table><style>@page{size:A3}</style><img src="data:image/png;base64,AAAA">';
  const rows = row ? [{ ...row, description: hostile, orderNumber: hostile.slice(0, 40) }] : [];
  const pdf = await print(rows);
  expect([pageCountOf(pdf), pictureCountOf(pdf), isWide(pdf)]).toEqual([1, 0, false]);
});
