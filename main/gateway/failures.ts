import type { AppError, ErrorCode } from '../../shared/errors.ts';
import type { Profile } from '../../shared/settings/profile.ts';
import type { Failure, FailureReason, Received } from './http-request.ts';

/** Error texts for failed requests: the host, the meaning and what to do. Never a path, a query or a body. */

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
      return 'its certificate is from an issuer that this computer does not trust';
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return "its certificate's issuer is unknown to this computer";
    case 'CERT_REVOKED':
      return 'its certificate was revoked';
    default:
      return code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'EPROTO'
        ? 'it does not use TLS at this address'
        : `the secure connection failed (${code ?? 'no reason given'})`;
  }
};

const tlsHint = (code: string | null): string =>
  code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID'
    ? 'Check the date of this computer. If it is correct, ask your provider to renew its certificate.'
    : 'Check the API address. If a company proxy inspects traffic, ask your IT team to add its certificate to this system. The check is never skipped.';

const seconds = (milliseconds: number): string => `${milliseconds / 1000} s`;

type FailureText = readonly [ErrorCode, message: string, hint: string];

const described = ({ reason, code }: Failure, host: string, timeouts: Profile['timeouts']): FailureText => {
  const by = code === null ? '' : ` (${code})`;
  const later = 'Try again in a minute.';
  const words: Record<FailureReason, FailureText> = {
    cancelled: ['gateway.cancelled', 'The request was cancelled.', 'Send it again when you are ready.'],
    'unknown-name': [
      'gateway.unreachable',
      `The host ${host} was not found.`,
      'Check the API address in the profile and the network connection of this computer.',
    ],
    unreachable: [
      'gateway.unreachable',
      `${host} cannot be reached${by}.`,
      'Check the network connection of this computer, then run the connection check in Settings.',
    ],
    proxy: [
      'gateway.unreachable',
      `The proxy does not allow requests to ${host}${by}.`,
      'Ask your IT team to allow this host through an HTTP proxy. Proxies with a sign-in are not supported.',
    ],
    'proxy-sign-in': [
      'gateway.unreachable',
      `The proxy for ${host} requires a sign-in (HTTP 407).`,
      'Ask your IT team to allow this host without a sign-in, or for a local proxy that signs in for this computer. Counterfoil does not send a Windows or proxy sign-in.',
    ],
    tls: ['gateway.tls', `${host} is not trusted: ${tlsMeaning(code)}.`, tlsHint(code)],
    'connect-timeout': [
      'gateway.unreachable',
      `${host} did not accept the connection within ${seconds(timeouts.connect)}.`,
      'Check the network connection of this computer. A firewall may block it.',
    ],
    'headers-timeout': [
      'gateway.timeout',
      `${host} did not respond within ${seconds(timeouts.headers)}.`,
      later,
    ],
    'body-timeout': [
      'gateway.timeout',
      `${host} started to respond but did not finish within ${seconds(timeouts.body)}.`,
      later,
    ],
    'too-large': [
      'gateway.too-large',
      `The response from ${host} is too large.`,
      'Check the API address. It may lead to a web page.',
    ],
    broken: ['gateway.unreachable', `The connection to ${host} was lost before the response${by}.`, later],
  };
  return words[reason];
};

const lookFirst = 'The payment may have been created. Check the status before you create another link.';

/**
 * The error for a request without a complete response. If a session request may have arrived, the hint says to check
 * its status first.
 */
export const failureError = (
  asked: 'session' | 'status',
  failure: Failure,
  host: string,
  timeouts: Profile['timeouts'],
): AppError => {
  const [code, message, hint] = described(failure, host, timeouts);
  return { code, message, hint: asked === 'session' && failure.sent ? lookFirst : hint, details: { host } };
};

/** A complete response without a usable result: HTTP statuses and error bodies are not specified (§4, §7). */
export type Nonanswer = 'redirected' | 'server-error' | 'not-json' | 'other-shape';

/** The error for such a response; of a redirect's target only the host is named. */
export const answerError = (
  asked: 'session' | 'status',
  kind: Nonanswer,
  { httpStatus, contentType, location }: Received,
  endpoint: string,
): AppError => {
  const host = URL.parse(endpoint)?.host ?? '';
  const target = location === null ? null : URL.parse(location, endpoint);
  const elsewhere = target === null ? 'to another address' : `to ${target.protocol}//${target.host}`;
  const words: Record<Nonanswer, readonly [message: string, hint: string]> = {
    redirected: [
      `${host} redirects ${elsewhere} (HTTP ${httpStatus}). Requests are not forwarded.`,
      'Check the API address in the profile. It may lack https:// or use an old host.',
    ],
    'server-error': [
      `Your provider had an error (HTTP ${httpStatus}).`,
      'Try again in a minute. If it happens again, ask your provider.',
    ],
    'not-json': [
      `Your provider sent a response that is not JSON (HTTP ${httpStatus}).`,
      'Check the API address. It may lead to a web page.',
    ],
    'other-shape': [
      `The response from your provider is incomplete (HTTP ${httpStatus}).`,
      'The response is saved. Show it to your provider.',
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
