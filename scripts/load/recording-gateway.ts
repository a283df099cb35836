import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startSandbox } from '../../main/sandbox/start-sandbox.ts';
import { operationKinds } from '../../shared/operations/operation-kinds.ts';
import { shopAccount } from '../../tools/app-harness/prepared-shop.ts';

/**
 * The sandbox behind a server that records every request for an operation and can hold its answer. It is in another
 * process than the consoles, so that its record outlives them.
 */

/** A request for an operation that arrived, carried out or not. */
export type ArrivedOperation = { operation: string; paymentId: string; amount: string | null; body: string };

export type RecordingGateway = Awaited<ReturnType<typeof startRecordingGateway>>;

const operationPath = new RegExp(String.raw`^/api/v1/payment/(${operationKinds.join('|')})$`);
const lookUpPath = /^\/api\/v1\/payment\/status\/?$/;

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
};

/** `operationDelayMs`: from a request for an operation to its callback. */
export const startRecordingGateway = async (operationDelayMs: number) => {
  const sandbox = await startSandbox({
    port: 0,
    ...shopAccount,
    callbackUrl: null,
    operationDelayMs,
    // A console that was killed is back within some seconds, sometimes too late.
    retryIntervals: [1_000, 2_000, 4_000],
  });
  const arrived: ArrivedOperation[] = [];
  let released = Promise.withResolvers<void>();
  released.resolve();
  const waiting: Record<'operation' | 'look-up', (() => void)[]> = { operation: [], 'look-up': [] };
  const saw = (what: keyof typeof waiting): void => {
    for (const resolve of waiting[what].splice(0)) resolve();
  };

  const server = createServer((request, response) => {
    const forward = async (): Promise<void> => {
      const path = new URL(request.url ?? '/', 'http://gateway').pathname;
      const body = await bodyOf(request);
      const [, operation] = operationPath.exec(path) ?? [];
      if (operation !== undefined) {
        const fields = JSON.parse(body) as { payment_id?: string; amount?: string };
        arrived.push({ operation, paymentId: fields.payment_id ?? '', amount: fields.amount ?? null, body });
        saw('operation');
      }
      const answer = await fetch(sandbox.baseUrl + (request.url ?? '/'), {
        method: request.method ?? 'GET',
        headers: { 'content-type': request.headers['content-type'] ?? 'application/json' },
        // A status request has its fields in the address or in a body.
        ...(body === '' ? {} : { body }),
      });
      const text = await answer.text();
      if (operation !== undefined) await released.promise;
      response.writeHead(answer.status, {
        'content-type': answer.headers.get('content-type') ?? 'application/json',
        'content-length': Buffer.byteLength(text),
      });
      response.end(text);
      if (lookUpPath.test(path)) saw('look-up');
    };
    forward().catch(() => response.destroy());
  });
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });

  return {
    /** `http://127.0.0.1:PORT` */
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Every request for an operation that arrived, oldest first. */
    arrived,
    /** Holds the answers to operations from now on, or releases them; the gateway carries the request out either way. */
    holdAnswers: (isHeld: boolean): void => {
      if (isHeld) released = Promise.withResolvers<void>();
      else released.resolve();
    },
    /** Resolves when the next request for an operation, or the next look-up's answer, was seen here. */
    next: (what: 'operation' | 'look-up'): Promise<void> =>
      new Promise(resolve => {
        waiting[what].push(resolve);
      }),
    /** Where callbacks are sent from now on; those without a confirmation are repeated there, three times. */
    setCallbackUrl: (url: string | null): void => sandbox.setCallbackUrl(url),
    /** Sends the callbacks of an order again, as a person does in the dashboard. */
    resend: (orderNumber: string): Promise<number> => sandbox.resend(orderNumber),
    /** Pays a link, as a payer does. */
    pay: async (link: string): Promise<void> => {
      await fetch(link, { method: 'POST', body: new URLSearchParams({ scenario: 'pay' }) });
    },
    close: async (): Promise<void> => {
      released.resolve();
      await sandbox.close();
      server.closeAllConnections();
      await new Promise<void>(resolve => {
        server.close(() => resolve());
      });
    },
  };
};
