import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../../../main/payment-log/postgres/connection.ts';
import type { PaymentLogReader } from '../../../main/payment-log/payment-log.ts';
import { openPaymentLog } from '../../../main/payment-log/sqlite/open-payment-log.ts';
import { openForWriting } from '../../../main/payment-log/sqlite/store/database.ts';
import { projector } from '../../../main/payment-log/sqlite/store/projection.ts';
import { asEvent } from '../../../tools/evidence/evidence.ts';
import type { Cluster } from '../../../tools/postgres-harness/cluster.ts';
import { fillList } from '../../../tools/postgres-harness/fill-list.ts';
import { must, type Team } from '../../../tools/postgres-harness/shared-log.ts';
import { percentile } from '../../percentile.ts';
import { atMost, type Row } from '../measure.ts';
import { pageRows, questionsOf, type Question } from '../payment-log/log-queries.ts';
import { paymentEvents } from '../payments.ts';

/** Repetitions of each question, after two that warm up. */
const rounds = 15;
const warmingRounds = 2;

/** Asks both logs each question in turn; milliseconds of all answers. */
const askBoth = async (
  ours: Pick<PaymentLogReader, 'list'>,
  other: Pick<PaymentLogReader, 'list'>,
  questions: readonly Question[],
): Promise<{ ours: number[]; other: number[] }> => {
  const times = { ours: [] as number[], other: [] as number[] };
  for (const { filter } of questions)
    for (let round = -warmingRounds; round < rounds; round += 1) {
      const startedAt = performance.now();
      const one = await ours.list(filter, null, pageRows);
      const between = performance.now();
      const two = await other.list(filter, null, pageRows);
      const ended = performance.now();
      if (one.rows.length !== two.rows.length)
        throw new Error(`the same question has two answers: ${JSON.stringify(filter)}`);
      if (round < 0) continue;
      times.ours.push(between - startedAt);
      times.other.push(ended - between);
    }
  return times;
};

/** Fills the list of a team's log; see `fillList`. */
const fill = async (
  cluster: Cluster,
  team: Team,
  { payments, lastAt }: { payments: number; lastAt: number },
  onProjected?: Parameters<typeof fillList>[3],
): Promise<void> => {
  const { folder: host, port, superuser: user } = cluster;
  const connection = must(await connect({ host, port, user, database: team.database }));
  await connection.query(`SET search_path = ${team.schema}, pg_temp`);
  const eventsOf = (index: number) => paymentEvents(index, payments, lastAt).map(asEvent);
  await fillList(connection, payments, eventsOf, onProjected);
  await connection.close();
};

/** The same questions in a list that SQLite is not filled for: minutes for each million payments. */
export const largeSharedList = async (cluster: Cluster, team: Team, payments: number): Promise<Row[]> => {
  const lastAt = Date.now();
  await fill(cluster, team, { payments, lastAt });
  const { reader } = team.open(await team.add('desk', 'Bench of the list'));
  const times: number[] = [];
  for (const { filter } of questionsOf(payments, lastAt))
    for (let round = -warmingRounds; round < rounds; round += 1) {
      const startedAt = performance.now();
      await reader.list(filter, null, pageRows);
      if (round >= 0) times.push(performance.now() - startedAt);
    }
  const of = `first page of ${payments.toLocaleString('en')} payments, list in PostgreSQL, p95`;
  return [atMost(`${of} / 60 (ms)`, percentile(times, 0.95), 60, 1)];
};

/** The first page of the bench's questions from the list in PostgreSQL, compared with the list in SQLite; without evidence. */
export const sharedList = async (cluster: Cluster, team: Team, payments: number): Promise<Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-bench-'));
  const file = join(folder, 'payments.db');
  const lastAt = Date.now();
  const database = must(openForWriting(file));
  const rows = projector(database);
  await fill(
    cluster,
    team,
    { payments, lastAt },
    database.transaction((some, first) => {
      for (const [at, projected] of some.entries()) rows.set(first + at + 1, projected);
      rows.flush();
    }),
  );
  database.close();
  const journal = must(await openPaymentLog({ file, writer: 'bench' }));
  try {
    const shared = team.open(await team.add('desk', 'Bench of the list'));
    const times = await askBoth(shared.reader, journal, questionsOf(payments, lastAt));
    const ours = percentile(times.ours, 0.95);
    const of = `first page of ${payments.toLocaleString('en')} payments, list in PostgreSQL, p95`;
    return [
      atMost(`${of} / in SQLite (ms)`, ours, percentile(times.other, 0.95), 3),
      atMost(`${of} / 20 (ms)`, ours, 20, 1),
    ];
  } finally {
    await journal.close();
    rmSync(folder, { recursive: true, force: true });
  }
};
