import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findNearMiss } from '../../main/callbacks/near-miss.ts';
import { verifyFields } from '../../main/callbacks/verdict.ts';
import type { CallbackFields } from '../../shared/evidence.ts';
import { hashed, signedOrder as order } from './signing.ts';

/** Why a signature fails: each named cause made on purpose, by hashing done here and not by the product. */

const password = 's3cr3t';
const live = { profileId: 'live', password, digest: 'md5' } as const;

const usual = {
  id: 'db5b5fab-8f4d-4e27-9da1-494c73cf256d',
  order_number: 'order-61033',
  order_amount: '4738.80',
  order_currency: 'PLN',
  order_description: 'Two nights, room 12',
};
type Signed = typeof usual;

/** A callback that arrived as `arrived`, signed over what the gateway had: `signed`. */
const callback = (
  arrived: Partial<Signed>,
  signed: Partial<Signed> = {},
  secret = password,
): CallbackFields => {
  const there = { ...usual, ...signed };
  const here = { ...usual, ...signed, ...arrived };
  return [
    ...order.map((name): [string, string] => [name, here[name]]),
    ['type', 'sale'],
    ['status', 'success'],
    ['hash', hashed(order.map(name => there[name]).join('') + secret)],
  ];
};

const withHash = (hash: string): CallbackFields => [...callback({}).slice(0, -1), ['hash', hash]];
const string = order.map(name => usual[name]).join('');

const causes: [string, CallbackFields][] = [
  ['amount-two-digits', callback({ order_amount: '100' }, { order_amount: '100.00' })],
  ['amount-no-fraction', callback({ order_amount: '100.00' }, { order_amount: '100' })],
  ['description-url-decoded', callback({ order_description: 'Two%20nights%2C%20room%2012' })],
  [
    'description-html-unescaped',
    callback({ order_description: 'Bed &amp; breakfast' }, { order_description: 'Bed & breakfast' }),
  ],
  ['description-trimmed', callback({ order_description: ' Two nights, room 12 ' })],
  [
    'description-leading-space',
    callback({ order_description: 'Two nights' }, { order_description: ' Two nights' }),
  ],
  ['order-number-trimmed', callback({ order_number: 'order-61033 ' })],
  ['password-trimmed', callback({}, {}, password)],
  [
    'md5-bytes',
    withHash(
      createHash('sha1')
        .update(
          createHash('md5')
            .update((string + password).toUpperCase())
            .digest(),
        )
        .digest('hex'),
    ),
  ],
  [
    'not-upper-cased',
    withHash(
      createHash('sha1')
        .update(
          createHash('md5')
            .update(string + password)
            .digest('hex'),
        )
        .digest('hex'),
    ),
  ],
  [
    'other-digest-sha256',
    withHash(
      createHash('sha1')
        .update(
          createHash('sha256')
            .update((string + password).toUpperCase())
            .digest('hex'),
        )
        .digest('hex'),
    ),
  ],
  ['session-formula', withHash(hashed(string.slice(usual.id.length) + password))],
];

describe('a failing signature is explained', () => {
  test.each(causes)('%s', (name, fields) => {
    const candidate = name === 'password-trimmed' ? { ...live, password: ` ${password}` } : live;
    expect(verifyFields(fields, candidate).verdict).toBe('refuted');
    const miss = findNearMiss(fields, [candidate]);
    expect(miss?.causes.join(' ')).toContain(name);
    expect(miss?.sentence).toMatch(/^It verifies if /);
    expect(miss?.sentence.toLowerCase()).not.toContain(password);
  });

  test("another profile's password is named as such, and never shown", () => {
    const other = { profileId: 'test', password: 'an0ther', digest: 'md5' } as const;
    const fields = callback({}, {}, 'an0ther');
    const miss = findNearMiss(fields, [live, other], { expected: 'live' });
    expect(miss).not.toBeNull();
    expect(miss?.sentence).not.toContain('an0ther');
  });

  test('two rewritings at once are found too', () => {
    const miss = findNearMiss(
      callback(
        { order_amount: '100', order_description: 'Two%20nights' },
        { order_amount: '100.00', order_description: 'Two nights' },
      ),
      [live],
    );
    expect(miss?.causes).toHaveLength(2);
  });
});

describe('a diagnosis is never an acceptance', () => {
  test('whatever signed field is changed, the verdict is refuted', () => {
    fc.assert(
      fc.property(fc.constantFrom(...order), fc.string({ minLength: 1, maxLength: 20 }), (name, text) => {
        const changed = callback({ [name]: text });
        // Upper-casing and the missing separators are the interface's own (§5.3).
        fc.pre(usual[name].toUpperCase() !== text.toUpperCase());
        findNearMiss(changed, [live]);
        expect(verifyFields(changed, live).verdict).toBe('refuted');
      }),
      { numRuns: 300 },
    );
  });

  test('ten thousand mutated hashes never verify', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9a-f]{40}$/), hash => {
        expect(verifyFields(withHash(hash), live).verdict).not.toBe('verified');
      }),
      { numRuns: 10_000 },
    );
  });
});
