import { describe, expect, test } from 'vitest';
import { connect } from '../../../main/payment-log/postgres/connection.ts';
import type { InstallationRight } from '../../../main/payment-log/postgres/administer.ts';
import { clientConfig } from '../../../main/payment-log/postgres/connection-settings.ts';
import { journalSource } from '../../../main/payment-log/replica/journal-source.ts';
import { sharedSource } from '../../../main/payment-log/replica/shared-source.ts';
import { openForReading } from '../../../main/payment-log/sqlite/store/database.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import { filter, logFolder } from '../../../tools/app-harness/running-payment-log.ts';
import { chainsOf } from '../../../tools/evidence/chains.ts';
import { draft, requested, start } from '../../../tools/evidence/evidence.ts';
import { isPostgresMissing } from '../../../tools/postgres-harness/cluster.ts';
import { copyReplica } from '../../../tools/postgres-harness/replica.ts';
import { must } from '../../../tools/postgres-harness/shared-log.ts';
import { openInstallation } from '../../../tools/postgres-harness/team-log.ts';
import { useTeam } from '../../../tools/postgres-harness/use-team.ts';
import { opened } from './replicas.ts';

describe.skipIf(isPostgresMissing)('a replica of the shared log (needs PostgreSQL)', () => {
  const { team, closing } = useTeam();
  /** `own`: the chain of the installation; `journal`: its payment log, if that is copied too. */
  const copied = async (own: string, journal?: string) => {
    const settings = await team.add('console', own);
    const connection = must(await connect(must(clientConfig(settings, 'test'))));
    await connection.query(`SET search_path = ${settings.schema}`);
    const source = await sharedSource(connection, own);
    const opened = journal === undefined ? null : must(openForReading(journal));
    const replica = await copyReplica([...(opened ? [journalSource(opened, own)] : []), source], own);
    closing.push(
      () => opened?.close(),
      () => connection.close(),
      () => replica.close(),
    );
    return { source, replica };
  };
  const written = async (
    writer: string,
    drafts: readonly EventDraft[],
    rights: readonly InstallationRight[] = [],
  ): Promise<void> => {
    const settings = await team.add('console', writer, undefined, rights);
    const installation = await openInstallation(team, writer, { settings });
    closing.push(() => installation.remove());
    for (const draft of drafts) must(await installation.journal.append([draft]));
    expect(await installation.shipping.shipped(drafts.length, 20_000)).toBe(true);
  };
  const of = (orderNumber: string, draft: EventDraft): EventDraft => ({ ...draft, orderNumber });

  test('a replica of the shared log lists the payments of the other installations with those of the own journal', async () => {
    await written('console-1', [of('CF-1', requested(0))]);
    await written('console-2', [of('CF-2', requested(1))]);
    const folder = logFolder();
    closing.push(() => folder.remove());
    const journal = await folder.open('console-3');
    must(await journal.append([of('CF-3', requested(2))]));
    const { replica } = await copied('console-3', folder.file);
    const { rows } = await replica.reader.list(filter({}), null, 10);
    expect(rows.map(({ orderNumber }) => orderNumber)).toEqual(['CF-3', 'CF-2', 'CF-1']);
  });

  test('large events are read a few at a time', async () => {
    await written(
      'console-2',
      Array.from({ length: 30 }, (_, at) => of('CF-1', requested(at, { request: 'x'.repeat(440_000) }))),
    );
    const { source, replica } = await copied('console-1');
    expect((await source.read('console-2', 1, 30)).length).toBeLessThan(25);
    expect(replica.writer.held()).toMatchObject([{ writer: 'console-2', low: 1, high: 30 }]);
    expect(replica.writer.leftOut()).toEqual([]);
  });

  test('an amendment erases in a replica what it erased in the shared log, and nothing else', async () => {
    const named = (orderNumber: string) =>
      of(orderNumber, requested(0, { customer: { name: 'Zoë Quist', email: 'zoe@example.com' } }));
    const [one, two] = [named('CF-1'), named('CF-2')];
    await written('console-1', [one, two]);
    const amended = ({ id, orderNumber }: EventDraft): EventDraft =>
      draft('amended', 9, { events: [id], reason: 'request' }, { orderNumber });
    await written('console-2', [amended(one)], ['eraser']);
    await written('console-3', [amended(two)]);
    // Everything had its personal values when it was copied.
    const chains = chainsOf([
      { writer: 'console-1', at: start, draft: one },
      { writer: 'console-1', at: start, draft: two },
    ]);
    const { database, replica } = opened();
    replica.store([...chains.values()]);
    const { source } = await copied('console-9');
    for (const writer of ['console-2', 'console-3']) {
      const stored = replica.store([await source.read(writer, 1, 1)]);
      expect(stored.named).toMatchObject([{ writer: 'console-1', by: { writer, writerSeq: 1 } }]);
      // As after a restart before it was answered.
      expect(replica.named()).toEqual(stored.named);
      replica.erase(await source.erasedOf(stored.named), start);
    }
    expect(
      database
        .prepare<[], string>(
          `SELECT p.order_number FROM personal o JOIN event e ON e.seq = o.event JOIN payment p ON p.id = e.payment`,
        )
        .pluck()
        .all(),
    ).toEqual(['CF-2']);
    database.close();
  });
});
