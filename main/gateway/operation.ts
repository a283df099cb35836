import type { AppError } from '../../shared/errors.ts';
import type { KindWithAmount } from '../../shared/operations/operation-kinds.ts';
import type { AnswerExcerpt } from '../../shared/payments/evidence.ts';

/**
 * Operations on a payment that exists: refund, void, capture, retry, and a charge of a stored card. The interface shows
 * none of these requests (assumptions, each behind a switch of the profile). See docs/integrate/operations.md.
 */
export type OperationRequest =
  | {
      operation: KindWithAmount<'part'>;
      paymentId: string;
      /** Wire form. */
      amount: string;
    }
  | { operation: KindWithAmount<'none'>; paymentId: string }
  | {
      operation: KindWithAmount<'order'>;
      firstPaymentId: string;
      token: string;
      order: { number: string; amount: string; currency: string; description: string };
      customer: { name?: string | undefined; email?: string | undefined } | null;
    };

export type PreparedOperation = {
  endpoint: string;
  /** The exact JSON bytes to send. */
  body: string;
  /** The same with hash and token masked: the form that may be recorded. */
  redacted: string;
};

/**
 * What the gateway says happened; unsigned, so never more than a reason to look the payment up. `accepted`: it will be
 * done, and a callback reports how it ended.
 */
export type OperationReport = {
  claim: 'accepted' | 'done' | 'failed' | 'pending';
  /** As received; of a charge of a stored card that of the new payment. */
  paymentId: string | null;
  /** The payment's status as received. */
  status: string | null;
  reason: string | null;
};

/**
 * The result of an operation. `unknown`: it may have been carried out, and only a look-up leads on; only `not-sent`
 * and `refused` prove that nothing happened.
 */
export type OperationOutcome =
  | { kind: 'answered'; report: OperationReport; answer: AnswerExcerpt }
  | { kind: 'refused'; error: AppError; answer: AnswerExcerpt | null }
  | { kind: 'not-sent'; error: AppError }
  | { kind: 'unknown'; error: AppError; answer: AnswerExcerpt | null };

/**
 * Whether the gateway has the operations at all, by a void of a made-up payment. `error`: why that is not known, or
 * null.
 */
export type OperationProbe = {
  exists: 'yes' | 'no' | 'unknown';
  answer: AnswerExcerpt | null;
  error: AppError | null;
};
