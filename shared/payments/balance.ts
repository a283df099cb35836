import { amountWithout, exactAmount, exactText } from '../money/wire-amount.ts';
import type { Movement } from './movement.ts';
import type { Payment } from './payment.ts';
import { bookedFates, openFates } from './payment-kinds.ts';

/** The money of one payment id, in wire form. */
export type Balance = {
  /** Null: it was not paid, or its amount is not known. */
  paid: string | null;
  /** The exact sum of what went back, as far as it is known: more than `paid` if it went back twice. */
  returned: string | null;
  /** Something else went back, and nothing says how much. */
  hasUnknownPart: boolean;
  /** Requested or reported as waiting, and without a result. */
  onTheWay: string | null;
  /** Since when the oldest of it is on its way, milliseconds; null if nothing is. */
  onTheWaySince: number | null;
  /** The most that can still be refunded: neither returned nor on its way. Null if that is not known. */
  remaining: string | null;
};

/** Whether a movement is in the books. */
export const isBookedMovement = ({ fate }: Pick<Movement, 'fate'>): boolean => bookedFates.includes(fate);
/** Whether a movement may be on its way. */
export const isOpenMovement = ({ fate }: Pick<Movement, 'fate'>): boolean => openFates.includes(fate);

const exact = ({ amount }: Pick<Movement, 'amount'>): bigint => exactAmount(amount) ?? 0n;
const sumOf = (movements: readonly Movement[]): bigint =>
  movements.reduce((sum, movement) => sum + exact(movement), 0n);

/** The movements of one payment id that are in the books, apart from the payment itself. */
export const returnsOf = (movements: readonly Movement[], paymentId: string): Movement[] =>
  movements.filter(one => one.paymentId === paymentId && one.kind !== 'paid' && isBookedMovement(one));

/**
 * The balance of a payment id from its movements, in exact integers. If its sources contradict each other, nothing says
 * what is left.
 */
export const balanceOf = (
  { movements, attempts }: Pick<Payment, 'movements'> & { attempts?: Payment['attempts'] },
  paymentId: string,
): Balance => {
  const own = movements.filter(movement => movement.paymentId === paymentId);
  const whole = own.find(one => one.kind === 'paid' && isBookedMovement(one));
  const paid = whole?.amount ?? null;
  const all = exactAmount(paid);
  const back = returnsOf(own, paymentId);
  const open = own.filter(one => one.kind !== 'paid' && isOpenMovement(one));
  const onTheWaySince = open.length === 0 ? null : Math.min(...open.map(({ at }) => at));
  if (!whole || paid === null || all === null)
    return {
      paid: null,
      returned: null,
      hasUnknownPart: false,
      onTheWay: null,
      onTheWaySince,
      remaining: null,
    };
  const returned = sumOf(back);
  const nothingLeft = attempts?.find(one => one.paymentId === paymentId)?.nothingLeft ?? false;
  const rest = nothingLeft || returned > all ? 0n : all - returned;
  // A cancellation, and a refund of unknown size, may take all that is left.
  const isAll = open.some(one => one.kind === 'void' || exactAmount(one.amount) === null);
  const way = isAll || sumOf(open) > rest ? rest : sumOf(open);
  const isContradicted = [whole, ...back].some(({ fate }) => fate === 'contradicted');
  const text = (amount: bigint): string =>
    amountWithout(paid, [exactText(all - amount)]) ?? exactText(amount);
  return {
    paid,
    returned: text(returned),
    hasUnknownPart: !nothingLeft && returned < all && back.some(({ amount }) => exactAmount(amount) === null),
    onTheWay: text(way),
    onTheWaySince,
    remaining: isContradicted ? null : text(rest - way),
  };
};
