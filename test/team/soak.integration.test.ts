import { expect, test } from 'vitest';
import { soakTeam } from '../../scripts/load/team-soak.ts';
import { isPostgresMissing } from '../../tools/postgres-harness/cluster.ts';

/** The short form of `npm run soak -- team`. */

test.skipIf(isPostgresMissing)(
  'consoles and intakes lose and double nothing through random faults (needs PostgreSQL)',
  async () => {
    const { callbacks, events, faults } = await soakTeam(8);
    expect(callbacks).toBeGreaterThan(20);
    expect(events).toBeGreaterThan(callbacks);
    expect(Object.keys(faults).length).toBeGreaterThan(2);
  },
  180_000,
);
