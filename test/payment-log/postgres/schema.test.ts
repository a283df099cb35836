import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { knownVersion, schemaVersions } from '../../../main/payment-log/postgres/schema/versions.ts';

const hashes: Readonly<Record<number, string>> = {
  1: 'adb5d3542b10d3670cf35cd37eed4a6bd55eaac57b31412b8a8d0d772d451129',
  3: '50fbcde09778e12556fa7898f0ee134354ed09092eed446cc35c0bb82b125a50',
  4: '4440e07a7f304d74943a3d9c86abe75e20ff463494eeda0c21d83ffb6bca4995',
  5: '6c0898e2df8f76de131cc0714163d4658ef10a9fae80ee532bf8e2c48aa1fe9f',
  6: '1ac4efe6e9f9cbec11236c0dfc07e22ca671db5449f59a22c5427ef04d296d26',
  7: '9a559962132563fd2b4041ac49a17cdbdff48b6cfe52fd0a3f5832add2363eb5',
  8: '6d448d96beae408aa4219d26f90549254871804e16bf9b2319045be4c06314a8',
  9: '67bd9d3dfe8ab90ae8839141526755f96a3a427c999d3f8981afe53107760e97',
  10: '553ed93f53a148026833539cf8d04f0d39c5df8c0395e65b0c77e953628dcdef',
};

test.each(schemaVersions)('schema version $version does not change: databases were created with it', of => {
  expect(hash('sha256', of.sql)).toBe(hashes[of.version]);
});

test('the program knows the last version', () => {
  expect(schemaVersions.at(-1)?.version).toBe(knownVersion);
});
