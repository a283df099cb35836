import type { RequestOutput, RequestParsed } from '../../../shared/contract/contract.ts';
import { isLinkLive } from '../../../shared/payments/link.ts';
import { readPhoneNumber } from '../../../shared/phone-number.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';

/** Limit of counted payments of one customer: more are shown as "50+". */
const maxCounted = 50;
/** Limit of open links that are named. */
const maxOpen = 3;

/** Earlier links of a customer in one profile, by the surest detail that finds any. `now`: milliseconds. */
export const knownCustomer = async (
  log: Pick<PaymentLog, 'knownCustomer'>,
  { profileId, ...typed }: RequestParsed<'payments.knownCustomer'>,
  now: number,
): Promise<RequestOutput<'payments.knownCustomer'>> => {
  const known = await log.knownCustomer(profileId, typed, maxCounted);
  const newest = known?.rows[0];
  if (!known || !newest) return { customer: null };
  const { by, rows, more } = known;
  const paid = rows.filter(({ paidAt }) => paidAt !== null);
  const last = paid.toSorted((one, other) => (other.paidAt ?? 0) - (one.paidAt ?? 0))[0];
  return {
    customer: {
      words: by === 'phone' ? (readPhoneNumber(typed.phone) ?? typed.phone) : typed[by],
      links: rows.length,
      paid: paid.length,
      more,
      last: last ? { amount: last.amount, currency: last.currency, at: last.paidAt ?? last.firstAt } : null,
      orderNumber: newest.orderNumber,
      open: rows
        .filter(row => isLinkLive(row, now))
        .slice(0, maxOpen)
        .map(({ orderNumber, amount, currency, firstAt }) => ({
          orderNumber,
          amount,
          currency,
          at: firstAt,
        })),
    },
  };
};
