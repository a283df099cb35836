import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { killAroundRefunds } from '../../scripts/load/kills.ts';
import { startRecordingGateway, type RecordingGateway } from '../../scripts/load/recording-gateway.ts';
import { borrowCluster } from '../../tools/postgres-harness/borrowed-cluster.ts';
import { isPostgresMissing } from '../../tools/postgres-harness/cluster.ts';
import { createTeam } from '../../tools/postgres-harness/shared-log.ts';

/** Kills around refunds; `npm run soak -- kills` and `npm run soak -- kills --team` do the same for longer. */

let folder: string;
let gateway: RecordingGateway;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'counterfoil-refunds-'));
  gateway = await startRecordingGateway(400);
});
afterEach(async () => {
  await gateway.close();
  rmSync(folder, { recursive: true, force: true });
});

test(
  'a console that is killed around a refund sends it once, shows it, and does not send it again',
  { timeout: 120_000 },
  async () => {
    const { kills, refunds, left } = await killAroundRefunds(folder, gateway, null, 10);
    expect({ kills, refunds }).toEqual({ kills: 10, refunds: 20 });
    // The kills fell into every gap.
    expect(left.recorded).toBeGreaterThan(0);
    expect(left.arrived).toBeGreaterThan(0);
    expect(left.answered).toBeGreaterThan(0);
  },
);

test.skipIf(isPostgresMissing)(
  'with two consoles, of which one is killed, a payment is refunded once, and both show it (needs PostgreSQL)',
  { timeout: 180_000 },
  async () => {
    const cluster = await borrowCluster();
    const team = await createTeam(cluster);
    try {
      const { kills } = await killAroundRefunds(folder, gateway, team, 5);
      expect(kills).toBeGreaterThanOrEqual(5);
    } finally {
      await team.close();
      await cluster.remove();
    }
  },
);
