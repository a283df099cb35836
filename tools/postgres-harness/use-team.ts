import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { SharedLogSettings } from '../../main/payment-log/postgres/connection-settings.ts';
import { borrowCluster } from './borrowed-cluster.ts';
import type { Cluster } from './cluster.ts';
import { startProxy, type Proxy } from './proxy.ts';
import { createTeam, type Team } from './shared-log.ts';
import { openInstallation, openShipping, type Installation, type Shipped } from './team-log.ts';

export type UsedTeam = {
  cluster: Cluster;
  team: Team;
  /** What is closed after the test or file, the last one first, while the database still answers. */
  closing: (() => unknown)[];
  /** Opens an installation, as `openInstallation`. */
  install: (writer: string, options?: Parameters<typeof openInstallation>[2]) => Promise<Installation>;
  /** Opens a journal that is shipped, as `openShipping`. */
  ship: (writer: string, options?: Parameters<typeof openShipping>[2]) => Promise<Shipped>;
  /** A network to the server that can be cut. */
  proxied: () => Promise<Proxy>;
  /** Signs in to the schema with an account, as a program for databases does. */
  signIn: (settings: SharedLogSettings) => Promise<Client>;
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
  const closed = <T>(part: T, close: (part: T) => unknown): T => {
    closing.push(() => close(part));
    return part;
  };
  return {
    cluster: forward(() => running(cluster)),
    team: forward(() => running(team)),
    closing,
    install: async (writer, options) =>
      closed(await openInstallation(running(team), writer, options), installed => installed.remove()),
    ship: async (writer, options) =>
      closed(await openShipping(running(team), writer, options), shipped => shipped.remove()),
    proxied: async () => {
      const { host, port } = running(cluster);
      return closed(await startProxy(host, port), proxy => proxy.close());
    },
    signIn: async ({ host, port, database, role, password }) => {
      const client = new Client({ host, port, database, user: role, password: password ?? '' });
      // A connection that the server ends is an error of the next statement.
      client.on('error', () => undefined);
      await client.connect();
      closed(client, one => one.end().catch(() => undefined));
      await client.query(`SET search_path = ${running(team).schema}`);
      return client;
    },
  };
};
