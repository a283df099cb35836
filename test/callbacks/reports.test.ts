import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inspect } from '../../main/callbacks/inspect.ts';
import { root } from '../../tools/build/steps.ts';

/** Files as people of other products reported them in public, with a made-up callback, and what has to be said of each. */
const explained = async (file: string) => {
  const bytes = readFileSync(join(root, 'test', 'fixtures', 'reports', file));
  const candidates = [{ profileId: 'shop', password: 'correct horse', digest: 'md5' as const }];
  const { callbacks, problems } = await inspect(bytes, { candidates });
  expect([callbacks.length, problems]).toEqual([1, []]);
  return callbacks[0];
};

test.each([
  'eml-alternative.eml',
  'html-table.html',
  'id-zero-width.txt',
  'nginx-x22.txt',
  'php-serialize.txt',
  'powershell-table.txt',
  'rtl-marks.txt',
  'soft-hyphen.txt',
  'sql-insert.sql',
  'xml-log.xml',
])('a reported file is read and verified: %s', async file => {
  expect((await explained(file))?.verification.verdict).toBe('verified');
});

test.each([
  ['mojibake-c.txt', 'description-charset-repaired'],
  ['nbsp-became-blank.txt', 'description-no-break-blanks'],
  ['zeros-lost-csv.csv', 'order-number-zeros-added'],
])('the damage of a reported file is named: %s', async (file, cause) => {
  const found = await explained(file);
  expect(found).toMatchObject({ doubt: null, nearMiss: { causes: [cause] } });
});

test('a reported file whose digits a spreadsheet has lost is no reason to compare the password', async () => {
  const found = await explained('scientific.csv');
  expect(found).toMatchObject({
    doubt: 'uncertain',
    nearMiss: null,
    explanation: { key: 'signature.spreadsheet', values: { value: '2.02611E+11' } },
  });
});

test('a reported return address that a mail program wrapped is read as a return', async () => {
  expect((await explained('safelinks.txt'))?.meaning).toMatchObject({ effect: 'unknown' });
});
