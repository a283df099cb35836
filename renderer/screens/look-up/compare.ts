import type { StatusAnswer } from '../../../shared/payments/evidence.ts';
import type { Payment } from '../../../shared/payments/payment.ts';

export type Compared = {
  field: 'order' | 'amount' | 'currency' | 'description' | 'payment-id' | 'customer-name' | 'customer-email';
  /** The gateway's. */
  received: string | null;
  /** The payment log's. */
  recorded: string | null;
  verdict: 'equal' | 'differs' | 'only-theirs' | 'only-ours' | 'neither';
};

const compare = (field: Compared['field'], received: string | null, recorded: string | null): Compared => ({
  field,
  received,
  recorded,
  verdict:
    received === null
      ? recorded === null
        ? 'neither'
        : 'only-ours'
      : recorded === null
        ? 'only-theirs'
        : received === recorded
          ? 'equal'
          : 'differs',
});

/** Blanks at the ends are part of a value, and of a signature: they are made visible. */
export const withVisibleBlanks = (text: string): string =>
  text.replaceAll(/^\s+|\s+$/g, blanks => '␣'.repeat(blanks.length));

/** An answer of the gateway and the payment log's record, field by field; byte for byte, like signatures. */
export const compareAnswer = (answer: StatusAnswer, payment: Payment | null): Compared[] =>
  [
    compare('order', answer.order.number, payment?.orderNumber ?? null),
    compare('amount', answer.order.amount, payment?.amount ?? null),
    compare('currency', answer.order.currency, payment?.currency ?? null),
    compare('description', answer.order.description, payment?.description ?? null),
    compare(
      'payment-id',
      answer.paymentId,
      answer.paymentId !== null && payment?.paymentIds.includes(answer.paymentId)
        ? answer.paymentId
        : (payment?.paymentIds.at(-1) ?? null),
    ),
    compare('customer-name', answer.customer?.name ?? null, payment?.customer?.name ?? null),
    compare('customer-email', answer.customer?.email ?? null, payment?.customer?.email ?? null),
  ].filter(row => row.verdict !== 'neither');
