import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PaymentLog } from '../../main/payment-log/payment-log.ts';
import type { SharedLogSettings } from '../../main/payment-log/postgres/settings.ts';
import { startShipping } from '../../main/team/ship.ts';
import { startWitness, type Witness } from '../../main/team/witness.ts';
import { logFolder, type LogFolder } from '../../tools/app-harness/running-payment-log.ts';
import { note } from '../../tools/evidence/evidence.ts';
import { isPostgresMissing, startCluster, type Cluster } from '../../tools/postgres-harness/cluster.ts';
import { createTeam, must, type Team } from '../../tools/postgres-harness/shared-log.ts';

describe.skipIf(isPostgresMissing)('a witness of the shared log (needs PostgreSQL)', () => {
  let cluster: Cluster;
  let team: Team;
  let folder: LogFolder;
  let journal: PaymentLog;
  let settings: SharedLogSettings;
  let other: SharedLogSettings;
  let files: string;
  const logId = randomUUID();
  const closing: (() => Promise<unknown> | void)[] = [];

  beforeAll(async () => {
    cluster = await startCluster();
  }, 60_000);
  afterAll(() => cluster?.remove());
  beforeEach(async () => {
    team = await createTeam(cluster);
    folder = logFolder();
    files = mkdtempSync(join(tmpdir(), 'counterfoil-witness-'));
    journal = await folder.open('desk-1');
    settings = await team.add('desk', 'Desk 1');
    other = await team.add('desk', 'Desk 2');
  });
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
    await team.close();
    await folder.remove();
    rmSync(files, { recursive: true, force: true });
  });

  const ship = async (): Promise<void> => {
    const shipping = startShipping({ journal, shared: team.open(settings) });
    const last = (await journal.chainEnds())[0]?.seq ?? 0;
    expect(await shipping.shipped(last, 10_000)).toBe(true);
    await shipping.close();
  };
  const write = async (count: number): Promise<void> => {
    must(await journal.append(Array.from({ length: count }, (_, at) => note(at, `Note ${at}`))));
    await ship();
  };
  const witness = async (): Promise<Witness> => {
    const started = startWitness({
      file: join(files, 'witness.json'),
      logId,
      own: 'desk-2',
      shared: team.open(other),
      onChange: () => undefined,
    });
    closing.push(() => started.close());
    must(await started.look());
    return started;
  };
  /** As after restoring a backup of the database that ends at a number. */
  const cutTo = async (last: number): Promise<void> => {
    await team.sql(`DELETE FROM event WHERE writer_seq > ${last};
      UPDATE writer SET last_seq = ${last}, last_hash = (SELECT hash FROM event WHERE writer_seq = ${last})`);
  };

  test('a restored backup of the database is named with its numbers, also after a restart, until it is healed', async () => {
    await write(20);
    const first = await witness();
    expect(first.broken()).toEqual([]);
    await cutTo(12);
    const second = await witness();
    const gone = [{ writer: 'desk-1', from: 13, to: 20, how: 'gone' }];
    expect(second.broken()).toEqual(gone);
    must(await first.look());
    expect(first.broken()).toEqual(gone);

    await ship();
    must(await second.look());
    expect(second.broken()).toEqual([]);
  });

  test('a chain that was written again is named', async () => {
    await write(5);
    const watching = await witness();
    await team.sql(`UPDATE event SET hash = sha256(hash) WHERE writer_seq = 5;
      UPDATE writer SET last_hash = (SELECT hash FROM event WHERE writer_seq = 5)`);
    must(await watching.look());
    expect(watching.broken()).toEqual([{ writer: 'desk-1', from: 1, to: 5, how: 'rebuilt' }]);
  });

  test('what grew is no problem', async () => {
    await write(5);
    const watching = await witness();
    await write(5);
    must(await watching.look());
    expect(watching.broken()).toEqual([]);
  });
});
