import { containsCardNumber } from '../../../shared/card-number.ts';
import { ok, type Result } from '../../../shared/errors.ts';
import { cardNumberFailure } from '../payments/order-form.ts';

/** Refuses a card number in any typed text. `texts`: field names and texts. Error: `input.card-number`. */
export const refuseCardNumbers = (texts: Readonly<Record<string, string>>): Result<undefined> => {
  const found = Object.entries(texts).find(([, text]) => containsCardNumber(text));
  return found ? cardNumberFailure(found[0]) : ok(undefined);
};
