import { hasAmount } from '../../shared/operations/operation-kinds.ts';
import type { EventBody, EventDraft } from '../../shared/payments/evidence.ts';
import { callback, draft, order, payer } from './evidence.ts';

/** Evidence of operations on the payment of `evidence.ts`, created like the console's. */

export const intent = '6a1f0d52-58a7-4a0c-9f3c-3b4a55b2f101';

export const operationRequested = (
  at: number,
  body: Partial<EventBody<'operation.requested'>> = {},
  frame: { paymentId?: string | null; orderNumber?: string; agent?: string } = {},
): EventDraft => {
  const operation = body.operation ?? 'refund';
  return draft(
    'operation.requested',
    at,
    {
      intent,
      operation,
      amount: hasAmount(operation, 'none') ? null : order.amount,
      currency: order.currency,
      reason: 'returned-goods',
      text: '',
      agentId: 'ada',
      approvedBy: null,
      approvedById: null,
      endpoint: `https://pay.example/api/v1/payment/${operation}`,
      request: JSON.stringify({ merchant_key: 'key', payment_id: payer, hash: '•••' }),
      ...body,
    },
    { paymentId: payer, ...frame },
  );
};

export const operationAnswered = (
  at: number,
  report: Partial<EventBody<'operation.answered'>['report']> = {},
  of = intent,
): EventDraft =>
  draft('operation.answered', at, {
    intent: of,
    report: { claim: 'accepted', paymentId: payer, status: null, reason: null, ...report },
    answer: {
      httpStatus: 200,
      contentType: 'application/json',
      body: JSON.stringify({ payment_id: payer, result: 'accepted' }),
      truncated: false,
    },
  });

export const operationRefused = (at: number, sent = true, of = intent): EventDraft =>
  draft('operation.refused', at, {
    intent: of,
    sent,
    code: 'gateway.refused',
    message: 'Your provider rejected the request.',
    answer: null,
  });

export const operationUnanswered = (at: number, of = intent): EventDraft =>
  draft('operation.unanswered', at, {
    intent: of,
    code: 'gateway.timeout',
    message: 'Your provider did not respond in time.',
    answer: null,
  });

/** The callback of an operation: it names the order's amount and no operation. */
export const operationCallback = (
  at: number,
  type: 'refund' | 'void' | 'capture',
  status: 'success' | 'fail' | 'waiting',
  changes: Record<string, string> = {},
): EventDraft =>
  callback(at, type, status, { date: `2026-10-05 13:00:00.${at}`, rrn: String(at), ...changes });
