import type { AppError } from '../../shared/errors.ts';

/** Rate limits of background look-ups: look-ups in flight, delays in milliseconds. */
export const requestPacing = {
  concurrency: 2,
  /** Between an answer and the next request of the same worker. */
  delayMs: 250,
  /** Each worker pauses for `cooldownMs` after every `cooldownEvery` requests. */
  cooldownEvery: 50,
  cooldownMs: 2_000,
};

/** Limits of consecutive failures before the job pauses, by scope. Failures of a single payment never count. */
export const failureLimits = { payment: Number.POSITIVE_INFINITY, all: 1, gateway: 3, refusal: 5 };

/**
 * The scope of a failed look-up: this payment only, a refusal that may concern this payment, an unreachable gateway,
 * or every look-up.
 */
export const failureScope = ({ code, details }: AppError): keyof typeof failureLimits => {
  if (code === 'input.invalid' || code === 'input.card-number' || code === 'payment.missing')
    return 'payment';
  // Refused or rate-limited: further requests would make it worse.
  if ([401, 403, 429, 503].includes(Number(details?.['httpStatus'] ?? 0))) return 'all';
  if (code === 'gateway.signature-refused' || code === 'gateway.refused') return 'refusal';
  return code.startsWith('gateway.') ? 'gateway' : 'all';
};
