import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  formulas,
  showSigned,
  sign,
  signedString,
  verify,
  type Formula,
} from '../../main/signatures/signature.ts';

const digest = z.enum(['md5', 'sha256']);
const uppercasing = z.enum(['ascii', 'unicode']);
const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
const formulaNamed = (name: string): Formula => {
  const found = Object.values(formulas).find(formula => formula.name === name);
  if (!found) throw new Error(`No formula is called ${name}.`);
  return found;
};

const own = z
  .object({
    vectors: z.array(
      z.object({
        formula: z.string(),
        values: z.record(z.string(), z.string()),
        password: z.string(),
        digest,
        uppercasing,
        hash: z.string(),
      }),
    ),
  })
  .parse(read(join(import.meta.dirname, '../fixtures/signatures.json')));

const valuesOf = (formula: Formula, parts: readonly string[]): Record<string, string> =>
  Object.fromEntries(formula.fields.map((field, index) => [field, parts[index] ?? '']));

describe("a signature agrees with Python's hashlib", () => {
  it.each(Object.values(formulas).map(formula => formula.name))(
    "a signature agrees with Python's hashlib for the formula %s",
    name => {
      const vectors = own.vectors.filter(vector => vector.formula === name);
      expect(vectors.length).toBeGreaterThan(20);
      for (const { values, password, hash, ...options } of vectors) {
        const formula = formulaNamed(name);
        expect(sign(formula, values, password, options)).toBe(hash.toLowerCase());
        const verified = verify(formula, values, password, hash, options.digest);
        expect(verified).not.toBeNull();
        // The matching rule is returned; if both rules give one string, that is ASCII.
        const both =
          sign(formula, values, password, { ...options, uppercasing: 'ascii' }) === hash.toLowerCase();
        expect(verified?.uppercasing).toBe(both ? 'ascii' : 'unicode');
      }
    },
  );
});

const vectors = join(import.meta.dirname, '../fixtures/vectors');

it('the vectors made without the product all verify', () => {
  const kinds: Record<string, Formula> = {
    callback: formulas.callback,
    session: formulas.session,
    status: formulas.statusByPayment,
    'status-by-order': formulas.statusByOrder,
  };
  const given = z
    .object({ vectors: z.array(z.record(z.string(), z.string())) })
    .parse(read(join(vectors, 'signatures.json'))).vectors;
  expect(given.length).toBeGreaterThan(20);
  for (const vector of given) {
    const formula = kinds[vector['kind'] ?? ''];
    if (!formula) throw new Error(`Unknown kind ${vector['kind']}.`);
    const { hash = '', password = '' } = vector;
    const rule = uppercasing.parse(vector['uppercasing']);
    expect(sign(formula, vector, password, { digest: 'md5', uppercasing: rule })).toBe(hash.toLowerCase());
    expect(verify(formula, vector, password, hash, 'md5')).not.toBeNull();
  }
});

it('vectors from a vendor’s documentation verify too, with SHA-256 if it requires that', () => {
  const names: Record<string, Formula> = {
    session: formulas.session,
    callback: formulas.callback,
    status_by_payment_id: formulas.statusByPayment,
    status_by_order_id: formulas.statusByOrder,
    session_sha256_mode: formulas.session,
  };
  const given = z
    .object({
      vectors: z.array(
        z.object({
          name: z.string(),
          parts: z.array(z.string()),
          inner: digest,
          uppercasing,
          hash: z.string(),
        }),
      ),
    })
    .parse(read(join(vectors, 'documented.json'))).vectors;
  expect(given).toHaveLength(5);
  for (const { name, parts, inner, uppercasing: rule, hash } of given) {
    const formula = names[name];
    if (!formula) throw new Error(`Unknown example ${name}.`);
    const values = valuesOf(formula, parts.slice(0, -1));
    expect(sign(formula, values, parts.at(-1) ?? '', { digest: inner, uppercasing: rule })).toBe(hash);
  }
});

const paymentId = '50a1361a-7c2e-11f1-b8d4-0242ac120002';
const payment = { payment_id: paymentId };
const charge = {
  recurring_init_trans_id: paymentId,
  recurring_token: 'f0e24964-fc43-11ec-a7e0-0242ac120004',
  number: 'order-1235',
  amount: '10.00',
  description: 'Important gift',
};
const refund = { ...payment, amount: '10.00' };

