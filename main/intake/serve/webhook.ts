import { createHmac } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { AlertMessage } from './alert-outbox.ts';

/** Messages about alerts over HTTP: without names and links. Their form is documented in docs/use/intake.md. */

/** Time limit of one attempt, milliseconds. */
export const webhookTimeoutMs = 10_000;

/** The body of a message. `sender`: this intake. */
export const webhookBody = ({ id, createdAt, alerts, more }: AlertMessage, sender: string): string =>
  JSON.stringify({
    version: 1,
    id,
    createdAt: new Date(createdAt).toISOString(),
    intake: sender,
    alerts: alerts.map(alert => ({
      id: alert.id,
      kind: alert.kind,
      at: new Date(alert.at).toISOString(),
      profile: alert.payment?.profileId ?? null,
      order: alert.payment?.orderNumber ?? null,
      ...(alert.amount === null ? {} : { amount: alert.amount, currency: alert.currency }),
    })),
    more,
  });

/** The header that proves who sent a body, and when (seconds since 1970). */
export const webhookSignature = (secret: string, body: string, seconds: number): string =>
  `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;

/** Posts a body. Resolves to the status, and rejects without an answer in time. No redirect is followed. */
export const postWebhook = (
  url: string,
  body: string,
  signature: string,
  timeoutMs: number,
): Promise<number> =>
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
