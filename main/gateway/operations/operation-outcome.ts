import type { OperationKind } from '../../../shared/operations/operation-kinds.ts';
import { msg, type Message } from '../../../shared/messages/message.ts';
import type { Profile } from '../../../shared/settings/profile.ts';
import { unusableAnswerError, type UnusableAnswer } from '../gateway-failures.ts';
import type { Received } from '../http-request.ts';
import type { OperationOutcome, PreparedOperation } from '../operation.ts';
import { decode, excerptOf } from '../redact-answer.ts';
import { isObject, readRefusal, refusalError, saysInternalError } from '../refusal.ts';
import { hasRepeatedNames } from '../repeated-names.ts';
import { notCarriedOut, undecided } from '../session-outcome.ts';
import { hasErrors, parseExactly } from '../status-answer.ts';
import { readOperationReport, subjectOf } from './operation-report.ts';

/** Refusals of this gateway family with a number that has one meaning. */
const knownCodes = ['208001', '208003', '208004', '208005', '208006', '208008', '208009'] as const;
const isUnderWay = /\bduplicate request\b|\bprevious payment (?:is )?not completed\b/i;

/** The texts of a refusal: an earlier request may have been carried out. */
const saysUnderWay = (value: unknown): boolean => {
  const refusal = readRefusal(value);
  const texts = [refusal?.message ?? '', ...(refusal?.problems ?? []).map(({ text }) => text)];
  return texts.some(text => isUnderWay.test(text));
};

/** Our sentence for a known refusal; null for another one. */
const sentenceFor = (value: unknown): Message | null => {
  if (!isObject(value)) return null;
  const items = [value, ...(Array.isArray(value['errors']) ? value['errors'].slice(0, 50) : [])];
  const codes = new Set(items.flatMap(item => (isObject(item) ? [String(item['error_code'])] : [])));
  const code = knownCodes.find(known => codes.has(known));
  return code === undefined ? null : msg(`gateway.operation.${code}`);
};

/**
 * The meaning of a response to an operation. Nothing specifies the HTTP statuses. Only a response that proves that
 * nothing happened is `refused`: a 4xx that names no other request, and a redirect that was not followed. After everything else that does not say
 * clearly what happened the operation may have been carried out: `unknown`, also after a 2xx with a refusal.
 */
export const operationOutcome = (
  received: Received,
  operation: OperationKind,
  profile: Profile,
  prepared: PreparedOperation,
  redact: (text: string) => string,
): OperationOutcome => {
  const { httpStatus } = received;
  const answer = excerptOf(received, redact);
  const unknown = (kind: UnusableAnswer): OperationOutcome => ({
    kind: 'unknown',
    error: unusableAnswerError('operation', kind, received, prepared.endpoint),
    answer,
  });
  if (httpStatus >= 300 && httpStatus < 400) {
    const error = unusableAnswerError('operation', 'redirected', received, prepared.endpoint);
    return { kind: notCarriedOut.includes(httpStatus) ? 'refused' : 'unknown', error, answer };
  }
  if (httpStatus >= 500 || undecided.includes(httpStatus)) return unknown('server-error');
  const value = parseExactly(received.body);
  const report = readOperationReport(value, operation, subjectOf(prepared.body), redact);
  const isClear = typeof report === 'object';
  if (httpStatus >= 400) {
    if (isClear && report.claim !== 'failed') return unknown('contradictory');
    const refusal = readRefusal(value);
    if (refusal && saysInternalError(refusal)) return unknown('server-error');
    const error = refusalError('operation', httpStatus, refusal, profile, redact);
    // An earlier one with the same content has arrived, perhaps this one by another way.
    if (httpStatus === 409 || saysUnderWay(value))
      return { kind: 'unknown', error: { ...error, hint: msg('gateway.operation.under-way') }, answer };
    const sentence = sentenceFor(value);
    return { kind: 'refused', error: sentence === null ? error : { ...error, hint: sentence }, answer };
  }
  if (value === undefined) return unknown('not-json');
  if (!isClear) return unknown(report);
  const isContradictory = report.claim !== 'failed' && hasErrors(value);
  return isContradictory || hasRepeatedNames(decode(received.body))
    ? unknown('contradictory')
    : { kind: 'answered', report, answer };
};
