import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { fileReading } from '../../main/callbacks/file-reading.ts';
import { inspect } from '../../main/callbacks/inspect.ts';
import { parseCallbacks } from '../../main/callbacks/parse.ts';
import type { CallbackFields } from '../../shared/payments/evidence.ts';
import { callbackArbitrary } from './arbitrary.ts';
import { printers, urlencoded } from './printing.ts';
import { transports } from './transported.ts';

const password = 'Pa55';
const candidates = [{ profileId: 'live', password, digest: 'md5' }] as const;

/** The callback's signature by the text of §5.3, apart from the product's code. */
const sign = (fields: CallbackFields): CallbackFields => {
  const value = (name: string): string => fields.find(field => field[0] === name)?.[1] ?? '';
  const text =
    value('id') +
    value('order_number') +
    value('order_amount') +
    value('order_currency') +
    value('order_description') +
    password;
  const inner = createHash('md5').update(text.toUpperCase()).digest('hex');
  const hash = createHash('sha1').update(inner).digest('hex');
  return fields.map(([name, own]) => [name, name === 'hash' ? hash : own]);
};

const described = (description: string): CallbackFields =>
  sign([
    ['id', '50a17e5c-2bd9-11f0-8e5a-0242ac120002'],
    ['order_number', 'order-1234'],
    ['order_amount', '123.40'],
    ['order_currency', 'EUR'],
    ['order_description', description],
    ['type', 'sale'],
    ['status', 'success'],
    ['customer_ip', '203.0.113.9'],
    ['date', '2026-11-20 12:00:00'],
    ['hash', ''],
  ]);

const byName = (fields: CallbackFields): CallbackFields =>
  fields.toSorted(([one], [other]) => (one < other ? -1 : 1));

const textOf = (fields: CallbackFields): string =>
  fields.map(([name, value]) => `${name}=${value}`).join('\n');

describe('a callback that was copied from a program is read back as one, with its fields and its verdict', () => {
  for (const { name, form, escapes, print } of [...transports, ...printers])
    it(name, async () => {
      await fc.assert(
        fc.asyncProperty(callbackArbitrary(!escapes), async given => {
          const fields = sign(given);
          const text = print(fields);
          const parsed = parseCallbacks(text);
          expect(parsed.callbacks.map(found => byName(found.fields))).toEqual([byName(fields)]);
          expect(parsed.form).toBe(form);
          const { callbacks } = await inspect(text, { candidates });
          expect(callbacks.map(found => [found.verification.verdict, found.doubt])).toEqual([
            ['verified', null],
          ]);
        }),
        { numRuns: 40 },
      );
    });
});

test('a chunk that ends in "=" does not make a whole callback a quoted-printable one', () => {
  const body = JSON.stringify({ ...Object.fromEntries(described('Chair')), customer_name: 'a => b' });
  const at = body.indexOf('=>') + 1;
  const pieces = [body.slice(0, at), body.slice(at)];
  const text = `POST /notify HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n${pieces
    .map(piece => `${Buffer.byteLength(piece).toString(16)}\r\n${piece}\r\n`)
    .join('')}0\r\n\r\n`;
  const { callbacks } = parseCallbacks(text);
  expect(callbacks.map(({ fields }) => Object.fromEntries(fields)['customer_name'])).toEqual(['a => b']);
});

describe('a line of a description is no callback', () => {
  test.each([
    ['a status', 'First line\nstatus=fail'],
    ['a status and a text', 'First line\nstatus=fail\nthird line'],
    ['an id', 'First line\nid=1\nthird line'],
    ['a status after a blank line', 'First line\n\nstatus=fail'],
  ])('a line of a description is no callback among pasted lines: %s', async (_, description) => {
    const fields = described(description);
    const { callbacks } = await inspect(textOf(fields), { candidates });
    expect(callbacks.map(found => found.verification.verdict)).toEqual(['verified']);
  });

  test.each([
    ['a closing bracket', 'First line\n)'],
    ['a closing bracket and a text', 'First line\n)\nthird line'],
    ['an entry', 'First line\n[status] => fail'],
  ])('a line of a description is no callback in the output of print_r: %s', async (_, description) => {
    const print = printers.find(printer => printer.name === 'print_r');
    const { callbacks } = await inspect(print?.print(described(description)) ?? '', { candidates });
    expect(callbacks.map(found => found.verification.verdict)).toEqual(['verified']);
  });
});

