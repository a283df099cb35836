import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRedactor } from '../../main/app-log/redact.ts';
import { callbackDraft } from '../../main/callbacks/verify-callback.ts';
import { inspect } from '../../main/callbacks/inspect.ts';
import { dryRun } from '../../main/gateway/dry-run.ts';
import { addShop, newPayment } from '../../tools/app-harness/running-app.ts';
import { useApp } from '../../tools/app-harness/use-app.ts';
import { hashed, signedText } from '../../tools/evidence/sign-callback.ts';
import { answering, type Listening } from '../../tools/server-harness/test-server.ts';
import { sandboxProfile } from '../gateway/gateway-server.ts';

/** A card number that comes from outside: in no output, no file of the payment log and no application log. */

const luhnDigit = (digits: string): string => {
  const sum = Array.from(digits)
    .toReversed()
    .map((digit, place) =>
      place % 2 === 0 ? ([0, 2, 4, 6, 8, 1, 3, 5, 7, 9][Number(digit)] ?? 0) : Number(digit),
    )
    .reduce((total, digit) => total + digit, 0);
  return String((10 - (sum % 10)) % 10);
};
const numbers = fc
  .tuple(
    fc.constantFrom('34', '4', '51', '2221', '6011', '3528'),
    fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 18, maxLength: 18 }),
    fc.integer({ min: 13, max: 19 }),
  )
  .map(([start, digits, length]) => `${start}${digits.join('')}`.slice(0, length - 1))
  .map(digits => digits + luhnDigit(digits));
const gaps = fc.constantFrom('', ' ', '-', '.', '\u00a0', '\u2013', '\u200b', ' - ');
const encodedGaps = fc.constantFrom(
  '%20',
  '+',
  '%2D',
  '%2d',
  '%2E',
  '%2520',
  '%25252D',
  '%C2%A0',
  '%c2%a0',
  '&nbsp;',
);
const before = fc.constantFrom('', 'card ', 'no.:', '"', 'x', 'Größe: ', '[', '\n');
const after = fc.constantFrom('', ' declined', ', 12/28', '"', 'y', ']', '\u202e', ' 12 28 123');

type Written = { number: string; text: string };
const writtenWith = (gap: fc.Arbitrary<string>): fc.Arbitrary<Written> =>
  fc.tuple(numbers, gap, before, after).map(([number, between, start, end]) => ({
    number,
    text: start + number.replaceAll(/(\d{4})(?=\d)/g, `$1${between}`) + end,
  }));
const written = writtenWith(gaps);
const writtenAnyhow = writtenWith(fc.oneof(gaps, encodedGaps));

/** Reads every spelling: digits with nothing between them, however often encoded. */
const digitsOf = (text: string): string =>
  text
    .replaceAll(/\\u[0-9a-f]{4}/gi, ' ')
    .replaceAll(/%(?:25)*(?:[ce]2%(?:25)*[0-9a-f]{2}(?:%(?:25)*[0-9a-f]{2})?|[2-7][0-9a-f]|0[0-9a-f])/gi, ' ')
    .replaceAll(/&nbsp;|[\s\p{P}\p{Cf}+]|\u00c2\u00a0|\u00e2\u0080[\u0080-\u00bf]/gu, '');
const expectNowhere = (output: unknown, { number }: Written): void => {
  const text = typeof output === 'string' ? output : JSON.stringify(output);
  expect(text).not.toContain(number);
  expect(digitsOf(text)).not.toContain(number);
};

const password = 'correct horse';
const signed = (fields: Record<string, string>): Record<string, string> => ({
  ...fields,
  hash: hashed(signedText(Object.entries(fields)) + password),
});
const callbackWith = (name: string, text: string): Record<string, string> =>
  signed({
    id: crypto.randomUUID(),
    order_number: `CARD-${crypto.randomUUID().slice(0, 8)}`,
    order_amount: '10.00',
    order_currency: 'EUR',
    order_description: 'Blue chair',
    type: 'sale',
    status: 'fail',
    [name]: text,
  });
const freeNames = fc.constantFrom(
  'order_description',
  'reason',
  'card',
  'customer_name',
  'approval_code',
  'type',
  'status',
  'order_currency',
  'custom_data[note]',
  'card_token',
  'unheard_of',
);

