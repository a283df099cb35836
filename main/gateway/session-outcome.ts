import type { Profile } from '../../shared/settings/profile.ts';
import { checkLink } from './base-url.ts';
import type { Received } from './http-request.ts';
import { unusableAnswerError } from './failures.ts';
import type { SessionOutcome } from './gateway.ts';
import { decode, excerptOf } from './redact.ts';
import { isObject, readRefusal, refusalError } from './refusal.ts';

/** A response's JSON, or undefined if it is not JSON. */
export const jsonOf = (received: Received): unknown => {
  try {
    return JSON.parse(decode(received.body));
  } catch {
    return undefined;
  }
};

/** 4xx that do not prove that the request was read and refused: a timeout, or a closed connection. */
const undecided = [408, 425, 499];
/** Redirects that prove that the request was not processed; after 302 and 303 it may have been. */
const notCarriedOut = [301, 307, 308];

/**
 * The meaning of a response to a session request (§2.3, §4.1). The interface does not specify HTTP status codes. Only
 * a response that proves that no link exists is `refused`: a 4xx, and a 2xx with a refusal. After a 5xx, a page that
 * is not JSON or a response without a link the payment may be registered: `unknown`.
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
  if (httpStatus >= 500 || undecided.includes(httpStatus)) {
    return {
      kind: 'unknown',
      error: unusableAnswerError('session', 'server-error', received, endpoint),
      answer,
    };
  }
  const value = jsonOf(received);
  if (httpStatus >= 400) {
    const error = refusalError('session', httpStatus, readRefusal(value), profile, redact);
    return { kind: 'refused', error, answer };
  }
  if (value === undefined) {
    return { kind: 'unknown', error: unusableAnswerError('session', 'not-json', received, endpoint), answer };
  }
  const url = isObject(value) ? value['redirect_url'] : undefined;
  if (typeof url === 'string' && url !== '') {
    const link = checkLink(url, profile);
    return link.ok
      ? { kind: 'accepted', link: link.value, answer }
      : { kind: 'unknown', error: link.error, answer };
  }
  const refusal = readRefusal(value);
  if (refusal && isObject(value) && ('errors' in value || 'error_message' in value)) {
    return { kind: 'refused', error: refusalError('session', httpStatus, refusal, profile, redact), answer };
  }
  return {
    kind: 'unknown',
    error: unusableAnswerError('session', 'other-shape', received, endpoint),
    answer,
  };
};
