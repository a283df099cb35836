import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createGateway, type GatewayOptions } from '../../main/gateway/create-gateway.ts';
import type { Gateway } from '../../main/gateway/gateway.ts';
import { profileDefaults, type Profile } from '../../shared/settings/profile.ts';
import { newFolder } from '../../tools/app-harness/new-folder.ts';

/** Real servers for the gateway client, and the profiles for them. */

export type Seen = { method: string; url: string; headers: IncomingMessage['headers']; body: string };
export type Answer = (seen: Seen, response: ServerResponse, request: IncomingMessage) => void;

export const json = (value: unknown, status = 200): Answer => {
  const body = typeof value === 'string' ? value : JSON.stringify(value);
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  };
};

export type Listening = {
  port: number;
  requests: Seen[];
  connections: () => number;
  close: () => Promise<void>;
};

/** Listens on 127.0.0.1, until the end of the test unless several use it; closing breaks every connection. */
export const listen = async (
  server: Server,
  isForOneTest = true,
): Promise<{ port: number; opened: () => number; close: () => Promise<void> }> => {
  const sockets = new Set<Socket>();
  let opened = 0;
  server.on('connection', socket => {
    opened += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise(done => server.close(done));
  };
  if (isForOneTest) onTestFinished(close);
  return { port: (server.address() as AddressInfo).port, opened: () => opened, close };
};

/** A gateway with configured answers that records its requests. */
export const answering = async (
  answer: Answer,
  certificate?: { key: string; cert: string },
  isForOneTest = true,
): Promise<Listening> => {
  const requests: Seen[] = [];
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const seen = { method, url, headers, body: Buffer.concat(chunks).toString('utf8') };
      requests.push(seen);
      answer(seen, response, request);
    });
    request.on('error', () => undefined);
  };
  const server = certificate ? createSecureServer(certificate, listener) : createServer(listener);
  const { port, opened, close } = await listen(server, isForOneTest);
  return { port, requests, connections: opened, close };
};

/** A client that is closed after the test, before the servers that were there before it. */
export const gatewayOf = (options: Partial<GatewayOptions> = {}): Gateway => {
  const gateway = createGateway({ clock: Date.now, ...options });
  onTestFinished(() => gateway.close());
  return gateway;
};

/** A profile for a gateway like the sandbox: plain http on this PC. */
export const sandboxProfile = (port: number, changes: Partial<Profile> = {}): Profile => ({
  ...profileDefaults,
  successUrl: 'https://shop.test/thank-you?order={order}',
  cancelUrl: 'https://shop.test/cancelled?order={order}',
  id: 'sandbox',
  name: 'Sandbox',
  kind: 'sandbox',
  baseUrl: `http://127.0.0.1:${port}`,
  merchantKey: 'merchant-key-1',
  ...changes,
});

export const secureProfile = (port: number, changes: Partial<Profile> = {}): Profile =>
  sandboxProfile(port, { id: 'test', kind: 'test', baseUrl: `https://localhost:${port}`, ...changes });

export const order = {
  number: 'T-100',
  amount: '10.00',
  currency: 'EUR',
  description: 'Two nights, room 12',
  methods: ['card'],
  customer: null,
};

export const password = 'Sécret "pass" 1';

const openssl = (...args: string[]): Buffer =>
  execFileSync('openssl', args, { stdio: ['ignore', 'pipe', 'pipe'] });

export const hasOpenssl = ((): boolean => {
  try {
    openssl('version');
    return true;
  } catch {
    return false;
  }
})();

/** A self-signed certificate for one name that expires after `days`. */
export const selfSigned = (name: string, days: number): { key: string; cert: string } => {
  const folder = newFolder('tls');
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const wanted = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'.split(' ');
  const files = ['-keyout', key, '-out', cert, '-days', String(days)];
  openssl(...wanted, ...files, '-subj', `/O=Test/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`);
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
};