test('no inspected, stored or listed callback has a card number, and its signature is verified all the same', async () => {
  await fc.assert(
    fc.asyncProperty(written, freeNames, fc.boolean(), async (card, name, isJson) => {
      const fields = callbackWith(name, card.text);
      const body = isJson ? JSON.stringify(fields) : new URLSearchParams(fields).toString();
      const candidates = [{ profileId: 'shop', name: 'Shop', password, digest: 'md5' as const }];
      const inspection = await inspect(body, { candidates });
      expect(inspection.callbacks.map(one => one.verification.verdict)).toEqual(['verified']);
      expectNowhere(inspection, card);
      const draft = callbackDraft({
        profileId: 'shop',
        fields: [...Object.entries(fields), [`custom_data[${card.text}]`, 'x']],
        form: 'urlencoded',
        via: 'receiver',
        verification: { verdict: 'verified', uppercasing: 'ascii', digest: 'md5' },
        arrivedAt: 0,
        agent: 'console',
      });
      expectNowhere(draft, card);
    }),
  );
});

test('no line of the application log has a card number, in any spelling of a URL', () => {
  fc.assert(
    fc.property(writtenAnyhow, card => {
      expectNowhere(createRedactor().redact(card.text), card);
      expectNowhere(createRedactor().redact(`reason=${encodeURIComponent(card.text)}`), card);
    }),
  );
});

test('no dry run has a card number of the profile’s own JSON', () => {
  fc.assert(
    fc.property(written, card => {
      const profile = sandboxProfile(1);
      const extras = { ...profile.extras, customData: JSON.stringify({ note: card.text, [card.text]: 1 }) };
      expectNowhere(dryRun({ ...profile, extras }), card);
    }),
  );
});

const app = useApp();
let gateway: Listening;
let answer: { status: number; type: string; body: string; location: string | null };
beforeAll(async () => {
  gateway = await answering(
    (_, response) => {
      const { status, type, body, location } = answer;
      response
        .writeHead(status, { 'content-type': type, ...(location === null ? {} : { location }) })
        .end(body);
    },
    undefined,
    false,
  );
});
afterAll(() => gateway.close());

/** Answers of a gateway, each with the text in another place. */
const answers: readonly ((text: string) => { status: number; body: unknown })[] = [
  text => ({ status: 400, body: { error_message: text } }),
  text => ({ status: 400, body: { error_code: 0, errors: [{ error_message: `order.amount: ${text}` }] } }),
  text => ({ status: 400, body: { errors: { [text]: ['odd'] } } }),
  text => ({ status: 500, body: `<p>${text}</p>` }),
  text => ({ status: 200, body: `<p>${encodeURIComponent(text)}</p>` }),
  text => ({ status: 200, body: { status: 'decline', reason: text } }),
  text => ({ status: 200, body: { status: text } }),
  text => ({ status: 200, body: { status: 'decline', card: text, [text]: 'x', nested: [{ pan: text }] } }),
  text => ({ status: 200, body: { status: 'decline', customer: { name: text, email: text, x: text } } }),
  text => ({ status: 200, body: { status: 'settled', recurring_token: text, order: { description: text } } }),
  text => ({ status: 200, body: { result: text } }),
];

test(
  'no answer of the gateway brings a card number into the window, a file or the application log',
  { timeout: 60_000 },
  async () => {
    const { id: _id, ...profile } = sandboxProfile(gateway.port, { name: 'Shop', kind: 'test' });
    const profileId = await addShop(app, profile, password);
    const seen: Written[] = [];
    await fc.assert(
      fc.asyncProperty(written, fc.constantFrom(...answers), async (card, make) => {
        seen.push(card);
        const { status, body } = make(card.text);
        answer = {
          status,
          type: `text/html; note=${card.number}`,
          body: typeof body === 'string' ? body : JSON.stringify(body),
          location: null,
        };
        const orderNumber = `G-${crypto.randomUUID().slice(0, 8)}`;
        expectNowhere(await app.request('payments.create', newPayment({ profileId, orderNumber })), card);
        const key = { by: 'order-number' as const, value: orderNumber };
        expectNowhere(await app.request('payments.lookUp', { profileId, key }), card);
        expectNowhere(await app.request('payments.read', { profileId, orderNumber }), card);
      }),
      { numRuns: 40 },
    );
    expect(await app.appLog()).not.toMatch(/\d{13}/);
    await app.close();
    for (const file of readdirSync(app.folder, { recursive: true, withFileTypes: true })) {
      if (!file.isFile()) continue;
      const text = digitsOf(readFileSync(join(file.parentPath, file.name), 'latin1'));
      for (const { number } of seen) expect(text.includes(number), `${number} in ${file.name}`).toBe(false);
    }
  },
);
