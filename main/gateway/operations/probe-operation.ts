import { randomUUID } from 'node:crypto';
import type { OperationOutcome, OperationProbe, OperationRequest } from '../operation.ts';
import { isObject, readRefusal, saysNoPayment } from '../refusal.ts';

/** A void of a payment that does not exist: it can change nothing. */
const madeUpVoid = (): OperationRequest => ({ operation: 'void', paymentId: randomUUID() });

const jsonIn = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};

/** The codes of a refusal in the form of this family, which a web server does not have. */
const hasCode = (value: unknown): boolean =>
  isObject(value) && (value['error_code'] !== undefined || Array.isArray(value['errors']));

/**
 * Whether the outcome of such a void shows that the gateway has the operation. HTTP 404 without a refusal in the form
 * of the family: it has not. 405 and 501 prove neither.
 */
const readProbeOutcome = (outcome: OperationOutcome): OperationProbe => {
  if (outcome.kind === 'not-sent') return { exists: 'unknown', answer: null, error: outcome.error };
  const { answer } = outcome;
  const error = outcome.kind === 'answered' ? null : outcome.error;
  if (outcome.kind === 'answered') return { exists: 'yes', answer, error };
  if (answer === null) return { exists: 'unknown', answer, error };
  const httpStatus = answer.httpStatus ?? 0;
  const value = jsonIn(answer.body);
  const refusal = readRefusal(value);
  if (httpStatus === 404) {
    const isRead = refusal !== null && (hasCode(value) || saysNoPayment(refusal));
    return isRead ? { exists: 'yes', answer, error: null } : { exists: 'no', answer, error: null };
  }
  // A proxy or a firewall answers 403 and 429 with a message too.
  const isRead = hasCode(value) || (refusal !== null && [400, 401, 422].includes(httpStatus));
  return httpStatus < 500 && httpStatus !== 405 && isRead
    ? { exists: 'yes', answer, error: null }
    : { exists: 'unknown', answer, error };
};

/** Sends the probe with `send`; see `readProbeOutcome`. */
export const probeOperation = async (
  send: (request: OperationRequest) => Promise<OperationOutcome>,
): Promise<OperationProbe> => readProbeOutcome(await send(madeUpVoid()));
