import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { borrowCluster } from './borrowed-cluster.ts';
import type { Cluster } from './cluster.ts';
import { createTeam, type Team } from './shared-log.ts';

export type UsedTeam = {
  cluster: Cluster;
  team: Team;
  /** What is closed after the test or file, the last one first, while the database still answers. */
  closing: (() => unknown)[];
};

/** Passes everything on to what exists only while a test runs. */
const forward = <T extends object>(current: () => T): T =>
  new Proxy({} as T, { get: (_target, key) => Reflect.get(current(), key) as unknown });

/** One PostgreSQL for the tests of a file, and an empty shared log for each test, or one for the file. */
export const useTeam = (each: 'test' | 'file' = 'test'): UsedTeam => {
  let cluster: Cluster | undefined;
  let team: Team | undefined;
  const closing: (() => unknown)[] = [];
  const running = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error('There is no database outside a test.');
    return part;
  };
  beforeAll(async () => {
    cluster = await borrowCluster();
  }, 60_000);
  afterAll(() => cluster?.remove());
  const [before, after] = each === 'test' ? [beforeEach, afterEach] : [beforeAll, afterAll];
  before(async () => {
    team = await createTeam(running(cluster));
  });
  after(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
    await team?.close();
  });
  return { cluster: forward(() => running(cluster)), team: forward(() => running(team)), closing };
};
