import * as z from 'zod';
import { needed, text, validate, type Merchant } from './requests.ts';
import { readAmount } from './sandbox-money.ts';

/** The gateway's validation of operations on a payment, which the interface does not show (assumptions). */

/** A problem with a number of the family's list of errors. */
export type NumberedProblem = { code: number; text: string };

export const paymentNotFound: NumberedProblem = { code: 208_001, text: 'Payment not found.' };
export const duplicateRequest: NumberedProblem = { code: 400, text: 'Duplicate request' };

const paymentSchema = z.object(
  { merchant_key: text(255), payment_id: text(255), hash: text(128) },
  needed('an object'),
);
const amountSchema = z.object(
  { merchant_key: text(255), payment_id: text(255), amount: text(32), hash: text(128) },
  needed('an object'),
);

const matching = (pattern: RegExp) => (value: string) => pattern.test(value);
const orderNumberSet = /^[a-zA-Z0-9-]*$/;
/** The documented set, and the blank and the hyphen of the documented samples. */
const descriptionSet = /^[a-zA-Z0-9!"#$%&'()*+,./:;@ -]*$/;
const notValid = 'This value is not valid.';

const recurringSchema = z.object(
  {
    merchant_key: text(255),
    recurring_init_trans_id: text(255),
    recurring_token: text(255),
    order: z.object(
      {
        number: text(255).refine(matching(orderNumberSet), notValid),
        amount: text(32),
        description: text(1024, 2).refine(matching(descriptionSet), notValid),
        /** Ignored: the first payment defines the currency. */
        currency: text(255).optional(),
      },
      needed('an object'),
    ),
    schedule_id: text(255).optional(),
    custom_data: z.record(z.string(), z.unknown(), needed('an object')).optional(),
    hash: text(128),
  },
  needed('an object'),
);

/** A void or a retry: names the payment alone. */
export const validatePayment = (body: unknown, merchant: Merchant) =>
  validate(paymentSchema, body, merchant, ({ payment_id }) => [payment_id]);

/** A refund or a capture: names the payment and an amount. */
export const validateAmount = (body: unknown, merchant: Merchant) =>
  validate(amountSchema, body, merchant, ({ payment_id, amount }) => [payment_id, amount]);

/** A new payment with a stored card. The currency is not signed. */
export const validateRecurring = (body: unknown, merchant: Merchant) =>
  validate(recurringSchema, body, merchant, ({ recurring_init_trans_id, recurring_token, order }) => [
    recurring_init_trans_id,
    recurring_token,
    order.number,
    order.amount,
    order.description,
  ]);

/**
 * Why `amount` cannot be taken from `most`, both in wire form: it is written with other digits, is zero, or is more
 * (the problem `tooMuch`). Null if it can.
 */
export const amountProblem = (
  amount: string,
  most: string,
  tooMuch: NumberedProblem,
): NumberedProblem | string | null => {
  const asked = readAmount(amount);
  const limit = readAmount(most);
  if (asked === null || limit === null || asked.digits !== limit.digits)
    return `amount: This value must be written like ${most}.`;
  if (asked.units === 0n) return 'amount: This value must be greater than zero.';
  return asked.units > limit.units ? tooMuch : null;
};
