import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../tools/app-harness/runs.ts';
import { inspect } from '../../main/callbacks/inspect.ts';
import { parseCallbacks } from '../../main/callbacks/parse.ts';
import { provenReading } from '../../main/callbacks/verify-callback.ts';
import type { CallbackFields } from '../../shared/payments/evidence.ts';
import { signed } from '../../tools/evidence/sign-callback.ts';
import { callbackArbitrary } from './arbitrary.ts';
import { body, carriers, damages, genuine, password, values } from './corpus.ts';

const candidates = [{ profileId: 'live', password, digest: 'md5' }] as const;

const filled = (fields: CallbackFields): CallbackFields =>
  fields.filter(([, value]) => value !== '').toSorted(([one], [other]) => (one < other ? -1 : 1));

/** Each callback of a text: verified, doubted, with a cause, or called forged. */
const verdicts = async (text: string | Uint8Array): Promise<string[]> => {
  const { callbacks } = await inspect(text, { candidates });
  return callbacks.map(({ verification, doubt, nearMiss }) =>
    verification.verdict === 'verified'
      ? 'verified'
      : doubt !== null
        ? 'doubted'
        : nearMiss
          ? 'explained'
          : `forged: ${verification.verdict}`,
  );
};

const read = (text: string): CallbackFields[] =>
  parseCallbacks(text).callbacks.map(found => filled(provenReading(found, candidates).fields));

describe('a genuine callback is read from what programs, logs, tables and people write', () => {
  test.each(carriers)('a genuine callback is read and verified: $name', async ({ print, not }) => {
    for (const [kind, fields] of Object.entries(values)) {
      const found = await verdicts(print(fields));
      if (not.some(one => one === kind)) expect(found.join(), kind).not.toContain('forged');
      else expect(found, kind).toEqual(['verified']);
    }
    if (!not.includes('plain'))
      expect(read(print(values.plain))).toEqual([
        expect.arrayContaining(filled(values.plain.filter(([name]) => name !== 'customer_state'))),
      ]);
  });

  test.each(damages)(
    'a genuine callback that was copied in part is not called forged: %s',
    async (_, damage) => {
      for (const fields of Object.values(values))
        expect((await verdicts(damage(fields))).join()).not.toContain('forged');
    },
  );
});

describe('several callbacks in one text', () => {
  const second = genuine('A chair').map(([name, value]): [string, string] => [
    name,
    name === 'type' ? 'redirect' : value,
  ]);
  test.each([
    'lines',
    'PHP print_r',
    'JavaScript inspect',
    'JSON',
    'a form body',
    'logfmt',
    'XML',
    'Go map',
    'YAML',
    'Python dict',
    'PHP var_dump',
    'a log line with JSON',
    'print_r behind docker compose',
    'multipart',
  ])('two callbacks in one text are read in order: %s', name => {
    const print = carriers.find(carrier => carrier.name === name)?.print;
    if (!print) throw new Error(name);
    for (const glue of ['\n', '\n\nand then this one:\n\n', '\n\n\n'])
      expect(read(print(values.plain) + glue + print(second))).toEqual([
        filled(values.plain),
        filled(second),
      ]);
  });

  test('callbacks of different forms in one text are read in order', () => {
    const mixed = carriers.filter(({ name }) =>
      /^(?:lines|PHP print_r|JSON|a form body|Python dict|XML|logfmt|Ruby hash|multipart)$/.test(name),
    );
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...mixed), { minLength: 2, maxLength: 5 }), chosen => {
        const all = chosen.map((_carrier, at) => genuine(`Chair ${at + 1}`));
        const text = chosen.map(({ print }, at) => print(all[at] ?? [])).join('\n\n');
        expect(read(text)).toEqual(all.map(filled));
      }),
      { numRuns: 60 },
    );
  });

  test('a JSON list and a table have one callback in each item and row', () => {
    const all = Object.values(values);
    expect(read(JSON.stringify(all.map(fields => Object.fromEntries(fields))))).toEqual(all.map(filled));
    const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
    const rows = all.map(fields => fields.map(([, value]) => cell(value)).join(','));
    expect(read([all[0]?.map(([name]) => name).join(','), ...rows].join('\r\n'))).toEqual(all.map(filled));
  });

  test('ten thousand callbacks in one text are all found', () => {
    const print = carriers.find(({ name }) => name === 'PHP print_r')?.print ?? body;
    const text = Array.from(
      { length: 5_000 },
      (_, at) => `${print(genuine(`Chair ${at}`))}\n${body(genuine('A'))}\n`,
    );
    expect(parseCallbacks(text.join('')).callbacks).toHaveLength(10_000);
  });
});

