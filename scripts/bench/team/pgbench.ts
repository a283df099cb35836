import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { postgresProgram, type Cluster } from '../../../tools/postgres-harness/cluster.ts';

/**
 * One event as a single insert, about as long as a callback's. `:writer` keeps its rows apart from the chains: no
 * chain has that number.
 */
const insert = (schema: string): string => `
\\set other random(1, 1000000000)
INSERT INTO ${schema}.event (writer, writer_seq, id, profile_id, order_number, payment_id, happened_at, recorded_at, agent,
  kind, dedupe_key, shape, "values", personal, hash)
VALUES (-1, nextval('${schema}.bench_number'), gen_random_uuid(), 'live', 'LOAD-' || :other, gen_random_uuid()::text,
  extract(epoch FROM clock_timestamp())::bigint * 1000, extract(epoch FROM clock_timestamp())::bigint * 1000, 'intake',
  'callback.received', md5(:other::text), gen_random_uuid(), repeat('a value of a field ', 25),
  decode(repeat('ab', 32), 'hex'), decode(repeat('cd', 32), 'hex'));
`;

/** Prepares a shared log for `insertSingly`. */
export const prepareInserts = async (cluster: Cluster, database: string, schema: string): Promise<void> => {
  writeFileSync(join(cluster.folder, 'insert.sql'), insert(schema));
  await cluster.sql(`CREATE SEQUENCE IF NOT EXISTS ${schema}.bench_number CACHE 32`, database);
};

/** PostgreSQL's own load generator, one event a transaction, for some seconds: the number of transactions. */
export const insertSingly = (
  cluster: Cluster,
  database: string,
  { clients, seconds }: { clients: number; seconds: number },
): Promise<number> =>
  new Promise((resolve, reject) => {
    const script = join(cluster.folder, 'insert.sql');
    const server = ['-h', cluster.folder, '-p', String(cluster.port), '-U', cluster.superuser];
    const load = ['-n', '-M', 'prepared', '-c', String(clients), '-j', '2', '-T', String(seconds)];
    execFile(postgresProgram('pgbench'), [...server, ...load, '-f', script, database], (error, said) => {
      const done = /transactions actually processed: (\d+)/.exec(said)?.[1];
      if (error || done === undefined) reject(error ?? new Error(said));
      else resolve(Number(done));
    });
  });
