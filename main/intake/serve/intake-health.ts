import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ShippingState } from '../../team/ship.ts';
import type { KeeperState } from './sharing.ts';

/** Health and metrics over HTTP, on a port that the gateway cannot reach. Answers contain names and numbers only. */

export type IntakeHealth = {
  /** Whether the next callback would be answered 200. */
  ready: boolean;
  draining: boolean;
  version: string;
  uptimeSeconds: number;
  listening: boolean;
  /** `problem`: the code of the failure. */
  journal: { works: boolean; problem: string | null; events: number };
  /** Null without a database. */
  shared: {
    state: ShippingState;
    /** ISO 8601. */
    since: string;
    problem: string | null;
    waitingEvents: number;
    oldestWaitingSeconds: number;
    /** Whether this intake erases by age for all installations. */
    keeper: KeeperState;
    keeperProblem: string | null;
  } | null;
  /**
   * Profiles whose shared settings name another server than the configuration, so that no status is checked there. Null
   * unless payments are looked up.
   */
  otherServers: string[] | null;
  /** Of the messages to people; null without a webhook. `isFailing`: the last search or sending failed. */
  alerts: { isFailing: boolean; waiting: number } | null;
  quarantine: { callbacks: number; limit: number; full: boolean };
  /** Null if it could not be read. */
  freeBytes: number | null;
  /** ISO 8601; null without TLS. */
  certificateUntil: string | null;
  /** The last verification of the journal; null if there was none in this run. */
  verification: { at: string; problems: number } | null;
};

const listen = (server: Server, host: string, port: number): Promise<AddressInfo> =>
  new Promise((resolve, reject) => {
    server.on('error', reject);
    server.listen(port, host, () => resolve(server.address() as AddressInfo));
  });

/**
 * Starts the server of `/healthz` (the process answers), `/readyz` (200 if the next callback would be answered 200) and
 * `/metrics`. Throws if the port cannot be opened.
 */
export const startAdminServer = async (
  { host, port }: { host: string; port: number },
  health: () => Promise<IntakeHealth>,
  metrics: () => Promise<{ type: string; body: string }>,
) => {
  const answer = async (path: string): Promise<{ status: number; type: string; body: string }> => {
    if (path === '/healthz') return { status: 200, type: 'text/plain', body: 'OK\n' };
    if (path === '/readyz') {
      const now = await health();
      return { status: now.ready ? 200 : 503, type: 'application/json', body: `${JSON.stringify(now)}\n` };
    }
    if (path === '/metrics') return { status: 200, ...(await metrics()) };
    return { status: 404, type: 'text/plain', body: 'Not found\n' };
  };
  const server = createServer({ requestTimeout: 5_000, keepAliveTimeout: 5_000 }, (request, response) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const found = isRead
      ? answer((request.url ?? '').split('?')[0] ?? '')
      : Promise.resolve({ status: 405, type: 'text/plain', body: 'GET only\n' });
    void found
      .catch(() => ({ status: 500, type: 'text/plain', body: 'Failed\n' }))
      .then(({ status, type, body }) => {
        response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
        response.end(request.method === 'HEAD' ? undefined : body);
      });
  });
  server.maxConnections = 64;
  const address = await listen(server, host, port);
  return {
    port: address.port,
    close: (): Promise<void> =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
