import { setTimeout as wait } from 'node:timers/promises';
import type { Profile } from '../../shared/settings/profile.ts';
import type { HttpOutcome, Received } from './http-request.ts';
import { answerError, type Nonanswer } from './failures.ts';
import type { StatusOutcome } from './gateway.ts';
import { excerptOf } from './redact.ts';
import { readRefusal, refusalError } from './refusal.ts';
import { parseExactly, readStatusAnswers } from './status-answer.ts';

/** What an answer to a look-up means (§2.5, §4.2). */
export const statusOutcome = (
  received: Received,
  profile: Profile,
  endpoint: string,
  redact: (text: string) => string,
): StatusOutcome => {
  const { httpStatus } = received;
  const answer = excerptOf(received, redact);
  const failed = (kind: Nonanswer): StatusOutcome => ({
    kind: 'failed',
    error: answerError('status', kind, received, endpoint),
    answer,
  });
  if (httpStatus >= 300 && httpStatus < 400) return failed('redirected');
  const value = parseExactly(received.body);
  // 501 says that the verb is not known here, which is no fault.
  if (httpStatus >= 500 && httpStatus !== 501) return failed('server-error');
  const answers = httpStatus < 300 ? readStatusAnswers(value) : null;
  if (answers) return { kind: 'answered', answers, answer };
  const refusal = readRefusal(value);
  if (httpStatus >= 400 || refusal) {
    return { kind: 'failed', error: refusalError('status', httpStatus, refusal, profile, redact), answer };
  }
  return failed(value === undefined ? 'not-json' : 'other-shape');
};

/** HTTP statuses that pass by themselves. */
const passing = [408, 429, 502, 503, 504];

const isTransient = (exchange: HttpOutcome): boolean =>
  exchange.kind === 'answered'
    ? passing.includes(exchange.received.httpStatus)
    : ['unreachable', 'connect-timeout', 'headers-timeout', 'body-timeout', 'broken'].includes(
        exchange.reason,
      );

export type RetryOptions = {
  /** Waits so many milliseconds; rejects when cancelled. */
  pause: (milliseconds: number, signal: AbortSignal | undefined) => Promise<unknown>;
  /** From 0 to 1. */
  random: () => number;
};
export const realRetry: RetryOptions = {
  pause: (milliseconds, signal) => wait(milliseconds, undefined, signal ? { signal } : {}),
  random: Math.random,
};

/** Tries in all; no new one is begun later than this after the first, so that a person is not kept waiting. */
const tries = 3;
const timeoutMs = 30_000;
const minPauseMs = 400;
const maxPauseMs = 5_000;

/** Milliseconds to wait after a failed try: doubling, at least half of it by chance, never less than the gateway asks for; null = do not try again. */
const pauseAfter = (attempt: number, exchange: HttpOutcome, random: () => number): number | null => {
  const asked = Number(exchange.received?.retryAfter ?? 0) * 1000;
  if (asked > maxPauseMs) return null;
  const most = Math.min(minPauseMs * 2 ** attempt, maxPauseMs);
  return Math.max(Number.isFinite(asked) ? asked : 0, Math.round(most * (0.5 + random() / 2)));
};

/** Repeats what failed in passing, politely; a refusal, a broken certificate or a cancelled request is final. */
export const retried = async (
  send: () => Promise<HttpOutcome>,
  { pause, random }: RetryOptions,
  signal?: AbortSignal,
): Promise<HttpOutcome> => {
  const startedAt = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    const exchange = await send();
    if (attempt === tries || !isTransient(exchange)) return exchange;
    const milliseconds = pauseAfter(attempt, exchange, random);
    if (milliseconds === null || performance.now() - startedAt + milliseconds > timeoutMs) return exchange;
    try {
      await pause(milliseconds, signal);
    } catch {
      return { kind: 'failed', sent: true, reason: 'cancelled', code: null, received: exchange.received };
    }
  }
};
