import type { Profile } from '../../shared/settings/profile.ts';
import { checkBaseUrl } from './base-url.ts';
import { checkConnection } from './connection/connection-check.ts';
import { createDispatchers, type DispatcherOptions } from './dispatcher.ts';
import { sendHttp, type HttpOutcome, type HttpRequest } from './http-request.ts';
import { failureError } from './gateway-failures.ts';
import type { Gateway } from './gateway.ts';
import { realRetry, retried, statusOutcome, type RetryOptions } from './look-up.ts';
import { operationOutcome } from './operations/operation-outcome.ts';
import { operationRedactor, prepareOperation } from './operations/operation-request.ts';
import { probeOperation } from './operations/probe-operation.ts';
import { excerptOf, redactor } from './redact-answer.ts';
import { sessionOutcome } from './session-outcome.ts';
import { prepareSession, secretsOf } from './session-request.ts';
import { statusRequest } from './status-request.ts';

export type GatewayOptions = DispatcherOptions & {
  /** Milliseconds since 1970. */
  clock: () => number;
  /** Delays between the attempts of a look-up. */
  retry?: RetryOptions;
};

/** Time limit for requests in flight when the gateway's client is closed. */
const closeGraceMs = 2_000;

/** The gateway's client (§4): one per console, for all profiles. See docs/integrate/gateway.md. */
export const createGateway = (options: GatewayOptions): Gateway => {
  const { clock, retry = realRetry } = options;
  const dispatchers = createDispatchers(options);

  const send = async (
    profile: Profile,
    httpRequest: HttpRequest,
    signal?: AbortSignal,
  ): Promise<HttpOutcome> => {
    const dispatcherResult = await dispatchers.of(profile);
    if (!dispatcherResult.ok)
      return {
        kind: 'failed',
        sent: false,
        reason: 'proxy',
        code: dispatcherResult.route.proxy,
        received: null,
      };
    const { headers: headersMs, body: bodyMs } = profile.timeouts;
    return sendHttp(dispatcherResult.dispatcher, httpRequest, { headersMs, bodyMs }, signal);
  };

  /** Exactly the request that was recorded. */
  const requestOf = ({ endpoint, body }: { endpoint: string; body: string }): HttpRequest => {
    const { origin, pathname } = new URL(endpoint);
    return { origin, path: pathname, method: 'POST', body };
  };

  const sendOperation: Gateway['sendOperation'] = async (profile, prepared, operation, signal) => {
    const base = checkBaseUrl(profile);
    if (!base.ok) return { kind: 'not-sent', error: base.error };
    const sent = await send(profile, requestOf(prepared), signal);
    const redact = operationRedactor(prepared);
    if (sent.kind === 'answered')
      return operationOutcome(sent.received, operation, profile, prepared, redact);
    const error = failureError('operation', sent, new URL(prepared.endpoint).host, profile.timeouts);
    if (!sent.sent) return { kind: 'not-sent', error };
    return { kind: 'unknown', error, answer: sent.received && excerptOf(sent.received, redact) };
  };

  return {
    prepareSession,

    sendSession: async (profile, prepared, signal) => {
      const base = checkBaseUrl(profile);
      if (!base.ok) return { kind: 'not-sent', error: base.error };
      const { host } = new URL(prepared.endpoint);
      const httpRequest = requestOf(prepared);
      const sent = await send(profile, httpRequest, signal);
      const redact = redactor(secretsOf(prepared));
      if (sent.kind === 'answered') return sessionOutcome(sent.received, profile, prepared.endpoint, redact);
      const error = failureError('session', sent, host, profile.timeouts);
      if (!sent.sent) return { kind: 'not-sent', error };
      return { kind: 'unknown', error, answer: sent.received && excerptOf(sent.received, redact) };
    },

    lookUp: async (profile, password, key, signal) => {
      const base = checkBaseUrl(profile);
      if (!base.ok) return { kind: 'failed', error: base.error, answer: null };
      const { httpRequest, hash } = statusRequest(profile, base.value, password, key);
      const got = await retried(() => send(profile, httpRequest, signal), retry, signal);
      const redact = redactor([password, hash]);
      if (got.kind === 'answered') return statusOutcome(got.received, profile, base.value, redact);
      return {
        kind: 'failed',
        error: failureError('status', got, new URL(base.value).host, profile.timeouts),
        answer: got.received && excerptOf(got.received, redact),
      };
    },

    prepareOperation,
    sendOperation,
    probeOperation: (profile, password) =>
      probeOperation(request =>
        sendOperation(profile, prepareOperation(profile, password, request), request.operation),
      ),

    check: (profile, password, known, makeLink) =>
      checkConnection(profile, password, known, makeLink, dispatchers, clock),

    close: () => dispatchers.close(closeGraceMs),
  };
};
