import { rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import * as z from 'zod';
import type { Erasure } from '../../payment-log/answers.ts';

/**
 * Requests of the commands to the running intake, which alone writes the journal: a socket in the state folder, which
 * only the intake's user can open.
 */

const eraseSchema = z.strictObject({
  profileId: z.string().max(64),
  orderNumber: z.string().min(1).max(255),
});
type EraseRequest = z.infer<typeof eraseSchema>;
const answerSchema = z.object({ payments: z.int() });

const socketIn = (state: string): string => join(state, 'control.sock');

/** Size limit of a request, bytes. */
const maxBytes = 4_096;

/** Starts listening for `erase`. `erase` resolves to the number of payments. Throws if the socket cannot be created. */
export const startControl = async (state: string, erase: (erasure: Erasure) => Promise<number>) => {
  const path = socketIn(state);
  // A killed process leaves its socket; the lock of the journal allows one process only.
  rmSync(path, { force: true });
  const server = createServer((incoming, response) => {
    const end = (status: number, body: string): void => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(body);
    };
    let text = '';
    incoming.setEncoding('utf8');
    incoming.on('data', (chunk: string) => {
      text += chunk;
      if (text.length > maxBytes) incoming.destroy();
    });
    incoming.on('end', () => {
      const run = async (): Promise<void> => {
        const { profileId, orderNumber } = eraseSchema.parse(JSON.parse(text));
        const orderNumbers = [orderNumber];
        const payments = await erase({ reason: 'request', agent: 'console', profileId, orderNumbers });
        end(200, JSON.stringify({ payments }));
      };
      run().catch(() => end(500, '{}'));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject);
    server.listen({ path, readableAll: false, writableAll: false }, resolve);
  });
  return {
    close: (): Promise<void> =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

/**
 * Asks the running intake to erase the personal data of an order: the number of payments; `not-running`; or `failed`.
 */
export const askToErase = (
  state: string,
  order: EraseRequest,
): Promise<{ payments: number } | 'not-running' | 'failed'> =>
  new Promise(resolve => {
    const asked = request({ socketPath: socketIn(state), method: 'POST', path: '/erase' }, response => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        if (response.statusCode !== 200) return resolve('failed');
        const read = answerSchema.safeParse(JSON.parse(text));
        return resolve(read.success ? read.data : 'failed');
      });
    });
    asked.on('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'ENOENT' || error.code === 'ECONNREFUSED' ? 'not-running' : 'failed'),
    );
    asked.end(JSON.stringify(order));
  });
