import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * The minimum of a receiver that answers 200 only after the callback is on disk, in a separate process: `FILE`. Appends
 * each body, and flushes once for all that wait. Sends its address to its parent.
 */

const [name = ''] = process.argv.slice(2);
const file = await open(name, 'a');
let waiting: { body: Buffer; stored: () => void }[] = [];
let isFlushing = false;
const flush = async (): Promise<void> => {
  while (waiting.length > 0) {
    const written = waiting;
    waiting = [];
    await file.write(Buffer.concat(written.map(({ body }) => body)));
    await file.datasync();
    for (const { stored } of written) stored();
  }
  isFlushing = false;
};
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const stored = (): void => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': 2 });
      response.end('OK');
    };
    waiting.push({ body: Buffer.concat(chunks), stored });
    if (isFlushing) return;
    isFlushing = true;
    setImmediate(() => void flush());
  });
});
server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`);
});
process.once('disconnect', () => process.exit());
