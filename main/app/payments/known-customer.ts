import type { RequestOutput, RequestParsed } from '../../../shared/contract/index.ts';
import { paymentFilterSchema } from '../../../shared/contract/payments.ts';
import { ownCustomer } from '../../../shared/merchant-texts/own-customer.ts';
import { raisedStates } from '../../../shared/payments/outcomes.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import { readPhoneNumber } from '../../../shared/phone-number.ts';
import { folded } from '../../../shared/search-query/search-words.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';

/** Limit of counted payments of one customer: more are shown as "50+". */
const maxCounted = 50;

type Known = RequestOutput<'payments.knownCustomer'>;
type Key = { words: string; isOf: (row: PaymentRow) => boolean };

const sameText = (one: string | undefined, other: string): boolean =>
  one !== undefined && folded(one).trim().replaceAll(/\s+/g, ' ') === folded(other).replaceAll(/\s+/g, ' ');

/** What identifies a customer, the surest first: two people may share a name, hardly an address. */
const keysOf = ({ name, email, phone }: RequestParsed<'payments.knownCustomer'>): Key[] => {
  const number = readPhoneNumber(phone);
  return [
    ...(/^[^\s@]+@[^\s@]+$/.test(email)
      ? [{ words: email, isOf: (row: PaymentRow) => sameText(ownCustomer(row)?.email, email) }]
      : []),
    ...(number === null
      ? []
      : [
          {
            words: number,
            isOf: (row: PaymentRow) => readPhoneNumber(ownCustomer(row)?.phone ?? '') === number,
          },
        ]),
    // A first name alone says nothing.
    ...(/\S\s+\S/.test(name)
      ? [{ words: name, isOf: (row: PaymentRow) => sameText(ownCustomer(row)?.name, name) }]
      : []),
  ];
};

/** Earlier links of a customer in one profile, by the surest detail that finds any. */
export const knownCustomer = async (
  log: Pick<PaymentLog, 'list'>,
  input: RequestParsed<'payments.knownCustomer'>,
): Promise<Known> => {
  for (const { words, isOf } of keysOf(input)) {
    const filter = paymentFilterSchema.parse({ words, profileId: input.profileId, states: raisedStates });
    const page = await log.list(filter, null, maxCounted);
    const rows = page.rows.filter(isOf);
    if (rows.length === 0) continue;
    const paid = rows.filter(({ paidAt }) => paidAt !== null);
    const last = paid.toSorted((one, other) => (other.paidAt ?? 0) - (one.paidAt ?? 0))[0];
    return {
      customer: {
        words,
        links: rows.length,
        paid: paid.length,
        more: page.next !== null,
        last: last ? { amount: last.amount, currency: last.currency, at: last.paidAt ?? last.firstAt } : null,
      },
    };
  }
  return { customer: null };
};
