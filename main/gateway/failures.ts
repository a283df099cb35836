import type { DeskError, ErrorCode } from '../../shared/errors.ts';
import type { Profile } from '../../shared/profile.ts';
import type { Failure, Received } from './exchange.ts';

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

const described = (
  failure: Failure,
  host: string,
  timeouts: Profile['timeouts'],
): [ErrorCode, string, string] => {
  switch (failure.reason) {
    case 'cancelled':
      return ['gateway.cancelled', 'The request was cancelled.', 'Send it again when you want to.'];
    case 'unknown-name':
      return [
        'gateway.unreachable',
        `There is no computer named ${host}.`,
        'Check the base address in the profile, and whether this PC is on the network.',
      ];
    case 'unreachable':
      return [
        'gateway.unreachable',
        `${host} cannot be reached${failure.code === null ? '' : ` (${failure.code})`}.`,
        'Check the network of this PC; the connection check in the settings says where it stops.',
      ];
    case 'proxy':
      return [
        'gateway.unreachable',
        `The proxy does not let requests through to ${host}.`,
        'Ask IT to allow this host; proxies that want a sign-in are not supported.',
      ];
    case 'tls':
      return ['gateway.tls', `${host} is not trusted: ${tlsMeaning(failure.code)}.`, tlsHint(failure.code)];
    case 'connect-timeout':
      return [
        'gateway.unreachable',
        `${host} did not take the connection within ${seconds(timeouts.connect)}.`,
        'Check the network of this PC; a firewall may be in the way.',
      ];
    case 'headers-timeout':
      return [
        'gateway.timeout',
        `${host} did not answer within ${seconds(timeouts.headers)}.`,
        'Try again in a minute.',
      ];
    case 'body-timeout':
      return [
        'gateway.timeout',
        `${host} began to answer and did not finish within ${seconds(timeouts.body)}.`,
        'Try again in a minute.',
      ];
    case 'too-large':
      return [
        'gateway.too-large',
        `${host} answered with more than a gateway would.`,
        'Check the base address: it may lead to a web page.',
      ];
    case 'broken':
      return [
        'gateway.unreachable',
        `The connection to ${host} broke before the answer${failure.code === null ? '' : ` (${failure.code})`}.`,
        'Try again in a minute.',
      ];
  }
};

const lookFirst =
  'The payment may have been registered all the same: look it up before raising another link.';

/** The error for a request that got no whole answer; for a session that may have arrived the hint says to look first. */
export const failureError = (
  asked: 'session' | 'status',
  failure: Failure,
  host: string,
  timeouts: Profile['timeouts'],
): DeskError => {
  const [code, message, hint] = described(failure, host, timeouts);
  return { code, message, hint: asked === 'session' && failure.sent ? lookFirst : hint, details: { host } };
};

/** Errors for answers that are whole and still no answer (§4: their form is not shown). */
export const answerError = (
  asked: 'session' | 'status',
  kind: 'redirected' | 'server-error' | 'not-json' | 'other-shape',
  received: Received,
  endpoint: string,
): DeskError => {
  const host = URL.parse(endpoint)?.host ?? '';
  const details = { host, httpStatus: received.httpStatus };
  const hint = (otherwise: string): string => (asked === 'session' ? `${lookFirst} ${otherwise}` : otherwise);
  switch (kind) {
    case 'redirected': {
      const target = received.location === null ? null : URL.parse(received.location, endpoint);
      const elsewhere = target === null ? 'elsewhere' : `to ${target.protocol}//${target.host}`;
      return {
        code: 'gateway.redirected',
        message: `${host} redirects ${elsewhere} (HTTP ${received.httpStatus}); requests are not sent on.`,
        hint: 'Check the base address in the profile: it may lack https:// or name an old host.',
        details: { ...details, target: target?.host ?? null },
      };
    }
    case 'server-error':
      return {
        code: 'gateway.server-error',
        message: `The gateway has a fault of its own (HTTP ${received.httpStatus}).`,
        hint: hint('Try again in a minute; if it stays, ask the gateway.'),
        details,
      };
    case 'not-json':
      return {
        code: 'gateway.not-json',
        message: `The gateway answered (HTTP ${received.httpStatus}) with something that is no JSON.`,
        hint: hint('Check the base address: it may lead to a web page.'),
        details: { ...details, contentType: received.contentType },
      };
    case 'other-shape':
      return {
        code: 'gateway.other-shape',
        message: `The gateway answered (HTTP ${received.httpStatus}) without what the interface promises.`,
        hint: hint('The answer is kept as evidence; show it to the gateway.'),
        details,
      };
  }
};