describe('what was not read is not called forged', () => {
  const saying = async (text: string) => {
    const { callbacks, problems } = await inspect(text, { candidates });
    return {
      doubts: callbacks.map(found => found.doubt),
      said: JSON.stringify([callbacks.map(found => [found.explanation, found.meaning.title]), problems]),
    };
  };
  const body = urlencoded(described('Gift'));

  test.each([
    [
      'a line over a million characters',
      urlencoded(described('x'.repeat(1_000_000))),
      'cut',
      'inspection.line-cut',
    ],
    [
      'a hash with a character of another form',
      body.replace(/hash=/, 'hash=%5E%22'),
      'uncertain',
      'signature.uncertain',
    ],
    [
      'a hash that is not in the body',
      body.replace(/&hash=(\w+)/, ' the hash is $1'),
      'uncertain',
      'signature.uncertain',
    ],
    [
      'lost bytes',
      textOf(described('Gr\ufffd\ufffdn')).replace(/\ufffd/, '\ufffd '),
      'uncertain',
      'signature.uncertain',
    ],
    [
      'signs of quoted-printable alone',
      JSON.stringify(Object.fromEntries(described('a = b'))).replace('a = b', 'a =3D b'),
      'uncertain',
      'signature.uncertain',
    ],
  ])('a pasted callback that was not read is not called forged: %s', async (_, text, doubt, key) => {
    const { doubts, said } = await saying(text);
    expect(doubts).toEqual([doubt]);
    expect(said).toContain(key);
    for (const wrong of [
      'signature.invalid',
      'signature.no-hash',
      'no-cause',
      'unproven.invalid',
      'unproven.no-hash',
    ])
      expect(said).not.toContain(wrong);
  });

  test('a callback behind a million characters of one line is not called forged', async () => {
    const { doubts, said } = await saying(`${'x '.repeat(499_950)}${body}`);
    expect(doubts).toEqual([]);
    expect(said).toContain('inspection.line-cut');
  });

  test('a callback that was changed is still called invalid', async () => {
    const { doubts, said } = await saying(body.replace('123.40', '999.00'));
    expect(doubts).toEqual([null]);
    expect(said).toContain('signature.invalid');
  });

  test('a callback without a hash still has none', async () => {
    const { doubts, said } = await saying(body.replace(/&hash=\w+/, ''));
    expect(doubts).toEqual([null]);
    expect(said).toContain('signature.no-hash');
  });

  test('a callback in a file that was not read counts as not checked, and is not stored', async () => {
    const text = `${body}\n${body.replace(/hash=/, 'hash=%5E%22')}\n`;
    const reading = fileReading({ name: 'a', bytes: text.length, text, problem: null }, candidates);
    let parts = {};
    await reading.run(state => (parts = state.parts));
    expect(parts).toEqual({ valid: 1, repeated: 0, invalid: 0, unchecked: 1 });
    expect(reading.batch(0, 10).map(one => one.verification.verdict)).toEqual(['verified']);
  });
});

describe('a callback of the other protocol', () => {
  const fields: CallbackFields = [
    ['action', 'SALE'],
    ['result', 'SUCCESS'],
    ['status', 'SETTLED'],
    ['order_id', 'ORD-1'],
    ['trans_id', '50a17e5c-2bd9-11f0-8e5a-0242ac120002'],
    ['amount', '10.00'],
    ['currency', 'EUR'],
    ['hash', 'c0ffee'.repeat(5)],
  ];
  test.each([
    ['form data', urlencoded(fields)],
    ['JSON', JSON.stringify(Object.fromEntries(fields))],
    ['lines', textOf(fields)],
  ])(
    'a callback of the other protocol is named, and neither called a return nor invalid: %s',
    async (_, text) => {
      const { callbacks } = await inspect(text, { candidates });
      const [found] = callbacks;
      expect(callbacks).toHaveLength(1);
      expect(found).toMatchObject({ doubt: 'other-protocol', meaning: { effect: 'none' } });
      expect(JSON.stringify(found?.meaning.title)).toContain('meaning.other-protocol');
      expect(JSON.stringify(found?.explanation)).toContain('signature.other-protocol');
      expect(found?.problems).toEqual([]);
    },
  );

  test('a callback of the other protocol in a file is named and not counted as invalid', async () => {
    const text = urlencoded(fields);
    const reading = fileReading({ name: 'a', bytes: text.length, text, problem: null }, candidates);
    let said = '';
    await reading.run(state => (said = JSON.stringify([state.problems, state.found])));
    expect(said).toContain('inspection.other-protocol');
  });
});

test('a return URL is named as one', () => {
  const url = `https://shop.example/ok?payment_id=50a17e5c&trans_id=1&order_id=A-1&hash=${'a'.repeat(40)}`;
  for (const text of [url, `The customer came back to ${url}`, `curl '${url}'`])
    expect(parseCallbacks(text).form).toBe('return-url');
});
