import fc from 'fast-check';
import { runs } from '../../tools/app-harness/runs.ts';
import { expect, test } from 'vitest';
import { inspect } from '../../main/callbacks/inspect.ts';
import { parseCallbacks } from '../../main/callbacks/parse.ts';
import { provenReading, verifyFields } from '../../main/callbacks/verify-callback.ts';
import type { CallbackFields } from '../../shared/payments/evidence.ts';
import { callbackArbitrary } from './arbitrary.ts';
import { carriers } from './corpus.ts';
import { hashed, signedText } from '../../tools/evidence/sign-callback.ts';

/** Any pasted text gets a result in bounded time, and no changed callback is valid. */

const password = 's3cr3t';
const live = { profileId: 'live', password, digest: 'md5' } as const;

/** The delimiters of the forms: a mutation has the most effect where they are added or removed. */
const signs = [
  ...'=&?%+[](){}<>"\',;:|\\/#$@!.- \t\n\r\0'.split(''),
  '=>',
  '%00',
  '%25',
  '&amp;',
  '\\u0000',
  '\uFEFF',
  '\uFFFD',
  '\uD800',
  '__proto__',
  'constructor',
  'Array\n(\n',
  'array(',
  'hash',
  'id=',
  'null',
  'POST / HTTP/1.1\r\n\r\n',
];

type Mutation = { at: number; length: number; put: string };
const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.oneof({ weight: 6, arbitrary: fc.constantFrom(0, 1) }, fc.nat(40)),
  put: fc.oneof(fc.constant(''), fc.constantFrom(...signs), fc.string({ unit: 'binary', maxLength: 3 })),
});
const mutate = (text: string, { at, length, put }: Mutation): string => {
  const from = Math.floor(at * text.length);
  return text.slice(0, from) + put + text.slice(from + length);
};

const sign = (fields: CallbackFields): CallbackFields =>
  fields.map(([name, value]) => [name, name === 'hash' ? hashed(signedText(fields) + password) : value]);

test('mutated callbacks are read without an error, and none verifies whose signed fields were changed', () => {
  let verified = 0;
  let invalid = 0;
  fc.assert(
    fc.property(
      callbackArbitrary(true),
      fc.constantFrom(...carriers),
      fc.array(fc.array(mutation, { minLength: 1, maxLength: 3 }), { minLength: 4, maxLength: 4 }),
      (made, { print }, mutants) => {
        const fields = sign(made);
        const text = print(fields);
        const wanted = signedText(fields).toUpperCase();
        for (const mutations of mutants)
          for (const given of parseCallbacks(mutations.reduce(mutate, text)).callbacks) {
            const found = provenReading(given, [live]);
            if (verifyFields(found.fields, live).verdict !== 'verified') invalid += 1;
            else {
              verified += 1;
              expect(signedText(found.fields).toUpperCase()).toBe(wanted);
            }
          }
      },
    ),
    { numRuns: runs(120) },
  );
  // Both kinds must occur, or the test proves nothing.
  expect(verified).toBeGreaterThan(50);
  expect(invalid).toBeGreaterThan(50);
});

const inherited = Object.getOwnPropertyNames(Object.prototype);

test.each(carriers.filter((_carrier, at) => at % 36 === 0).map(carrier => [carrier.name, carrier] as const))(
  'names that every object has are names and values of a callback like any other: %s',
  async (name, { print }) => {
    const [made = []] = fc.sample(callbackArbitrary(true), { numRuns: 1, seed: 7 });
    const texts = inherited.flatMap((word, first) => [
      ...made.map((_field, at) =>
        made.map(([name, value], index): [string, string] => [index === at ? word : name, value]),
      ),
      // Values do not hide each other: each text has one in every place.
      made.map(([name], at): [string, string] => [name, inherited[(first + at) % inherited.length] ?? word]),
    ]);
    // Signatures are searched for a cause in the fields, which are the same in each form.
    const candidates = name === 'a form body' ? [live] : [];
    for (const fields of texts) await inspect(print(sign(fields)), { candidates });
  },
);

const anything = fc.oneof(
  fc.uint8Array({ maxLength: 400 }),
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc
    .array(fc.constantFrom(...signs, 'order_number', '1.00', 'sale'), { maxLength: 80 })
    .map(parts => parts.join('')),
);

test('any input as a callback gets a result without an error, and changes nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(anything, async text => {
      const { callbacks } = await inspect(text, { candidates: [live] });
      for (const { verification } of callbacks) expect(verification.verdict).not.toBe('verified');
      expect({}).not.toHaveProperty('order_number');
    }),
    { numRuns: runs(800) },
  );
});

// A parser with quadratic time would exceed the time limit of the test.
test.each(signs.map(sign => [JSON.stringify(sign), sign]))(
  '300 kB of %s as a callback are read to their end',
  (_, sign) => {
    const text = sign.repeat(Math.ceil(300_000 / sign.length));
    for (const { verdict } of parseCallbacks(text).callbacks.map(found => verifyFields(found.fields, live)))
      expect(verdict).not.toBe('verified');
  },
);

test('a callback with nesting a hundred thousand levels deep gets a result', () => {
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
    ['array(', ')'],
    ['Array\n(\n[a] => ', ')'],
  ] as const)
    expect(parseCallbacks(open.repeat(100_000) + close.repeat(100_000)).callbacks).toEqual([]);
});
