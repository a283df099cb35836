import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PaymentLog } from '../../main/payment-log/payment-log.ts';
import { startShipping, type Shipping } from '../../main/team/ship.ts';
import { reducePayment } from '../../shared/payment-reducer/reduce.ts';
import { logFolder, type LogFolder } from '../../tools/app-harness/running-payment-log.ts';
import { accepted, callback, note, order, requested } from '../../tools/evidence/evidence.ts';
import { isPostgresMissing, startCluster, type Cluster } from '../../tools/postgres-harness/cluster.ts';
import { createTeam, must, type Team } from '../../tools/postgres-harness/shared-log.ts';

const isSkipped = isPostgresMissing;

describe.skipIf(isSkipped)('shipping to a shared log (PostgreSQL)', () => {
  let cluster: Cluster;
  let team: Team;
  let folder: LogFolder;
  let journal: PaymentLog;
  const running: Shipping[] = [];

  beforeAll(async () => {
    cluster = await startCluster();
  }, 30_000);
  afterAll(() => cluster.remove());
  beforeEach(async () => {
    team = await createTeam(cluster);
    folder = logFolder();
    journal = await folder.open('desk-1');
  });
  afterEach(async () => {
    for (const shipping of running.splice(0)) await shipping.close();
    await team.close();
    await folder.remove();
  });

  test('a journal is shipped byte for byte, and its events lead to the same payment', async () => {
    must(
      await journal.append([
        requested(0, { customer: { name: 'Jörg Müller', email: 'jm@example.com' } }),
        accepted(),
        callback(60_000, 'sale', 'success'),
        note(61_000, 'Called back 🙂\u0000 done'),
      ]),
    );
    const shared = team.open(await team.add('desk', 'Desk 1'));
    const shipping = startShipping({ journal, shared });
    running.push(shipping);
    expect(await shipping.shipped(4, 5_000)).toBe(true);
    expect(shipping.standing()).toMatchObject({ state: 'connected', unshipped: { events: 0, oldest: null } });
    expect(must(await shared.chainedEvents('desk-1', 0, 10))).toEqual(await journal.ownChain.events(0, 10));
    expect(must(await shared.chainEnds())).toEqual(await journal.chainEnds());
    const events = must(await shared.events('sandbox', order.number));
    expect(events).toEqual(await journal.events('sandbox', order.number));
    expect(reducePayment(events)).toEqual(await journal.payment('sandbox', order.number));
    expect(must(await shared.verify())).toEqual({ events: 4, payments: 0, problems: [] });
    const appended = must(await journal.append([note(62_000, 'Later')]));
    expect(await shipping.shipped(appended.events[0]?.writerSeq ?? 0, 5_000)).toBe(true);
  });
});
