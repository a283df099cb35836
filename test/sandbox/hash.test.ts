import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { signature, signatureHolds, type Digest, type Uppercasing } from '../../main/sandbox/hash.ts';

const id = '50a1361a-7c2e-11f1-b8d4-0242ac120002';
const pass = 'm3rch4ntP4ss';
const gift = ['order-1234', '10.00', 'USD', 'Important gift', pass];

const stored = ['f0e24964-fc43-11ec-a7e0-0242ac120004', 'order-1235', '10.00', 'Important gift'];

describe('the sandbox’s own signatures', () => {
  it.each([
    ['session', gift, 'md5', '29478736ac36042734a48df28522e1ddb9255cf3'],
    ['callback', [id, ...gift], 'md5', '9eddb423ef8a8c2e36e8717eb5e638cdeb17d957'],
    ['status by payment id', [id, pass], 'md5', 'e505b0a63333c82df960b878530a4980c82cfc69'],
    ['status by order number', ['order-1234', pass], 'md5', '8d2d3032e471f6782aa070301d6de8aeb807f6fc'],
    ['session with SHA-256', gift, 'sha256', '032fff8973d1350b3ce5d59f55a9b616bce7c0bd'],
    ['refund and a capture', [id, '10.00', pass], 'md5', '202f45ba7913b4536f0591a9a1eeca8ffbd0c9da'],
    ['refund with SHA-256', [id, '10.00', pass], 'sha256', 'b19a45c14cacf59c79f257a9dc917e8031287ccd'],
    ['void and a retry with SHA-256', [id, pass], 'sha256', 'd582bf2424234e6208749250be858e6cc22bb49a'],
    ['recurring payment', [id, ...stored, pass], 'md5', '040cac30ec2ad73f0741155640884c2673ab83b5'],
    [
      'recurring payment with SHA-256',
      [id, ...stored, pass],
      'sha256',
      'a2d1ac2c26b9238308108fe0973ca2f68851487b',
    ],
  ] as const)('the sandbox’s own signatures equal the documented hash of a %s', (_, parts, digest, hash) => {
    expect(signature(parts, digest, 'ascii')).toBe(hash);
    expect(signature(parts, digest, 'unicode')).toBe(hash);
  });

  it('the sandbox’s own signatures differ between Unicode and ASCII upper-casing only with letters outside ASCII', () => {
    const parts = ['ORD', 'Straße', 'pässwörd'];
    expect(signature(parts, 'md5', 'unicode')).not.toBe(signature(parts, 'md5', 'ascii'));
    expect(signature(['طلب'], 'md5', 'unicode')).toBe(signature(['طلب'], 'md5', 'ascii'));
  });

  it('the sandbox’s own signatures are accepted with either upper-casing and either case of the hexadecimal digits, and no other', () => {
    const parts = ['order-7', '1.00', 'EUR', 'Größe', 'pä'];
    for (const uppercasing of ['unicode', 'ascii'] as const) {
      const hash = signature(parts, 'md5', uppercasing);
      expect(signatureHolds(hash, parts, 'md5')).toBe(true);
      expect(signatureHolds(hash.toUpperCase(), parts, 'md5')).toBe(true);
      expect(signatureHolds(hash, parts, 'sha256')).toBe(false);
    }
    expect(signatureHolds('', parts, 'md5')).toBe(false);
    expect(signatureHolds('é'.repeat(40), parts, 'md5')).toBe(false);
  });
});

type Vector = { kind: string; hash: string; uppercasing: Uppercasing } & Record<string, string>;
const partsOf: Record<string, readonly string[]> = {
  callback: ['id', 'order_number', 'order_amount', 'order_currency', 'order_description', 'password'],
  session: ['number', 'amount', 'currency', 'description', 'password'],
  status: ['payment_id', 'password'],
  'status-by-order': ['order_id', 'password'],
};
const vectorFile = join(import.meta.dirname, '../fixtures/vectors/signatures.json');

it('the signature vectors made elsewhere all verify', () => {
  const { vectors } = JSON.parse(readFileSync(vectorFile, 'utf8')) as { vectors: Vector[] };
  expect(vectors.length).toBeGreaterThan(0);
  for (const vector of vectors) {
    const parts = (partsOf[vector.kind] ?? []).map(name => vector[name] ?? '');
    expect(signature(parts, (vector['digest'] ?? 'md5') as Digest, vector.uppercasing)).toBe(
      vector.hash.toLowerCase(),
    );
  }
});