it.each([
  ['refund', 'md5', refund, '202f45ba7913b4536f0591a9a1eeca8ffbd0c9da'],
  ['refund', 'sha256', refund, 'b19a45c14cacf59c79f257a9dc917e8031287ccd'],
  ['capture', 'md5', refund, '202f45ba7913b4536f0591a9a1eeca8ffbd0c9da'],
  ['capture', 'sha256', refund, 'b19a45c14cacf59c79f257a9dc917e8031287ccd'],
  ['void', 'md5', payment, 'e505b0a63333c82df960b878530a4980c82cfc69'],
  ['void', 'sha256', payment, 'd582bf2424234e6208749250be858e6cc22bb49a'],
  ['retry', 'md5', payment, 'e505b0a63333c82df960b878530a4980c82cfc69'],
  ['retry', 'sha256', payment, 'd582bf2424234e6208749250be858e6cc22bb49a'],
  ['recurring', 'md5', charge, '040cac30ec2ad73f0741155640884c2673ab83b5'],
  ['recurring', 'sha256', charge, 'a2d1ac2c26b9238308108fe0973ca2f68851487b'],
] as const)('%s is signed with %s as the notes of the family show', (name, inner, values, hash) => {
  const options = { digest: inner, uppercasing: 'unicode' } as const;
  expect(sign(formulas[name], values, 'm3rch4ntP4ss', options)).toBe(hash);
});

const formula = formulas.callback;
const values = valuesOf(formula, ['50a1361a', 'café-1', '10.00', 'EUR', 'Größe L']);

it('verification of a signature ignores the case of the hash', () => {
  const hash = sign(formula, values, 'secret', { digest: 'md5', uppercasing: 'ascii' });
  expect(verify(formula, values, 'secret', hash.toUpperCase(), 'md5')).toEqual({ uppercasing: 'ascii' });
});

it('verification of a signature returns the upper-casing that the other side used', () => {
  for (const uppercasing of ['ascii', 'unicode'] as const) {
    const hash = sign(formula, values, 'secret', { digest: 'sha256', uppercasing });
    expect(verify(formula, values, 'secret', hash, 'sha256')).toEqual({ uppercasing });
  }
});

it('verification of a signature refuses another digest, a cut hash, an empty one and what is no hash at all', () => {
  const hash = sign(formula, values, 'secret', { digest: 'md5', uppercasing: 'ascii' });
  expect(verify(formula, values, 'secret', hash, 'sha256')).toBeNull();
  for (const other of [hash.slice(0, -1), `${hash}0`, '', 'null', '💳'.repeat(10), ` ${hash}`])
    expect(verify(formula, values, 'secret', other, 'md5')).toBeNull();
});

it('verification of a signature uses amounts as they are: 100.00 and 100 differ', () => {
  const amount = (order_amount: string): string =>
    sign(formula, { ...values, order_amount }, 'secret', { digest: 'md5', uppercasing: 'ascii' });
  expect(amount('100.00')).not.toBe(amount('100'));
});

it('verification of a signature accepts its own signature and no other, for any text', () => {
  const text = fc.string({ unit: 'binary', maxLength: 20 });
  fc.assert(
    fc.property(
      fc.array(text, { minLength: 5, maxLength: 5 }),
      text,
      fc.constantFrom('md5', 'sha256'),
      fc.constantFrom('ascii', 'unicode'),
      (parts, password, digest, uppercasing) => {
        const values = valuesOf(formula, parts);
        const hash = sign(formula, values, password, { digest, uppercasing });
        expect(verify(formula, values, password, hash, digest)).not.toBeNull();
        expect(verify(formula, values, `${password}!`, hash, digest)).toBeNull();
        expect(verify(formula, { ...values, id: `${values['id']}!` }, password, hash, digest)).toBeNull();
      },
    ),
  );
});

it('the signed string as displayed is exact and upper-cased, with neither a letter nor the length of the password', () => {
  const values = { number: 'T-1', amount: '9.90', currency: 'EUR', description: 'Größe' };
  const shown = (uppercasing: 'ascii' | 'unicode'): string =>
    showSigned(formulas.session, values, { digest: 'md5', uppercasing });
  expect(shown('ascii')).toBe('T-19.90EURGRößE••••••••');
  expect(shown('unicode')).toBe('T-19.90EURGRÖSSE••••••••');
  expect(signedString(formulas.session, values, 'pw')).toBe('T-19.90EURGrößepw');
});

it("of all signature formulas only the callback's is specified by the interface, and each names its section", () => {
  const described = Object.values(formulas).map(({ name, documented, section }) => [
    name,
    documented,
    section,
  ]);
  expect(described).toEqual([
    ['session', false, '§5.4'],
    ['statusByPayment', false, '§5.4'],
    ['statusByOrder', false, '§5.4'],
    ['callback', true, '§5.3'],
    ['returnUrl', false, '§1'],
    ['refund', false, '§5.4'],
    ['capture', false, '§5.4'],
    ['void', false, '§5.4'],
    ['retry', false, '§5.4'],
    ['recurring', false, '§5.4'],
  ]);
});

it('a missing field counts as empty in a signature', () => {
  expect(signedString(formulas.session, { number: 'T-1', currency: 'EUR' }, 'pw')).toBe('T-1EURpw');
});
