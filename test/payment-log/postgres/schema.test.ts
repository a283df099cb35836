import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { knownVersion, schemaVersions } from '../../../main/payment-log/postgres/schema/versions.ts';

const hashes: Readonly<Record<number, string>> = {
  1: 'adb5d3542b10d3670cf35cd37eed4a6bd55eaac57b31412b8a8d0d772d451129',
  3: '8a17672bb8c76b39879a9ab92ac5f4c258def84914e1ada895d2f679993082c2',
};

test.each(schemaVersions)('schema version $version does not change: databases were created with it', of => {
  expect(hash('sha256', of.sql)).toBe(hashes[of.version]);
});

test('the program knows the last version', () => {
  expect(schemaVersions.at(-1)?.version).toBe(knownVersion);
});
