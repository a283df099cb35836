import { describe, expect, test } from 'vitest';
import { columns, columnsFor, headingOf, reconciliationColumns } from '../../main/export/columns.ts';
import { figuresSheet } from '../../main/export/figure-sheets.ts';
import { totalsSheet } from '../../main/export/payment-sheets.ts';
import { statementPage } from '../../main/export/papers/statement-page.ts';
import { createReportContext } from '../../main/export/report-context.ts';
import { languages, msg } from '../../shared/messages/message.ts';

/** Pivot tables and queries find a column by its heading. */

const variants = languages.flatMap(language =>
  (['people', 'programs'] as const).flatMap(readers =>
    ['UTC', 'Etc/UTC', 'Europe/Berlin'].map(zone => ({ language, readers, zone })),
  ),
);

describe.each(variants)(
  'exports for $readers in $language with the zone $zone',
  ({ language, readers, zone }) => {
    const context = createReportContext({
      readers,
      language,
      locale: language,
      zone,
      now: 0,
      period: null,
      profileName: id => id,
    });
    const names = (header: readonly { text: string }[]) => header.map(({ text }) => text);
    test.each([
      ['payments', columnsFor(columns, context).map(column => headingOf(column, context))],
      [
        'payments to review',
        columnsFor(reconciliationColumns, context).map(column => headingOf(column, context)),
      ],
      ['figures', names(figuresSheet({ currencies: [] }, context).header)],
      ['totals', names(totalsSheet([], context).header)],
    ])('an export has no two columns of one name: %s', (_, headings) => {
      expect(headings.filter((heading, at) => headings.indexOf(heading) !== at)).toEqual([]);
    });
  },
);

test('a program finds the same columns in every zone', () => {
  expect(columnsFor(columns, { readers: 'programs', zone: 'UTC' })).toEqual(columns);
  expect(columnsFor(columns, { readers: 'people', zone: 'Europe/London' })).toEqual(columns);
});

test.each([
  ['en', /link creation day/, /day of payment or refund/i],
  ['de', /Tag der Link-Erstellung/, /Tag der Zahlung oder Erstattung/],
] as const)('the heading of an amount says by which day it counts, in %s', (language, byLink, byPayment) => {
  const context = createReportContext({
    readers: 'people',
    language,
    locale: language,
    zone: 'UTC',
    now: 0,
    period: null,
    profileName: id => id,
  });
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
