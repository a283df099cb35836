import { describe, expect, test } from 'vitest';
import { connect } from '../../../main/payment-log/postgres/connection.ts';
import type { InstallationRight } from '../../../main/payment-log/postgres/administer.ts';
import { clientConfig } from '../../../main/payment-log/postgres/connection-settings.ts';
import { sharedSource } from '../../../main/payment-log/list/connect-to-follow.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import { chainsOf, draft, requested, start } from '../../../tools/evidence/evidence.ts';
import { isPostgresMissing } from '../../../tools/postgres-harness/cluster.ts';
import { copyToList } from '../../../tools/postgres-harness/list.ts';
import { must } from '../../../tools/postgres-harness/shared-log.ts';
import { openInstallation } from '../../../tools/postgres-harness/team-log.ts';
import { useTeam } from '../../../tools/postgres-harness/use-team.ts';
import { opened } from './lists.ts';

describe.skipIf(isPostgresMissing)('a copy of the shared log (needs PostgreSQL)', () => {
  const { team, closing } = useTeam();
  /** `own`: the chain of the installation. */
  const copied = async (own: string) => {
    const settings = await team.add('console', own);
    const connection = must(await connect(must(clientConfig(settings, 'test'))));
    await connection.query(`SET search_path = ${settings.schema}`);
    const source = sharedSource(connection, own);
    const list = await copyToList([source], own);
    closing.push(
      () => connection.close(),
      () => list.close(),
    );
    return { source, list };
  };
  const written = async (
    writer: string,
    drafts: readonly EventDraft[],
    rights: readonly InstallationRight[] = [],
  ): Promise<void> => {
    const settings = await team.add('console', writer, undefined, rights);
    const installation = await openInstallation(team, writer, { settings });
    closing.push(() => installation.remove());
    for (const draft of drafts) must(await installation.log.append([draft]));
    expect(await installation.shipping.shipped(drafts.length, 20_000)).toBe(true);
  };
  const of = (orderNumber: string, draft: EventDraft): EventDraft => ({ ...draft, orderNumber });

  test('large events are read a few at a time', async () => {
    await written(
      'console-2',
      Array.from({ length: 40 }, (_, at) => of(`CF-${at}`, requested(at, { request: 'x'.repeat(400_000) }))),
    );
    const { source, list } = await copied('console-1');
    expect((await source.read('console-2', 1, 40)).length).toBeLessThan(25);
    expect(list.foreign.held()).toMatchObject([{ writer: 'console-2', low: 1, high: 40 }]);
    expect(list.foreign.leftOut()).toEqual([]);
  });

  test('an amendment erases in a list what it erased in the shared log, and nothing else', async () => {
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
    const { database, foreign } = opened();
    foreign.store([...chains.values()]);
    const { source } = await copied('console-9');
    for (const writer of ['console-2', 'console-3']) {
      const stored = foreign.store([await source.read(writer, 1, 1)]);
      expect(stored.named).toMatchObject([{ writer: 'console-1', by: { writer, writerSeq: 1 } }]);
      // As after a restart before it was answered.
      expect(foreign.named()).toEqual(stored.named);
      foreign.erase(await source.erasedOf(stored.named), start);
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
