import fc from 'fast-check';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  bigintArray,
  bytesArray,
  textArray,
  uuidArray,
} from '../../../main/payment-log/postgres/binary-array.ts';
import { borrowCluster } from '../../../tools/postgres-harness/borrowed-cluster.ts';
import { isPostgresMissing, type Cluster } from '../../../tools/postgres-harness/cluster.ts';

describe.skipIf(isPostgresMissing)('arrays in binary format (needs PostgreSQL)', () => {
  let cluster: Cluster;
  let client: Client;
  beforeAll(async () => {
    cluster = await borrowCluster();
    const { folder: host, port, superuser: user } = cluster;
    client = new Client({ host, port, user, database: 'postgres' });
    await client.connect();
  }, 60_000);
  afterAll(async () => {
    await client?.end();
    await cluster?.remove();
  });

  const hex = fc.uint8Array({ maxLength: 40 }).map(bytes => Buffer.from(bytes).toString('hex'));
  const text = fc
    .string({ unit: 'grapheme', maxLength: 40 })
    .filter(one => !one.includes('\0') && one.isWellFormed());

  test('arrays in binary format are for the server the same values as its text format', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.option(text)),
        fc.array(fc.option(hex)),
        fc.array(fc.uuid()),
        fc.array(fc.maxSafeInteger()),
        async (texts, bytes, uuids, numbers) => {
          const { rows } = await client.query<{ same: boolean }>(
            `SELECT $1::text[] IS NOT DISTINCT FROM $2::text[] AND $3::bytea[] IS NOT DISTINCT FROM $4::bytea[]
               AND $5::uuid[] IS NOT DISTINCT FROM $6::uuid[] AND $7::bigint[] IS NOT DISTINCT FROM $8::bigint[] AS same`,
            [
              textArray(texts),
              texts,
              bytesArray(bytes),
              bytes.map(one => (one === null ? null : Buffer.from(one, 'hex'))),
              uuidArray(uuids),
              uuids,
              bigintArray(numbers),
              numbers,
            ],
          );
          expect(rows[0]?.same).toBe(true);
        },
      ),
    );
  });
});
