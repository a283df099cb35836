import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { chainsSchema } from '../../../main/payment-log/postgres/schema/0001-chains.ts';

test('a schema version does not change: databases were created with it', () => {
  expect(hash('sha256', chainsSchema)).toBe(
    'adb5d3542b10d3670cf35cd37eed4a6bd55eaac57b31412b8a8d0d772d451129',
  );
});
