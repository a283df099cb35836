import { maskCardNumbers } from '../../shared/card-number.ts';
import type { AppError, ErrorCode } from '../../shared/errors.ts';
import { joined, msg, type Message } from '../../shared/messages/message.ts';
import type { Profile } from '../../shared/settings/profile.ts';
import type { Failure, FailureReason, Received } from './http-request.ts';
import type { RequestType } from './refusal.ts';

/** Error texts for failed requests: the host, the meaning and what to do. Never a path, a query or a body. */

const tlsReason = (code: string | null): Message => {
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return msg('gateway.tls.expired');
    case 'CERT_NOT_YET_VALID':
      return msg('gateway.tls.not-yet-valid');
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
    case 'HOSTNAME_MISMATCH':
      return msg('gateway.tls.other-name');
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
      return msg('gateway.tls.untrusted-issuer');
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return msg('gateway.tls.unknown-issuer');
    case 'CERT_REVOKED':
      return msg('gateway.tls.revoked');
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'EPROTO':
      return msg('gateway.tls.not-spoken');
    case null:
      return msg('gateway.tls.failed');
    default:
      return msg('gateway.tls.failed.code', { code });
  }
};

const tlsHint = (code: string | null): Message =>
  code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID'
    ? msg('gateway.tls.date.hint')
    : msg('gateway.tls.hint');

/** The message with the system's error code, if there is one. */
const withCode = (
  key: 'gateway.unreachable' | 'gateway.proxy' | 'gateway.broken',
  host: string,
  code: string | null,
): Message => (code === null ? msg(key, { host }) : msg(`${key}.code`, { host, code }));

type FailureText = readonly [ErrorCode, message: Message, hint: Message];

const described = (
  { reason, code, received }: Failure,
  host: string,
  timeouts: Profile['timeouts'],
): FailureText => {
  const seconds = (milliseconds: number) => ({ host, seconds: milliseconds / 1000 });
  const later = msg('gateway.try-later');
  const texts: Record<FailureReason, FailureText> = {
    cancelled: ['gateway.cancelled', msg('error.gateway.cancelled'), msg('gateway.cancelled.hint')],
    'unknown-name': [
      'gateway.unreachable',
      msg('gateway.unknown-name', { host }),
      msg('gateway.unknown-name.hint'),
    ],
    unreachable: [
      'gateway.unreachable',
      withCode('gateway.unreachable', host, code),
      msg('gateway.unreachable.hint'),
    ],
    proxy: ['gateway.unreachable', withCode('gateway.proxy', host, code), msg('gateway.proxy.hint')],
    'proxy-sign-in': [
      'gateway.unreachable',
      msg('gateway.proxy-sign-in', { host }),
      msg('gateway.proxy-sign-in.hint'),
    ],
    tls: ['gateway.tls', msg('gateway.tls', { host, reason: tlsReason(code) }), tlsHint(code)],
    'connect-timeout': [
      'gateway.unreachable',
      msg('gateway.connect-timeout', seconds(timeouts.connect)),
      msg('gateway.connect-timeout.hint'),
    ],
    'headers-timeout': ['gateway.timeout', msg('gateway.headers-timeout', seconds(timeouts.headers)), later],
    'body-timeout': ['gateway.timeout', msg('gateway.body-timeout', seconds(timeouts.body)), later],
    'too-large': ['gateway.too-large', msg('gateway.too-large', { host }), msg('gateway.may-be-web-page')],
    'not-http': ['gateway.broken', msg('gateway.not-http', { host }), msg('gateway.may-be-web-page')],
    broken: [
      'gateway.broken',
      received === null ? withCode('gateway.broken', host, code) : msg('gateway.broken.partial', { host }),
      later,
    ],
  };
  return texts[reason];
};

/** After a request that may have been carried out: to check first. */
const checkFirst: Readonly<Record<RequestType, Message | null>> = {
  session: msg('gateway.check-first'),
  operation: msg('gateway.operation.check-first'),
  status: null,
};

/**
 * The error for a request without a complete response. If a session request or an operation may have arrived, the hint
 * says to check the status first.
 */
export const failureError = (
  requestType: RequestType,
  failure: Failure,
  host: string,
  timeouts: Profile['timeouts'],
): AppError => {
  const [code, message, hint] = described(failure, host, timeouts);
  return {
    code,
    message,
    hint: failure.sent ? (checkFirst[requestType] ?? hint) : hint,
    details: { host },
  };
};

/** A complete response without a usable result: HTTP statuses and error bodies are not specified (§4, §7). */
export type UnusableAnswer = 'redirected' | 'server-error' | 'not-json' | 'other-shape' | 'contradictory';

/** The error for such a response; of a redirect's target only the host is named. */
export const unusableAnswerError = (
  requestType: RequestType,
  kind: UnusableAnswer,
  { httpStatus, contentType, location }: Received,
  endpoint: string,
): AppError => {
  const host = URL.parse(endpoint)?.host ?? '';
  const target = location === null ? null : URL.parse(location, endpoint);
  const targetHost = target && maskCardNumbers(target.host);
  const status = httpStatus;
  const texts: Record<UnusableAnswer, readonly [message: Message, hint: Message]> = {
    redirected: [
      target === null
        ? msg('gateway.redirected', { host, status })
        : msg('gateway.redirected.target', { host, status, target: `${target.protocol}//${targetHost}` }),
      msg('gateway.redirected.hint'),
    ],
    'server-error': [msg('gateway.server-error', { status }), msg('gateway.server-error.hint')],
    'not-json': [msg('gateway.not-json', { status }), msg('gateway.may-be-web-page')],
    'other-shape': [msg('gateway.other-shape', { status }), msg('gateway.other-shape.hint')],
    contradictory: [msg('gateway.contradictory', { status }), msg('gateway.other-shape.hint')],
  };
  const [message, hint] = texts[kind];
  const first = checkFirst[requestType];
  return {
    code: kind === 'contradictory' ? 'gateway.other-shape' : `gateway.${kind}`,
    message,
    hint: first !== null && kind !== 'redirected' ? joined(first, hint) : hint,
    details: {
      host,
      httpStatus,
      contentType,
      ...(kind === 'redirected' ? { target: targetHost } : {}),
    },
  };
};
