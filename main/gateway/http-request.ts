import type { Dispatcher } from 'undici';
import { maskCardNumbers } from '../../shared/card-number.ts';

/**
 * One request and its response over a dispatcher, with the facts about a failure, above all whether anything was
 * sent.
 */

/** Size limit of a response, bytes. */
export const answerLimit = 1024 * 1024;

export type Received = {
  httpStatus: number;
  contentType: string | null;
  /** The header `Location` of a redirect. */
  location: string | null;
  /** The header `Date`. */
  date: string | null;
  retryAfter: string | null;
  body: Buffer;
};

export type FailureReason =
  | 'cancelled'
  | 'unreachable'
  | 'unknown-name'
  | 'proxy'
  | 'proxy-sign-in'
  | 'tls'
  | 'connect-timeout'
  | 'headers-timeout'
  | 'body-timeout'
  | 'too-large'
  | 'not-http'
  | 'broken';

/** `sent`: something may have reached the gateway. `code`: the error code of the system or the TLS library. */
export type Failure = {
  kind: 'failed';
  sent: boolean;
  reason: FailureReason;
  code: string | null;
  /** The part of the response that had arrived. */
  received: Received | null;
};
export type HttpOutcome = { kind: 'answered'; received: Received } | Failure;

export type HttpRequest = {
  origin: string;
  path: string;
  method: 'GET' | 'POST' | 'HEAD';
  body: string | null;
};

const jsonHeaders = [
  'content-type',
  'application/json',
  'accept',
  'application/json',
  'user-agent',
  'Counterfoil',
];

const text = (header: string | string[] | undefined): string | null =>
  header === undefined ? null : Array.isArray(header) ? (header[0] ?? null) : header;

/** Length limit of a stored content type, characters. */
const maxContentTypeLength = 200;
const contentTypeOf = (header: string | string[] | undefined): string | null => {
  const type = text(header);
  return type === null ? null : maskCardNumbers(type).slice(0, maxContentTypeLength);
};

const tlsCodes =
  /^(?:ERR_TLS|ERR_SSL|ERR_OSSL|EPROTO|CERT_|CRL_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH)/;

/** Whether a response arrived in a form that is not HTTP; not every error of undici's parser has a code. */
const isFormError = (code: string | null, error: unknown): boolean =>
  (error instanceof Error && error.name === 'HTTPParserError') || code === 'UND_ERR_HEADERS_OVERFLOW';

const codeOf = (error: unknown): string | null => {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
};

/** undici reports a proxy's answer to the tunnel only in the message. */
const wantsSignIn = (error: unknown): boolean =>
  error instanceof Error && (/Proxy response \(407\)/.test(error.message) || wantsSignIn(error.cause));

const reasonOf = (code: string | null, sent: boolean, error: unknown): FailureReason => {
  if (!sent && wantsSignIn(error)) return 'proxy-sign-in';
  switch (code) {
    case 'UND_ERR_HEADERS_TIMEOUT':
      return 'headers-timeout';
    case 'UND_ERR_BODY_TIMEOUT':
      return 'body-timeout';
    case 'UND_ERR_CONNECT_TIMEOUT':
      return 'connect-timeout';
    case 'UND_ERR_DESTROYED':
    case 'UND_ERR_CLOSED':
      return 'cancelled';
    default:
  }
  if (sent && isFormError(code, error)) return 'not-http';
  if (sent) return 'broken';
  // Before a connection is established, undici aborts only when a proxy refuses the tunnel.
  if (code === 'UND_ERR_ABORTED' || code?.startsWith('UND_ERR_PRX')) return 'proxy';
  if (code === 'ENOTFOUND') return 'unknown-name';
  return code !== null && tlsCodes.test(code) ? 'tls' : 'unreachable';
};

/**
 * Sends one request and reads its response to the end; never throws, never follows a redirect. `headersMs`: from
 * sending to the response headers; `bodyMs`: from there to its end.
 */
export const sendHttp = (
  dispatcher: Dispatcher,
  httpRequest: HttpRequest,
  { headersMs, bodyMs }: { headersMs: number; bodyMs: number },
  signal?: AbortSignal,
): Promise<HttpOutcome> =>
  new Promise(resolve => {
    let controller: Dispatcher.DispatchController | null = null;
    let received: Received | null = null;
    let settled = false;
    let bytes = 0;
    let bodyTimer: NodeJS.Timeout | undefined;
    const chunks: Buffer[] = [];

    const finish = (outcome: HttpOutcome): void => {
      if (settled) return;
      settled = true;
      clearTimeout(bodyTimer);
      signal?.removeEventListener('abort', cancel);
      resolve(outcome);
    };
    const answer = (): Received | null => {
      if (received) received.body = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
      return received;
    };
    const failWith = (reason: FailureReason, code: string | null): void =>
      finish({ kind: 'failed', sent: controller !== null, reason, code, received: answer() });
    /** Settles with the reason, then destroys the connection; its later error events are ignored. */
    const breakOff = (reason: FailureReason): void => {
      failWith(reason, null);
      controller?.abort(new Error(reason));
    };
    const cancel = (): void => breakOff('cancelled');

    if (signal?.aborted) {
      cancel();
      return;
    }
    signal?.addEventListener('abort', cancel, { once: true });

    // undici calls it just before the first byte is written: until then nothing was sent.
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: started => {
        if (settled) started.abort(new Error('cancelled'));
        else controller = started;
      },
      onResponseStart: (_, httpStatus, headers) => {
        received = {
          httpStatus,
          contentType: contentTypeOf(headers['content-type']),
          location: text(headers['location']),
          date: text(headers['date']),
          retryAfter: text(headers['retry-after']),
          body: Buffer.alloc(0),
        };
        bodyTimer = setTimeout(breakOff, bodyMs, 'body-timeout');
      },
      onResponseData: (_, chunk) => {
        bytes += chunk.length;
        if (bytes > answerLimit) breakOff('too-large');
        else chunks.push(chunk);
      },
      onResponseEnd: () => {
        const whole = answer();
        if (whole) finish({ kind: 'answered', received: whole });
      },
      onResponseError: (_, error) => {
        const code = codeOf(error) ?? codeOf(error.cause);
        failWith(reasonOf(code, controller !== null, error), code);
      },
    };
    try {
      dispatcher.dispatch(
        { ...httpRequest, headers: jsonHeaders, headersTimeout: headersMs, bodyTimeout: 0 },
        handler,
      );
    } catch (error) {
      failWith(reasonOf(codeOf(error), false, error), codeOf(error));
    }
  });
