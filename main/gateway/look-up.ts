import { setTimeout as wait } from 'node:timers/promises';
import type { Profile } from '../../shared/settings/profile.ts';
import type { HttpOutcome, Received } from './http-request.ts';
import { unusableAnswerError, type UnusableAnswer } from './gateway-failures.ts';
import type { StatusOutcome } from './gateway.ts';
import { decode, excerptOf } from './redact-answer.ts';
import { hasRepeatedNames } from './repeated-names.ts';
import { readRefusal, refusalError } from './refusal.ts';
import { contradictsItself, parseExactly, readStatusAnswers } from './status-answer.ts';
import { retry } from '../pacing/retry.ts';

/** The meaning of a response to a look-up (§2.5, §4.2). */
export const statusOutcome = (
  received: Received,
  profile: Profile,
  endpoint: string,
  redact: (text: string) => string,
): StatusOutcome => {
  const { httpStatus } = received;
  const answer = excerptOf(received, redact);
  const failed = (kind: UnusableAnswer): StatusOutcome => ({
    kind: 'failed',
    error: unusableAnswerError('status', kind, received, endpoint),
    answer,
  });
  if (httpStatus >= 300 && httpStatus < 400) return failed('redirected');
  const value = parseExactly(received.body);
  // 501 means that the method is not supported, which is not a server failure.
  if (httpStatus >= 500 && httpStatus !== 501) return failed('server-error');
  const answers = httpStatus < 300 ? readStatusAnswers(value) : null;
  if (answers && (hasRepeatedNames(decode(received.body)) || contradictsItself(value)))
    return failed('contradictory');
  if (answers) return { kind: 'answered', answers, answer };
  const refusal = readRefusal(value);
  if (httpStatus >= 400 || refusal)
    return { kind: 'failed', error: refusalError('status', httpStatus, refusal, profile, redact), answer };
  return failed(value === undefined ? 'not-json' : 'other-shape');
};

/** Temporary HTTP statuses. */
const passing = [408, 429, 502, 503, 504];

const isTransient = (exchange: HttpOutcome): boolean =>
  exchange.kind === 'answered'
    ? passing.includes(exchange.received.httpStatus)
    : ['unreachable', 'connect-timeout', 'headers-timeout', 'body-timeout', 'broken', 'not-http'].includes(
        exchange.reason,
      );

export type RetryOptions = {
  /** Waits for a number of milliseconds; rejects when cancelled. */
  pause: (milliseconds: number, signal: AbortSignal | undefined) => Promise<unknown>;
  /** From 0 to 1. */
  random: () => number;
};
export const realRetry: RetryOptions = {
  pause: (milliseconds, signal) => wait(milliseconds, undefined, signal ? { signal } : {}),
  random: Math.random,
};

/** Limit of attempts; no attempt begins later than this after the first, to limit the user's wait. */
const tries = 3;
const maxRetryMs = 30_000;
const minPauseMs = 400;
const maxPauseMs = 5_000;

/**
 * Delay after a failed attempt, milliseconds: exponential backoff with half of it random, at least the gateway's
 * Retry-After; null = do not retry.
 */
const pauseAfter = (attempt: number, exchange: HttpOutcome, random: () => number): number | null => {
  const asked = Number(exchange.received?.retryAfter ?? 0) * 1000;
  if (asked > maxPauseMs) return null;
  const most = Math.min(minPauseMs * 2 ** attempt, maxPauseMs);
  return Math.max(Number.isFinite(asked) ? asked : 0, Math.round(most * (0.5 + random() / 2)));
};

/** Retries temporary failures with backoff. A refusal, an invalid certificate or a cancelled request is final. */
export const retried = async (
  send: () => Promise<HttpOutcome>,
  { pause, random }: RetryOptions,
  signal?: AbortSignal,
): Promise<HttpOutcome> => {
  const startedAt = performance.now();
  let received: HttpOutcome['received'] = null;
  const delayAfter = (exchange: HttpOutcome, attempt: number): number | null => {
    ({ received } = exchange);
    if (attempt === tries || !isTransient(exchange)) return null;
    const delayMs = pauseAfter(attempt, exchange, random);
    return delayMs === null || performance.now() - startedAt + delayMs > maxRetryMs ? null : delayMs;
  };
  try {
    return await retry(send, delayAfter, { signal, pause });
  } catch (thrown) {
    if (!signal?.aborted) throw thrown;
    return { kind: 'failed', sent: true, reason: 'cancelled', code: null, received };
  }
};
