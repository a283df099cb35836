import { describe, expect, test } from 'vitest';
import { columns, reconciliationColumns } from '../../main/export/columns.ts';
import { figuresSheet } from '../../main/export/figure-sheets.ts';
import { tableOf, totalsSheet } from '../../main/export/payment-sheets.ts';
import { statementPage } from '../../main/export/papers/statement-page.ts';
import { createReportContext } from '../../main/export/report-context.ts';
import { languages, msg } from '../../shared/messages/message.ts';
import { given } from './exported-payments.ts';

/** Pivot tables and queries find a column by its heading. */

const variants = languages.flatMap(language =>
  (['people', 'programs'] as const).flatMap(readers =>
    ['UTC', 'Etc/UTC', 'Europe/Berlin'].map(zone => ({ language, readers, zone })),
  ),
);

describe.each(variants)(
  'exports for $readers in $language with the zone $zone',
  ({ language, readers, zone }) => {
    const context = createReportContext({ ...given, readers, language, locale: language, zone });
    test.each([
      ['payments', tableOf('export.sheet.payments', columns, context).sheet],
      ['payments to review', tableOf('export.sheet.payments', reconciliationColumns, context).sheet],
      ['figures', figuresSheet({ currencies: [] }, context)],
      ['totals', totalsSheet([], context)],
    ])('an export has no two columns of one name: %s', (_, { header }) => {
      const headings = header.map(({ text }) => text);
      expect(headings.filter((heading, at) => headings.indexOf(heading) !== at)).toEqual([]);
    });
  },
);

test.each(['UTC', 'Europe/London'])('a program finds the same columns in every zone: %s', zone => {
  const context = createReportContext({ ...given, zone });
  const { header } = tableOf('export.sheet.payments', columns, context).sheet;
  expect(header.map(({ text }) => text)).toEqual(columns.map(({ id }) => id));
});

test.each([
  ['en', /link creation day/, /day of payment or refund/i],
  ['de', /Tag der Link-Erstellung/, /Tag der Zahlung oder Erstattung/],
] as const)('the heading of an amount says by which day it counts, in %s', (language, byLink, byPayment) => {
  const context = createReportContext({ ...given, readers: 'people', language, locale: language });
  const figures = figuresSheet({ currencies: [] }, context).header.slice(-3);
  for (const { text } of figures) expect(text).toMatch(byLink);
  expect(totalsSheet([], context).header[1]?.text).toMatch(byPayment);
  const nothingMoved = statementPage(
    [],
    {
      merchant: null,
      profile: msg('filter.profile.all'),
      contents: 'period',
      filter: null,
      createdBy: 'Ada',
      missing: [msg('team.others.none')],
      ends: [],
      headFile: 'statement.pdf.head.json',
    },
    { name: 'Shop', address: [], phone: '', logo: '' },
    context,
    'portrait',
  );
  expect(/<h2>(.*?)<\/h2>/.exec(nothingMoved)?.[1]).toMatch(byPayment);
  // It says that it is incomplete.
  expect(nothingMoved).toContain(context.format(msg('team.others.none')));
});
