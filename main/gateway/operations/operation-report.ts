import { maskCardNumbers } from '../../../shared/card-number.ts';
import { hasAmount, operationTable, type OperationKind } from '../../../shared/operations/operation-kinds.ts';
import type { OperationReport } from '../gateway.ts';
import { quotable } from '../redact-answer.ts';
import { isObject } from '../refusal.ts';

/** Reads what a response says about an operation, in each of the variants that public clients and documents show. */

/** The names that carry a verdict; `result` says only whether the request was accepted. */
const verdictNames = ['status', 'payment_status', 'trans_status'] as const;
const failed = new Set(['fail', 'failed', 'decline', 'declined']);
/** The gateway does not know the outcome. */
const undecided = new Set(['undefined']);

type Claim = OperationReport['claim'];
/** `other-shape`: the response says nothing that is known; `contradictory`: it says several things. */
type Unclear = 'other-shape' | 'contradictory';

const wordsOf = (value: Readonly<Record<string, unknown>>, names: readonly string[]): string[] =>
  names.flatMap(name => {
    const word = value[name];
    if (word === undefined || word === null || word === '') return [];
    return [typeof word === 'string' ? word.trim().toLowerCase() : JSON.stringify(word)];
  });

const claimOf = (value: Readonly<Record<string, unknown>>, operation: OperationKind): Claim | Unclear => {
  const words = wordsOf(value, verdictNames);
  const [result = null] = wordsOf(value, ['result']);
  const hasFailed = words.some(word => failed.has(word)) || (result !== null && failed.has(result));
  if (words.some(word => undecided.has(word)) || result === 'undefined') return 'other-shape';
  const { doneWords } = operationTable[operation];
  if (doneWords.length === 0) {
    if (result !== 'accepted') return 'other-shape';
    return hasFailed ? 'contradictory' : 'accepted';
  }
  const isDone = words.some(word => doneWords.includes(word));
  const isCharge = hasAmount(operation, 'order');
  const isPending = isCharge && words.includes('pending');
  const others = words.filter(
    word => !doneWords.includes(word) && !failed.has(word) && !(isPending && word === 'pending'),
  );
  if ([isDone, hasFailed, isPending].filter(Boolean).length > 1) return 'contradictory';
  // A failure is beside the status that the payment kept.
  if (hasFailed) return 'failed';
  if (isDone || isPending) {
    if (others.length > 0) return 'contradictory';
    if (isPending) return 'pending';
    // A charge is done only if its payment is settled; the success of a request alone is not that.
    return isCharge && !words.includes('settled') ? 'other-shape' : 'done';
  }
  return 'other-shape';
};

/** Length limit of an id, characters. */
const maxIdLength = 255;

const textOf = (value: unknown, redact: (text: string) => string): string | null =>
  typeof value === 'string' && value.trim() !== '' ? quotable(value, redact) : null;

/** An id as received: its digits are no card number. Null if it contains a secret of the request. */
const idOf = (value: unknown, redact: (text: string) => string): string | null =>
  typeof value === 'string' &&
  value !== '' &&
  value.length <= maxIdLength &&
  redact(value) === maskCardNumbers(value)
    ? value
    : null;

/** Whether a response names something other than the subject of the request. */
const isOther = (named: unknown, subject: string): boolean =>
  named !== undefined &&
  named !== null &&
  (typeof named !== 'string' || named.trim().toLowerCase() !== subject.trim().toLowerCase());

/** The payment or order of a request, as far as its bytes name one. */
export const subjectOf = (body: string): { paymentId: string | null; orderNumber: string | null } => {
  const value: unknown = JSON.parse(body);
  const fields = isObject(value) ? value : {};
  const order = isObject(fields['order']) ? fields['order'] : {};
  const text = (field: unknown): string | null => (typeof field === 'string' ? field : null);
  return { paymentId: text(fields['payment_id']), orderNumber: text(order['number']) };
};

/**
 * Reads a response's JSON, case-blind. `subject`: what the request was about; a response about something else
 * contradicts it. Returns why it cannot be used if it does not say one thing clearly.
 */
export const readOperationReport = (
  value: unknown,
  operation: OperationKind,
  subject: ReturnType<typeof subjectOf>,
  redact: (text: string) => string,
): OperationReport | Unclear => {
  if (!isObject(value)) return 'other-shape';
  const claim = claimOf(value, operation);
  if (claim === 'other-shape' || claim === 'contradictory') return claim;
  const id = value['payment_id'];
  const number = isObject(value['order']) ? value['order']['number'] : null;
  const isOtherPayment = subject.paymentId !== null && isOther(id, subject.paymentId);
  const isOtherOrder = subject.orderNumber !== null && isOther(number, subject.orderNumber);
  if (isOtherPayment || isOtherOrder) return 'contradictory';
  return {
    claim,
    paymentId: idOf(id, redact),
    status:
      textOf(value['payment_status'], redact) ??
      textOf(value['status'], redact) ??
      textOf(value['trans_status'], redact),
    reason: textOf(value['reason'], redact),
  };
};
