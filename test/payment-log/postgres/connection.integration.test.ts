import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { Client } from 'pg';
import { type Connection, connect } from '../../../main/payment-log/postgres/connection.ts';
import { clientConfig } from '../../../main/payment-log/postgres/connection-settings.ts';
import { type Cluster, isPostgresMissing } from '../../../tools/postgres-harness/cluster.ts';
import { must } from '../../../tools/postgres-harness/shared-log.ts';
import { useTeam } from '../../../tools/postgres-harness/use-team.ts';
import {
  bigintArray,
  bytesArray,
  textArray,
  uuidArray,
} from '../../../main/payment-log/postgres/binary-array.ts';
import { borrowCluster } from '../../../tools/postgres-harness/borrowed-cluster.ts';

describe.skipIf(isPostgresMissing)('a connection to the shared log (needs PostgreSQL)', () => {
  const { team, closing } = useTeam();
  const opened = async (): Promise<Connection> => {
    const connection = must(
      await connect(must(clientConfig(await team.add('console', 'Counter 1'), 'test'))),
    );
    closing.push(() => connection.close());
    return connection;
  };
  const one = 'SELECT 1 AS one';

  test('a request that waits too long for its turn ends alone, and the others are answered', async () => {
    const connection = await opened();
    const slow = connection.query('SELECT pg_sleep(0.6)', [], { deadlineMs: 5_000 });
    const impatient = connection.query(one, [], { deadlineMs: 100 });
    const patient = connection.query(one, [], { deadlineMs: 5_000 });
    await expect(impatient).rejects.toMatchObject({ code: 'DEADLINE' });
    expect(connection.isOpen()).toBe(true);
    await slow;
    expect(await patient).toEqual([{ one: 1 }]);
  });

  test('the time in which a request must be answered begins when it is sent', async () => {
    const connection = await opened();
    const slow = connection.query('SELECT pg_sleep(0.5)', [], { deadlineMs: 5_000 });
    const next = connection.query('SELECT pg_sleep(0.5)', [], { deadlineMs: 800 });
    await Promise.all([slow, next]);
    expect(connection.isOpen()).toBe(true);
  });

  test('a request that the server does not answer in time closes the connection', async () => {
    const connection = await opened();
    await expect(connection.query('SELECT pg_sleep(5)', [], { deadlineMs: 100 })).rejects.toMatchObject({
      code: 'DEADLINE',
    });
    expect(connection.isOpen()).toBe(false);
  });

  test('requests to the shared log beyond a thousand that wait are refused at once', async () => {
    const connection = await opened();
    const all = await Promise.allSettled([
      connection.query('SELECT pg_sleep(0.5)'),
      ...Array.from({ length: 1_000 }, () => connection.query(one)),
    ]);
    expect(all.map(({ status }) => status === 'fulfilled')).toEqual([
      ...Array.from({ length: 1_000 }, () => true),
      false,
    ]);
    expect(all.at(-1)).toMatchObject({ reason: { code: 'DEADLINE' } });
    expect(await connection.query(one)).toEqual([{ one: 1 }]);
  });
});

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
