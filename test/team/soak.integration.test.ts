import { expect, test } from 'vitest';
import { soakTeam } from '../../scripts/load/team-soak.ts';
import { isPostgresMissing } from '../../tools/postgres-harness/cluster.ts';

/** The short form of `npm run soak`. */

test.skipIf(isPostgresMissing)(
  'consoles and intakes lose and double nothing through random faults (needs PostgreSQL)',
  async () => {
    const { callbacks, events, faults, leftOut } = await soakTeam(5);
    // How many depends on the machine.
    expect(callbacks).toBeGreaterThan(0);
    expect(events).toBeGreaterThan(callbacks);
    expect(leftOut).toBeGreaterThan(0);
    expect(Object.keys(faults)).toContain('kill PostgreSQL');
  },
  180_000,
);