test('any description is read back from the exact forms, or the callback is at least not called forged', async () => {
  const exact = new Set(['a form body', 'JSON', 'multipart', 'raw HTTP', 'raw HTTP, JSON', 'JSON in JSON']);
  await fc.assert(
    fc.asyncProperty(
      callbackArbitrary(true),
      fc.constantFrom(...carriers),
      async (given, { name, print }) => {
        const found = await verdicts(print(signed(given, password)));
        if (exact.has(name)) expect(found).toEqual(['verified']);
        else expect(found.join()).not.toContain('forged');
      },
    ),
    { numRuns: runs(400) },
  );
});

describe('a line of a description is no callback', () => {
  test.each([
    ['a status', 'First line\nstatus=fail', 'verified'],
    ['a closing bracket', 'First line\n)', 'verified'],
    ['a status and a text', 'First line\nstatus=fail\nthird line', 'doubted'],
  ])('a line of a description is no callback: %s', async (_, description, verdict) => {
    const fields = genuine(description);
    expect(await verdicts(fields.map(pair => pair.join('=')).join('\n'))).toEqual([verdict]);
    const print = carriers.find(({ name }) => name === 'PHP print_r')?.print ?? body;
    const entry = genuine(description.replace('status=fail', '[status] => fail'));
    expect(await verdicts(print(entry))).toEqual([verdict]);
  });
});

describe('a callback that was changed is called so', () => {
  test.each(['a form body', 'JSON', 'lines', 'PHP print_r', 'Python dict', 'XML', 'CSV'])(
    'a callback that was changed is called invalid: %s',
    async name => {
      const print = carriers.find(carrier => carrier.name === name)?.print ?? body;
      for (const [from, to] of [
        ['123.40', '999.00'],
        ['ORD-1044', 'ORD-1045'],
      ] as const)
        expect(await verdicts(print(values.plain).replaceAll(from, to))).toEqual(['forged: invalid']);
    },
  );

  test('a whole JSON object without a hash has none', async () => {
    const { hash: _hash, ...others } = Object.fromEntries(values.plain);
    expect(await verdicts(JSON.stringify(others))).toEqual(['forged: no-hash']);
  });
});

test('a chunk that ends in "=" does not make a whole callback a quoted-printable one', () => {
  const text = JSON.stringify({ ...Object.fromEntries(genuine('Chair')), customer_name: 'a => b' });
  const at = text.indexOf('=>') + 1;
  const pieces = [text.slice(0, at), text.slice(at)].map(
    piece => `${Buffer.byteLength(piece).toString(16)}\r\n${piece}\r\n`,
  );
  const { callbacks } = parseCallbacks(
    `POST /notify HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n${pieces.join('')}0\r\n\r\n`,
  );
  expect(callbacks.map(({ fields }) => Object.fromEntries(fields)['customer_name'])).toEqual(['a => b']);
});

test('a text in UTF-16 is read with and without a mark', async () => {
  const text = values.umlauts.map(([name, value]) => `${name}=${value}`).join('\r\n');
  expect(await verdicts(Buffer.from(`\ufeff${text}`, 'utf16le'))).toEqual(['verified']);
  expect(await verdicts(Buffer.from(values.plain.map(pair => pair.join('=')).join('\n'), 'utf16le'))).toEqual(
    ['verified'],
  );
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
    ['form data', body(fields)],
    ['JSON', JSON.stringify(Object.fromEntries(fields))],
    ['lines', fields.map(pair => pair.join('=')).join('\n')],
  ])(
    'a callback of the other protocol is named, and neither called a return nor invalid: %s',
    async (_, text) => {
      const { callbacks } = await inspect(text, { candidates });
      expect(callbacks).toHaveLength(1);
      expect(callbacks[0]).toMatchObject({
        doubt: 'other-protocol',
        meaning: { effect: 'none' },
        problems: [],
      });
      expect(JSON.stringify(callbacks[0])).toContain('signature.other-protocol');
    },
  );
});

describe('a return URL is named as one', () => {
  const url = `https://shop.example/ok?payment_id=50a17e5c&trans_id=1&order_id=A-1&hash=${'a'.repeat(40)}`;
  test.each([
    ['alone', url],
    ['in a text', `The customer came back to ${url}`],
    ['in a command', `curl '${url}'`],
    [
      'wrapped by Outlook',
      `https://eur01.safelinks.protection.outlook.com/?url=${encodeURIComponent(url)}&data=05%7C02&reserved=0`,
    ],
    ['wrapped by Google', `https://www.google.com/url?q=${encodeURIComponent(url)}&sa=D`],
    ['as Slack copies it', `<${url}|our shop>`],
  ])('a return URL is named as one: %s', (_, text) => {
    const { form, callbacks } = parseCallbacks(text);
    expect(form).toBe('return-url');
    expect(Object.fromEntries(callbacks[0]?.fields ?? [])).toMatchObject({
      order_id: 'A-1',
      hash: 'a'.repeat(40),
    });
  });
});
