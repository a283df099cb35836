import type { Profile } from '../../shared/settings/profile.ts';
import { checkLink } from '../../shared/settings/check-link.ts';
import type { Received } from './http-request.ts';
import { unusableAnswerError, type UnusableAnswer } from './gateway-failures.ts';
import type { SessionOutcome } from './gateway.ts';
import { decode, excerptOf } from './redact-answer.ts';
import { isObject, readRefusal, refusalError, saysInternalError } from './refusal.ts';
import { hasRepeatedNames } from './repeated-names.ts';
import { hasErrors } from './status-answer.ts';

/** A response's JSON, or undefined if it is not JSON. */
export const jsonOf = (received: Received): unknown => {
  try {
    return JSON.parse(decode(received.body));
  } catch {
    return undefined;
  }
};

/** 4xx that do not prove that the request was read and refused: a timeout, or a closed connection. */
export const undecided = [408, 425, 499];
/** Redirects that prove that the request was not processed; after 302 and 303 it may have been. */
export const notCarriedOut = [301, 307, 308];

/**
 * The meaning of a response to a session request (§2.3, §4.1). The interface does not specify HTTP status codes. Only
 * a response that proves that no link exists is `refused`: a 4xx, and a 2xx with a refusal. After a 5xx, an internal
 * error of the gateway under any status, a page that is not JSON, a response without a link, and one that contradicts
 * itself (a link and an error, a name twice) the payment may be registered: `unknown`.
 */
export const sessionOutcome = (
  received: Received,
  profile: Profile,
  endpoint: string,
  redact: (text: string) => string,
): SessionOutcome => {
  const { httpStatus } = received;
  const answer = excerptOf(received, redact);
  if (httpStatus >= 300 && httpStatus < 400) {
    const error = unusableAnswerError('session', 'redirected', received, endpoint);
    return notCarriedOut.includes(httpStatus)
      ? { kind: 'refused', error, answer }
      : { kind: 'unknown', error, answer };
  }
  if (httpStatus >= 500 || undecided.includes(httpStatus))
    return {
      kind: 'unknown',
      error: unusableAnswerError('session', 'server-error', received, endpoint),
      answer,
    };
  const value = jsonOf(received);
  const unknown = (kind: UnusableAnswer): SessionOutcome => ({
    kind: 'unknown',
    error: unusableAnswerError('session', kind, received, endpoint),
    answer,
  });
  const written = isObject(value) ? value['redirect_url'] : undefined;
  // A line break at its end is no part of an address.
  const url = typeof written === 'string' ? written.trim() : '';
  const hasLink = url !== '';
  if (hasLink && (httpStatus >= 400 || hasErrors(value) || hasRepeatedNames(decode(received.body))))
    return unknown('contradictory');
  const refusal = readRefusal(value);
  if (refusal && saysInternalError(refusal)) return unknown('server-error');
  if (httpStatus >= 400)
    return { kind: 'refused', error: refusalError('session', httpStatus, refusal, profile, redact), answer };
  if (value === undefined) return unknown('not-json');
  if (hasLink) {
    const link = checkLink(url, profile);
    return link.ok
      ? { kind: 'accepted', link: link.value, answer }
      : { kind: 'unknown', error: link.error, answer };
  }
  if (refusal && hasErrors(value))
    return { kind: 'refused', error: refusalError('session', httpStatus, refusal, profile, redact), answer };
  return unknown('other-shape');
};
