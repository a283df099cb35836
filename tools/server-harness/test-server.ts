import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Real servers on this computer, for what the product calls. */

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

/** A server with configured answers that records its requests. */
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
