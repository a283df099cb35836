import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { SandboxFault } from '../../shared/contract/contract.ts';
import { gatewayDate } from './callback.ts';
import { failAfter, failBefore, refusal, type Answer } from './faults.ts';
import { parseJson, readBody, write } from './http.ts';
import { operationKinds, type OperationKind } from '../../shared/operations/operation-kinds.ts';
import type { Operations } from './operations-endpoint.ts';
import { hashNotValid, validateSession, validateStatus, type Merchant } from './requests.ts';
import type { FoundAttempt, SandboxPayments, Session } from './sandbox-payments.ts';

/** The endpoints that a merchant's server calls: sessions, look-ups and operations. */

const sessionPath = /^\/api\/v1\/sessions?\/?$/;
const paymentPath = /^\/api\/v1\/payment\/(\w+)\/?$/;

export type Endpoint = 'session' | 'status' | OperationKind;

/** The endpoint at a path; null if there is none. */
export const endpointAt = (path: string): Endpoint | null => {
  if (sessionPath.test(path)) return 'session';
  const [, name] = paymentPath.exec(path) ?? [];
  return name === 'status' ? 'status' : (operationKinds.find(operation => operation === name) ?? null);
};

export type EndpointsOptions = {
  payments: SandboxPayments;
  merchant: Merchant;
  operations: Operations;
  faults: () => readonly SandboxFault[];
  /** Says that a payment does not exist, in place of a wrong signature. */
  namesUnknownPayment: boolean;
  clock: () => number;
  /** Delay of a response with the fault `delay`, milliseconds. */
  faultDelayMs: number;
  closing: AbortSignal;
  /** The payment page's address, by the link's secret part. */
  linkTo: (token: string) => string;
  /** Called when the response with a new link has left. */
  onLink: (session: Session) => void;
};

/** Answers the requests of `endpointAt`, with the selected faults. */
export const createEndpoints = (options: EndpointsOptions) => {
  const { payments, merchant } = options;

  /** §4.1. The link is returned, then its `redirect` callback is sent. */
  const answerSession = (body: unknown): { answer: Answer; session: Session | null } => {
    const checked = validateSession(body, merchant);
    if (!checked.ok) return { answer: refusal(checked.problems), session: null };
    const session = payments.register(checked.value, options.clock());
    return { answer: { status: 200, json: { redirect_url: options.linkTo(session.token) } }, session };
  };

  const statusOf = ({ session, attempt }: FoundAttempt) => {
    const { number, amount, currency, description } = session.request.order;
    return {
      payment_id: attempt.paymentId,
      date: gatewayDate(attempt.startedAt),
      status: attempt.status,
      ...(attempt.status === 'decline' ? { reason: attempt.reason } : {}),
      order: { number, amount, currency, description },
      customer: { name: session.customer.name, email: session.customer.email },
    };
  };

  /** §4.2, §2.5. */
  const answerStatus = (body: unknown): Answer => {
    const checked = validateStatus(body, merchant);
    if (!checked.ok) return refusal(checked.problems);
    const found = payments.find(checked.value);
    if (!found) return refusal([options.namesUnknownPayment ? 'Payment not found.' : hashNotValid]);
    const { value, size } = checked.value;
    return {
      status: 200,
      json: size === null ? statusOf(found) : payments.attemptsOf(value).slice(0, size).map(statusOf),
    };
  };

  const answerOf = (endpoint: Endpoint, fields: unknown): { answer: Answer; session: Session | null } => {
    if (fields === undefined) return { answer: refusal(['Request body is not valid JSON.']), session: null };
    if (endpoint === 'session') return answerSession(fields);
    const answer = endpoint === 'status' ? answerStatus(fields) : options.operations.answer(endpoint, fields);
    return { answer, session: null };
  };

  /** §4. A response that is delayed, dropped or wrong belongs to a request that was processed. */
  return async (
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
    endpoint: Endpoint,
  ): Promise<void> => {
    const body = await readBody(request);
    if (body.kind === 'broken') return;
    if (body.kind === 'too-large') {
      write(request, response, refusal(['Request body is too large.'], 413));
      return;
    }
    const fields =
      endpoint === 'status' && body.text === '' ? Object.fromEntries(url.searchParams) : parseJson(body.text);
    const today = options.faults();
    const before = failBefore(today);
    const checked = before === null ? answerOf(endpoint, fields) : { answer: before, session: null };
    if (today.includes('delay'))
      await wait(options.faultDelayMs, undefined, { signal: options.closing, ref: false }).catch(
        () => undefined,
      );
    const { session } = checked;
    if (session) response.once('close', () => options.onLink(session));
    // A status check still returns the result, as it does after a lost connection.
    if (today.includes('drop') && endpoint !== 'status') {
      request.socket.destroy();
      return;
    }
    write(request, response, before ?? failAfter(today, checked.answer, session && `/pay/${session.token}`));
  };
};
