import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { startCluster, type Cluster } from './cluster.ts';
import { createTeam, type Team } from './shared-log.ts';

/** One PostgreSQL for the tests of a file, and an empty shared log for each test. */
export type UsedTeam = {
  readonly cluster: Cluster;
  readonly team: Team;
  /** Runs after the test, the last one first, while the database still answers. */
  onEnd(close: () => unknown): void;
};

export const useTeam = (): UsedTeam => {
  let cluster: Cluster;
  let team: Team;
  const closing: (() => unknown)[] = [];
  beforeAll(async () => {
    cluster = await startCluster();
  }, 60_000);
  afterAll(() => cluster?.remove());
  beforeEach(async () => {
    team = await createTeam(cluster);
  });
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
    await team.close();
  });
  return {
    get cluster() {
      return cluster;
    },
    get team() {
      return team;
    },
    onEnd: close => {
      closing.push(close);
    },
  };
};
