import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { PaymentLog } from '../../main/payment-log/payment-log.ts';
import type { SharedLogSettings } from '../../main/payment-log/postgres/connection-settings.ts';
import type { ChainEnd, HeadFile } from '../../main/payment-log/answers.ts';
import { newHeadKey, signHead } from '../../main/payment-log/heads/signed-head.ts';
import { startShipping } from '../../main/team/ship.ts';
import { startWitness, type Witness } from '../../main/team/witness.ts';
import { newFolder } from '../../tools/app-harness/new-folder.ts';
import { logFolder, type LogFolder } from '../../tools/app-harness/running-payment-log.ts';
import { note } from '../../tools/evidence/evidence.ts';
import { isPostgresMissing } from '../../tools/postgres-harness/cluster.ts';
import { must } from '../../tools/postgres-harness/shared-log.ts';
import { useTeam } from '../../tools/postgres-harness/use-team.ts';

describe.skipIf(isPostgresMissing)('a witness of the shared log (needs PostgreSQL)', () => {
  const { team, closing } = useTeam();
  let folder: LogFolder;
  let folder2: LogFolder;
  let journal: PaymentLog;
  let settings: SharedLogSettings;
  let other: SharedLogSettings;
  let files: string;
  const logId = randomUUID();

  beforeEach(async () => {
    folder = logFolder();
    folder2 = logFolder();
    files = newFolder('witness');
    closing.push(
      () => folder.remove(),
      () => folder2.remove(),
    );
    journal = await folder.open('console-1');
    settings = await team.add('console', 'Counter 1');
    other = await team.add('console', 'Counter 2');
  });

  const ship = async (): Promise<void> => {
    const shipping = startShipping({ clock: Date.now, journal, shared: team.open(settings) });
    const last = (await journal.chainEnds())[0]?.seq ?? 0;
    expect(await shipping.shipped(last, 10_000)).toBe(true);
    await shipping.close();
  };
  const write = async (count: number): Promise<void> => {
    must(await journal.append(Array.from({ length: count }, (_, at) => note(at, `Note ${at}`))));
    await ship();
  };
  const witness = async (
    onWhole: (ends: readonly ChainEnd[]) => void = () => undefined,
  ): Promise<Witness> => {
    const started = startWitness({
      file: join(files, 'witness.json'),
      logId,
      own: 'console-2',
      shared: team.open(other),
      onChange: () => undefined,
      onWhole,
    });
    closing.push(() => started.close());
    must(await started.look());
    return started;
  };
  /** As after restoring a backup of the database that ends at a number. */
  const cutTo = async (last: number): Promise<void> => {
    await team.sql(`DELETE FROM event WHERE writer_seq > ${last};
      UPDATE writer SET last_seq = ${last}, last_hash = (SELECT hash FROM event WHERE writer_seq = ${last})
        WHERE name = 'console-1'`);
  };

  test('a restored backup of the database is named with its numbers, also after a restart, until it is healed', async () => {
    await write(20);
    const first = await witness();
    expect(first.broken()).toEqual([]);
    await cutTo(12);
    const second = await witness();
    const gone = [{ writer: 'console-1', from: 13, to: 20, how: 'gone' }];
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
    expect(watching.broken()).toEqual([{ writer: 'console-1', from: 1, to: 5, how: 'rebuilt' }]);
  });

  test('a signed head proves that a consistent chain was cut or written again', async () => {
    await write(5);
    const shared = team.open(other);
    const head = signHead(newHeadKey(), Date.now(), must(await shared.chainEnds()));
    const signed = { source: { kind: 'head-file', name: 'today.json' } as const, head };
    const forged = { ...signed, head: { ...head, chains: head.chains.map(end => ({ ...end, seq: 3 })) } };
    const findings = async (...heads: HeadFile[]): Promise<string[]> =>
      must(await shared.verify(undefined, heads)).problems.map(({ message }) => message.key);
    expect(await findings(signed)).toEqual([]);
    await cutTo(3);
    expect(await findings(signed)).toEqual(['integrity.head.event-missing']);
    // An administrator who rewrites it cannot sign it.
    expect(await findings(forged)).toEqual(['integrity.head.changed']);
    // What is whole again is no problem.
    await ship();
    expect(await findings(signed)).toEqual([]);
    await team.sql('UPDATE event SET hash = sha256(hash) WHERE writer_seq = 5');
    expect(await findings(signed)).toContain('integrity.head.event-other');
  });

  test('a broken chain keeps no other one out of the heads that a witness signs', async () => {
    await write(5);
    const second = await folder2.open('console-3');
    must(await second.append([note(0, 'whole')]));
    const shipping = startShipping({ clock: Date.now, journal: second, shared: team.open(other) });
    expect(await shipping.shipped(1, 10_000)).toBe(true);
    await shipping.close();
    let ends: readonly ChainEnd[] = [];
    const watching = await witness(found => (ends = found));
    expect(ends.map(({ writer }) => writer)).toEqual(['console-1', 'console-3']);
    await cutTo(3);
    must(await watching.look());
    expect(ends.map(({ writer }) => writer)).toEqual(['console-3']);
  });

  test('a chain that only grew is no problem for a witness', async () => {
    await write(5);
    const watching = await witness();
    await write(5);
    must(await watching.look());
    expect(watching.broken()).toEqual([]);
  });
});
