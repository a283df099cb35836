import type { AppError, ErrorCode } from '../../shared/errors.ts';
import type { Profile } from '../../shared/settings/profile.ts';
import type { Failure, FailureReason, Received } from './http-request.ts';

/** What went wrong on the way, in words: which host, what it means, what to do. Never a path, a query or a body. */

const tlsMeaning = (code: string | null): string => {
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return 'its certificate has expired';
    case 'CERT_NOT_YET_VALID':
      return 'its certificate is not valid yet';
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
    case 'HOSTNAME_MISMATCH':
      return 'its certificate belongs to another name';
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
      return 'its certificate is signed by nobody this PC trusts';
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return "its certificate's issuer is unknown to this PC";
    case 'CERT_REVOKED':
      return 'its certificate was revoked';
    default:
      return code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'EPROTO'
        ? 'it does not speak TLS at this address'
        : `the secure connection failed (${code ?? 'no reason given'})`;
  }
};

const tlsHint = (code: string | null): string =>
  code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID'
    ? "Check this PC's date; if it is right, the gateway must renew its certificate."
    : "Check the base address. If a company proxy inspects traffic, have IT add its certificate to this system's store. The check is never skipped.";

const seconds = (milliseconds: number): string => `${milliseconds / 1000} s`;

type FailureText = readonly [ErrorCode, message: string, hint: string];

const described = ({ reason, code }: Failure, host: string, timeouts: Profile['timeouts']): FailureText => {
  const by = code === null ? '' : ` (${code})`;
  const later = 'Try again in a minute.';
  const words: Record<FailureReason, FailureText> = {
    cancelled: ['gateway.cancelled', 'The request was cancelled.', 'Send it again when you want to.'],
    'unknown-name': [
      'gateway.unreachable',
      `There is no computer named ${host}.`,
      'Check the base address in the profile, and whether this PC is on the network.',
    ],
    unreachable: [
      'gateway.unreachable',
      `${host} cannot be reached${by}.`,
      'Check the network of this PC; the connection check in the settings says where it stops.',
    ],
    proxy: [
      'gateway.unreachable',
      `The proxy does not let requests through to ${host}${by}.`,
      'Ask IT to allow this host through an HTTP proxy; proxies that want a sign-in are not supported.',
    ],
    'proxy-sign-in': [
      'gateway.unreachable',
      `The proxy on the way to ${host} wants a sign-in (HTTP 407).`,
      'Ask IT to let this host through without one, or for a local proxy that signs in for this PC: Counterfoil sends no Windows or proxy sign-in.',
    ],
    tls: ['gateway.tls', `${host} is not trusted: ${tlsMeaning(code)}.`, tlsHint(code)],
    'connect-timeout': [
      'gateway.unreachable',
      `${host} did not take the connection within ${seconds(timeouts.connect)}.`,
      'Check the network of this PC; a firewall may be in the way.',
    ],
    'headers-timeout': [
      'gateway.timeout',
      `${host} did not answer within ${seconds(timeouts.headers)}.`,
      later,
    ],
    'body-timeout': [
      'gateway.timeout',
      `${host} began to answer and did not finish within ${seconds(timeouts.body)}.`,
      later,
    ],
    'too-large': [
      'gateway.too-large',
      `${host} answered with more than a gateway would.`,
      'Check the base address: it may lead to a web page.',
    ],
    broken: ['gateway.unreachable', `The connection to ${host} broke before the answer${by}.`, later],
  };
  return words[reason];
};

const lookFirst =
  'The payment may have been registered all the same: look it up before raising another link.';

/** The error for a request that got no whole answer; for a session that may have arrived the hint says to look first. */
export const failureError = (
  asked: 'session' | 'status',
  failure: Failure,
  host: string,
  timeouts: Profile['timeouts'],
): AppError => {
  const [code, message, hint] = described(failure, host, timeouts);
  return { code, message, hint: asked === 'session' && failure.sent ? lookFirst : hint, details: { host } };
};

/** An answer that came whole and is still none: HTTP statuses and error bodies are not shown (§4, §7). */
export type Nonanswer = 'redirected' | 'server-error' | 'not-json' | 'other-shape';

/** The error for such an answer; a redirect's target is named by its host alone. */
export const answerError = (
  asked: 'session' | 'status',
  kind: Nonanswer,
  { httpStatus, contentType, location }: Received,
  endpoint: string,
): AppError => {
  const host = URL.parse(endpoint)?.host ?? '';
  const target = location === null ? null : URL.parse(location, endpoint);
  const elsewhere = target === null ? 'elsewhere' : `to ${target.protocol}//${target.host}`;
  const words: Record<Nonanswer, readonly [message: string, hint: string]> = {
    redirected: [
      `${host} redirects ${elsewhere} (HTTP ${httpStatus}); requests are not sent on.`,
      'Check the base address in the profile: it may lack https:// or name an old host.',
    ],
    'server-error': [
      `The gateway has a fault of its own (HTTP ${httpStatus}).`,
      'Try again in a minute; if it stays, ask the gateway.',
    ],
    'not-json': [
      `The gateway answered (HTTP ${httpStatus}) with something that is no JSON.`,
      'Check the base address: it may lead to a web page.',
    ],
    'other-shape': [
      `The gateway answered (HTTP ${httpStatus}) without what the interface promises.`,
      'The answer is kept as evidence; show it to the gateway.',
    ],
  };
  const [message, hint] = words[kind];
  return {
    code: `gateway.${kind}`,
    message,
    hint: asked === 'session' && kind !== 'redirected' ? `${lookFirst} ${hint}` : hint,
    details: {
      host,
      httpStatus,
      contentType,
      ...(kind === 'redirected' ? { target: target?.host ?? null } : {}),
    },
  };
};
