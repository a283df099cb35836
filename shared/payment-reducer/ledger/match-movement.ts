import { exactAmount } from '../../money/wire-amount.ts';
import { kindsWithCallback, offeredKinds } from '../../operations/operation-kinds.ts';
import { clockToleranceMs } from '../evidence/evidence-order.ts';
import { isOpen, isReturn, stands, type Book, type Draft } from './movement-book.ts';
import { valueOf, type Receipt } from '../evidence/callbacks.ts';

const operationTypes = offeredKinds
  .filter(kind => kindsWithCallback.includes(kind))
  .map(kind => [kind, kind] as const);
/** Types of callbacks about a movement, with its kind. A reversal is what some gateways make of a cancellation. */
export const movementTypes: ReadonlyMap<string, Draft['kind']> = new Map<string, Draft['kind']>([
  ...operationTypes,
  ['reversal', 'void'],
  ['chargeback', 'chargeback'],
]);

/**
 * The transaction that a callback is about, without its status, so that success and a later failure are one: by its
 * RRN, unless it repeats that of the sale, else by amount and date. Null if it has neither.
 */
export const transactionOf = ({ fields, terms }: Receipt, saleRrn: string | null): string | null => {
  const rrn = valueOf(fields, 'rrn');
  if (rrn !== null && rrn !== saleRrn) return JSON.stringify([terms.amount, { rrn }]);
  const date = valueOf(fields, 'date');
  return date === null ? null : JSON.stringify([terms.amount, date]);
};

/** Whether a callback names an amount of the whole payment: what was asked for, or what came in. */
export const namesWhole = (
  { terms, asked }: Pick<Receipt, 'terms' | 'asked'>,
  paid: Draft | null,
): boolean => {
  const named = exactAmount(terms.amount);
  if (terms.amount === null) return true;
  if (named === null) return false;
  return named === paid?.exact || asked.terms.some(({ amount }) => exactAmount(amount) === named);
};

/** Whether a request of ours failed by an answer or a callback alone, so that it may be what went back after all. */
export const hasDoubtfulFailure = ({ movements }: Pick<Book, 'movements'>): boolean =>
  movements.some(
    one =>
      isReturn(one) &&
      one.fate === 'failed' &&
      one.request !== null &&
      one.request.state !== 'not-sent' &&
      (one.request.provenBy === null || one.request.provenBy === 'callback'),
  );

/** Whether a request leaves nothing of what is left now; null if that is not known. */
export const leavesNothing = (book: Book, movement: Draft): boolean | null => {
  const rest = book.left(movement);
  if (rest === null) return null;
  return movement.kind === 'void' || (movement.exact === null ? null : movement.exact >= rest);
};

/** Whether this open movement may be what a callback reports. `isSuccess`: then `order_status` separates part from whole. */
const fits = (book: Book, movement: Draft, receipt: Receipt, isSuccess: boolean): boolean => {
  const { begun, kind, amount, origin } = movement;
  const isOwnChain = begun.writer === receipt.writer;
  if (!isOwnChain && receipt.at < begun.at - clockToleranceMs) return false;
  if (kind === 'refund' && receipt.isRefundedAmount) {
    if (amount !== null && movement.exact !== exactAmount(receipt.terms.amount)) return false;
  } else if (!namesWhole(receipt, book.paid())) return false;
  if (!isSuccess || origin !== 'here' || kind === 'capture') return true;
  const leaves = leavesNothing(book, movement);
  const orderStatus = valueOf(receipt.fields, 'order_status');
  if (leaves === null || orderStatus === null) return true;
  if (orderStatus === 'refund') return leaves;
  return orderStatus !== 'settled' || !leaves;
};

/** The open movements that a callback may be about, oldest first. */
export const candidatesFor = (
  book: Book,
  kind: Draft['kind'],
  receipt: Receipt,
  isSuccess: boolean,
): Draft[] =>
  book.movements.filter(one => one.kind === kind && isOpen(one) && fits(book, one, receipt, isSuccess));

/**
 * The movement in the books that a look-up, a person or an equal callback reported before this one: a
 * whole one, or one of the amount that the callback names. Null if there is none.
 */
export const knownUnreported = (book: Book, kind: Draft['kind'], receipt: Receipt): Draft | null =>
  book.movements.find(one => {
    if (one.kind !== kind || !stands(one)) return false;
    // A payment is cancelled or disputed as a whole once, under any name and reference.
    if (kind !== 'refund') return one.isWhole && namesWhole(receipt, book.paid());
    if (one.reportedAt !== null) return false;
    return receipt.isRefundedAmount
      ? one.exact === exactAmount(receipt.terms.amount)
      : namesWhole(receipt, book.paid());
  }) ?? null;

/**
 * The movement that a callback of another computer reported shortly before our request, because two clocks differ: it
 * is the request's own result. Null if there is none.
 */
export const reportedAhead = (book: Book, request: Draft): Draft | null =>
  book.movements.find(
    one =>
      one !== request &&
      one.kind === request.kind &&
      one.origin === 'elsewhere' &&
      one.begun.writer !== request.begun.writer &&
      one.begun.at >= request.begun.at - clockToleranceMs &&
      one.keys.size > 0 &&
      (one.amount === null || one.exact === request.exact),
  ) ?? null;
