import { maskCardNumbers } from '../card-number.ts';
import { isSecretName, nameTest } from './pii-fields.ts';

const isCardName = nameTest(/card|pan/i);
/**
 * Names whose values are identifiers or measurements and are compared unchanged: an order number of 16 digits must
 * remain the shop's order number.
 */
const isExactName = nameTest(
  /^(?:id|order_number|order_id|payment_id|trans_id|order_amount|exchange_(?:rate|amount|rate_base)|vat_amount|date|rrn|arn|customer_ip|schedule_id|recurring_in(?:it|ti)_trans_id)$/,
);
/** A hash, or a token like one: thirteen digits in a row are chance, and it is verified as it is. */
const isHexadecimal = /^\s*(?=.*[a-f])[0-9a-f]{32,}\s*$/i;

/**
 * The value of a callback's parameter or of a field of an answer, with card numbers masked; identifiers and amounts
 * are unchanged (field notes: some gateways send more than §2.6 promises).
 */
export const maskCardNumberIn = (name: string, value: string): string =>
  value.length < 13 || isExactName(name) || (isSecretName(name) && isHexadecimal.test(value))
    ? value
    : maskCardNumbers(value, isCardName(name) && !isSecretName(name));
