import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';

/** Time limit of one attempt, milliseconds. */
const timeoutMs = 10_000;

/** Posts a body. Resolves to the status, and rejects without an answer in time. No redirect is followed. */
export const postWebhook = (url: string, body: string, signature: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const options = {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
        'counterfoil-signature': signature,
      },
      signal: AbortSignal.timeout(timeoutMs),
    };
    const sent = url.startsWith('http:')
      ? httpRequest(url, options)
      : // Not left to a variable of the environment that another program's set-up may have changed.
        httpsRequest(url, { ...options, rejectUnauthorized: true });
    sent.on('error', reject);
    sent.on('response', answer => {
      resolve(answer.statusCode ?? 0);
      // Its content does not matter, and may never end.
      answer.on('error', () => undefined);
      answer.destroy();
    });
    sent.end(body);
  });
