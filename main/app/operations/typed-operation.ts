import { containsCardNumber } from '../../../shared/card-number.ts';
import { fail, ok, type FieldProblem, type Result } from '../../../shared/errors.ts';
import { joined, msg } from '../../../shared/messages/message.ts';
import { exponentOf } from '../../../shared/money/currencies.ts';
import { readAmount } from '../../../shared/money/typed-amount.ts';
import { decimalText, exactAmount, fractionDigits } from '../../../shared/money/wire-amount.ts';
import { cardNumberFailure } from '../payments/order-form.ts';

/**
 * A typed amount in the wire form of the payment: with the digits that the payment's own amount has, so that a refund of
 * `100` of `100.00` is `100.00`. `payment`: the payment's amount in wire form; `most`: the largest allowed one. Errors:
 * `input.invalid` with the field `amount`.
 */
export const readOperationAmount = (
  typed: string,
  locale: string,
  { currency, payment, most }: { currency: string; payment: string; most: string },
): Result<string> => {
  const read = readAmount(typed, locale, currency);
  if (!read.ok) return read;
  const own = exponentOf(currency) ?? 2;
  const digits = fractionDigits(payment) ?? own;
  const { minor } = read.value;
  const step = 10n ** BigInt(Math.max(0, own - digits));
  const refuse = (key: 'operation.amount.too-fine' | 'operation.amount.too-much'): Result<never> => {
    const message = msg(key);
    const hint = msg('operation.amount.hint', { most: `${currency} ${most}` });
    return fail('input.invalid', message, {
      hint,
      fields: [{ path: 'amount', message: joined(message, hint) }],
    });
  };
  if (minor % step !== 0n) return refuse('operation.amount.too-fine');
  const wire = decimalText(digits >= own ? minor * 10n ** BigInt(digits - own) : minor / step, digits);
  return (exactAmount(wire) ?? 0n) > (exactAmount(most) ?? 0n)
    ? refuse('operation.amount.too-much')
    : ok(wire);
};

/** Refuses a card number in any typed text. `texts`: field names and texts. Error: `input.card-number`. */
export const refuseCardNumbers = (texts: Readonly<Record<string, string>>): Result<undefined> => {
  const found = Object.entries(texts).find(([, text]) => containsCardNumber(text));
  return found ? cardNumberFailure(found[0]) : ok(undefined);
};

/** The characters that the operation allows in an order number (assumption: narrower than for a link). */
const chargeOrder = /^[a-zA-Z0-9-]+$/;

/** Checks what was typed for a new charge. Errors: `input.invalid` with each refused field. */
export const checkCharge = (form: {
  orderNumber: string;
  description: string;
  consent: string;
}): Result<undefined> => {
  const fields: FieldProblem[] = [];
  if (!chargeOrder.test(form.orderNumber))
    fields.push({ path: 'orderNumber', message: msg('charge.order.characters') });
  if (form.description.trim().length < 2)
    fields.push({ path: 'description', message: msg('charge.description.short') });
  if (form.consent === '') fields.push({ path: 'consent', message: msg('charge.consent.missing') });
  return fields.length === 0 ? ok(undefined) : fail('input.invalid', msg('new.refused'), { fields });
};
