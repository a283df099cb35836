import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { inspect, inspectFound } from '../../main/callbacks/inspect.ts';
import { parseCallbacks } from '../../main/callbacks/parse.ts';
import { readBody } from '../../main/callbacks/read-body.ts';
import { verifyFields, callbackDraft, maskFields } from '../../main/callbacks/verify-callback.ts';
import type { CallbackFields } from '../../shared/payments/evidence.ts';
import { signed, signedOrder } from '../../tools/evidence/sign-callback.ts';
import { root } from '../../tools/build/steps.ts';

/** Callbacks written and signed by other programs, in the forms that people paste. */

const folder = join(import.meta.dirname, '../fixtures/callbacks');
const expectedSchema = z.object({
  password: z.string(),
  verified: z.boolean(),
  fields: z.record(z.string(), z.string()),
});

const names = readdirSync(folder)
  .filter(file => file.endsWith('.expected.json'))
  .map(file => file.slice(0, -'.expected.json'.length));
const expectedOf = (name: string) =>
  expectedSchema.parse(JSON.parse(readFileSync(join(folder, `${name}.expected.json`), 'utf8')));
const filesOf = (name: string) =>
  readdirSync(folder).filter(file => file.startsWith(`${name}.`) && file.endsWith('.txt'));

describe.each(names)('the callback %s', name => {
  const { password, verified, fields } = expectedOf(name);
  const candidate = { profileId: 'shop', password, digest: 'md5' } as const;

  test.each(filesOf(name))(
    'a callback of the vectors is read, verified and inspected from %s',
    async file => {
      const bytes = readFileSync(join(folder, file));
      const { callbacks } = parseCallbacks(bytes);
      expect(callbacks.map(found => Object.fromEntries(found.fields))).toEqual([fields]);
      expect(callbacks.map(found => verifyFields(found.fields, candidate).verdict)).toEqual([
        verified ? 'verified' : 'invalid',
      ]);
      const inspection = await inspect(bytes, { candidates: [candidate] });
      expect(inspection.callbacks[0]?.verification.verdict).toBe(verified ? 'verified' : 'invalid');
    },
  );

  test.each(
    filesOf(name).flatMap(file =>
      /\.(?:lines|lines-crlf-bom|lines-trailing-amp-indented|urlencoded|json)\.txt$/.test(file)
        ? ['', 'application/x-www-form-urlencoded', 'application/octet-stream', 'text/plain'].map(
            type => [file, type] as const,
          )
        : [],
    ),
  )('a callback of the vectors is received from %s under the content type "%s"', (file, type) => {
    const bodies = readBody(readFileSync(join(folder, file), 'utf8'), type);
    expect(bodies.map(body => Object.fromEntries(body.fields))).toEqual([fields]);
  });
});

/** A pasted return URL is read and verified by its formula (an assumption), and never counts as a success. */

const password = 's3cr3t';
const paymentId = 'db5b5fab-8f4d-4e27-9da1-494c73cf256d';
const record = {
  amount: '10.00',
  currency: 'EUR',
  description: 'Lamp',
  customer: null,
  state: 'paid-confirmed' as const,
  paymentIds: [paymentId],
};
const hash = createHash('sha1')
  .update(createHash('md5').update(`${paymentId}A-110.00EURLamp${password}`.toUpperCase()).digest('hex'))
  .digest('hex');
const candidates = [{ profileId: 'live', password, digest: 'md5' }] as const;
const pasted = (given: string): string =>
  `https://shop.example/thank-you?payment_id=${paymentId}&trans_id=${paymentId}&order_id=A-1&hash=${given}`;
const inspected = async (given: string) =>
  (await inspect(pasted(given), { candidates, orderRecordOf: () => Promise.resolve(record) })).callbacks[0];

test('a pasted return URL verifies against the payment log, and still is no success', async () => {
  const found = await inspected(hash);
  expect(found?.verification.verdict).toBe('verified');
  expect(found?.meaning.effect).not.toBe('paid');
});

test('a pasted return URL with another hash is invalid', async () => {
  expect((await inspected('0'.repeat(40)))?.verification.verdict).toBe('invalid');
});

/** The evidence that a callback becomes. */

const storedFields = (fields: CallbackFields): CallbackFields => {
  const { kind, body } = callbackDraft({
    profileId: 'shop',
    fields,
    form: 'urlencoded',
    via: 'receiver',
    verification: { verdict: 'verified', uppercasing: 'ascii', digest: 'md5' },
    arrivedAt: 0,
    agent: 'console',
  });
  if (kind !== 'callback.received') throw new Error(`It is ${kind}.`);
  return body.fields;
};

test('the tokens of a callback, and parameters that the interface does not list, are stored as received', () => {
  const fields: CallbackFields = [
    ['order_number', 'A-1'],
    ['card_token', 'f'.repeat(64)],
    ['recurring_token', '7e1d6c1a-8a4f-4cf5-b0a5-2f2f8f1d3c5e'],
    ['connector_name', 'Bank of Nowhere'],
    ['Acquirer-Data[MID]', 'X 1'],
  ];
  expect(storedFields(fields)).toEqual(fields);
});

test('a security code is never stored, and a token within a parameter is not shown', () => {
  const custom = '{"shop":"A","card":{"recurring_token":"7e1d"},"tokens":["x"]}';
  const stored = storedFields([
    ['cvv', '123'],
    ['card_cvc', '4567'],
    ['csc', ''],
    ['custom_data', custom],
  ]);
  expect(stored.map(([, value]) => value)).toEqual(['***', '***', '', custom]);
  expect(maskFields(stored).at(-1)?.[1]).toBe('{"shop":"A","card":{"recurring_token":"•••"},"tokens":"•••"}');
});

describe('bands', () => {
  /** Which fields of a callback the signature covers (§5.3). */

  const password = 'secret';
  const unsigned: CallbackFields = [
    ['id', '6f1d2c3b-0000-4000-8000-000000000001'],
    ['order_number', 'A-1'],
    ['order_amount', '10.00'],
    ['order_currency', 'EUR'],
    ['order_description', 'Blue chair'],
    ['type', 'sale'],
    ['status', 'success'],
    ['customer_ip', '192.0.2.7'],
  ];

  const signedFields = async (fields: CallbackFields): Promise<string[]> => {
    const candidates = [{ profileId: 'shop', password, digest: 'md5' as const }];
    const { callbacks } = await inspectFound([{ fields, form: 'urlencoded' }], { candidates });
    return (callbacks[0]?.fields ?? [])
      .filter(({ band }) => band.startsWith('signed'))
      .map(({ name }) => name);
  };

  test('a signature that verifies covers five fields, and not type or status', async () => {
    expect(await signedFields(signed(unsigned, password))).toEqual([...signedOrder]);
  });

  test('a signature that does not verify covers no field', async () => {
    expect(await signedFields([...unsigned, ['hash', '0'.repeat(40)]])).toEqual([]);
  });
});

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
