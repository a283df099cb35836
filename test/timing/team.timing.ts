import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requested } from '../../tools/evidence/evidence.ts';
import { isPostgresMissing, startCluster, type Cluster } from '../../tools/postgres-harness/cluster.ts';
import { startProxy, type Proxy } from '../../tools/postgres-harness/proxy.ts';
import { createTeam, must, type Team } from '../../tools/postgres-harness/shared-log.ts';
import { openInstallation, type Installation } from '../../tools/postgres-harness/team-log.ts';

describe.skipIf(isPostgresMissing)('a console of a team (needs PostgreSQL)', () => {
  let cluster: Cluster;
  let team: Team;
  let proxy: Proxy;
  let one: Installation;
  beforeAll(async () => {
    cluster = await startCluster();
    team = await createTeam(cluster);
    proxy = await startProxy(cluster.host, cluster.port);
    one = await openInstallation(team, 'console-1', {
      settings: await team.add('console', 'Counter 1', proxy.port),
    });
    must(await one.journal.append([requested(0)]));
    expect(await one.shipping.shipped(1, 10_000)).toBe(true);
  });
  afterAll(async () => {
    await one?.remove();
    await proxy?.close();
    await team?.close();
    await cluster?.remove();
  });

  test('a cut network is noticed within 3 seconds while nothing is written, and a caller waits as long as it wants', async () => {
    proxy.set('hold');
    const cutAt = performance.now();
    await expect.poll(() => one.shipping.standing().state, { interval: 20 }).toBe('unreachable');
    expect(performance.now() - cutAt).toBeLessThan(3_000);
    must(await one.journal.append([requested(0, {}, { orderNumber: 'LATER-1' })]));
    const askedAt = performance.now();
    expect(await one.shipping.shipped(2, 200)).toBe(false);
    expect(performance.now() - askedAt).toBeLessThan(1_000);
    proxy.set('forward');
    proxy.cut();
    expect(await one.shipping.shipped(2, 20_000)).toBe(true);
  });
});
