import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer } from './faults.ts';

/** Size limit of a body, bytes: far above any request of the interface. */
const largestBody = 64 * 1024;

export type Body = { kind: 'read'; text: string } | { kind: 'too-large' } | { kind: 'broken' };

/** Reads a request's complete body; never rejects. */
export const readBody = (request: IncomingMessage): Promise<Body> =>
  new Promise(resolve => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= largestBody) chunks.push(chunk);
      else resolve({ kind: 'too-large' });
    });
    request.once('end', () => resolve({ kind: 'read', text: Buffer.concat(chunks).toString('utf8') }));
    request.once('error', () => resolve({ kind: 'broken' }));
    request.once('close', () => resolve({ kind: 'broken' }));
  });

/** Writes a complete response; after an incompletely read request the connection is closed. */
export const write = (request: IncomingMessage, response: ServerResponse, answer: Answer): void => {
  const body = Buffer.from(answer.text ?? JSON.stringify(answer.json), 'utf8');
  const whole = request.complete;
  response.writeHead(answer.status, {
    ...(answer.text === undefined ? { 'content-type': 'application/json' } : {}),
    'cache-control': 'no-store',
    ...answer.headers,
    'content-length': body.length,
    ...(whole ? {} : { connection: 'close' }),
  });
  response.end(request.method === 'HEAD' ? undefined : body, () => {
    if (!whole) request.destroy();
  });
};

/** The fields of a posted form; empty if it could not be read. */
export const readForm = async (request: IncomingMessage): Promise<URLSearchParams> => {
  const body = await readBody(request);
  return new URLSearchParams(body.kind === 'read' ? body.text : '');
};

/** The value of a JSON text, or undefined if it is not JSON. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
