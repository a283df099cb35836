import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A web server that receives an intake's alerts. */

export type Posted = { body: string; signature: string };
export type WebReceiver = Awaited<ReturnType<typeof startWebReceiver>>;

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
};

/**
 * `respond`: to the message of this number, from 1. Its path comes once: its port may come again, and what is sent to
 * the server that had it before is not counted.
 */
export const startWebReceiver = async (
  respond: (response: ServerResponse, count: number) => void = response => void response.writeHead(204).end(),
) => {
  const received: Posted[] = [];
  const path = `/alerts/${randomUUID()}`;
  const server = createServer((request, response) => {
    if (request.url !== path) {
      response.writeHead(404).end();
      return;
    }
    void bodyOf(request).then(body => {
      received.push({ body, signature: String(request.headers['counterfoil-signature']) });
      respond(response, received.length);
    });
  });
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    received,
    close: (): Promise<void> =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
