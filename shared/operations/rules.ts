import { fail, ok, type FieldProblem, type Result } from '../errors.ts';
import { joined, msg, type Message } from '../messages/message.ts';
import { exponentOf } from '../money/currencies.ts';
import { readAmount } from '../money/typed-amount.ts';
import {
  amountWithout,
  decimalText,
  exactAmount,
  exactText,
  fractionDigits,
  wireAmount,
  type AmountRule,
} from '../money/wire-amount.ts';
import { hasAmount, operationTable, type OperationKind, type OperationReason } from './operation-kinds.ts';

/**
 * What a person must fill in for an operation, and how much they may move. The window shows it at the fields while they
 * type; main checks the same again and decides.
 */

/** How much: all that can be moved, or as typed in the locale's notation. */
export type AmountChoice = { whole: true } | { text: string; locale: string };

/** Limits of one person in one currency, wire form; null = none. */
export type PersonLimits = {
  perOperation: string | null;
  leftToday: string | null;
  secondPersonFrom: string | null;
};

/**
 * What an operation moves, wire form: `whole` unless another amount is typed, and the most that can be typed. Null if that
 * is unknown or nothing bounds it. It is unknown whether what is on its way arrives: by a decision it can be sent too.
 */
export const mostOf = (
  kind: OperationKind,
  { paid, remaining, onTheWay }: Readonly<Record<'paid' | 'remaining' | 'onTheWay', string | null>>,
  /** The payment's amount, which is what is held. */
  ordered: string | null,
): { whole: string | null; most: string | null } => {
  const { upTo } = operationTable[kind];
  if (upTo !== 'left') {
    const whole = upTo === 'payment' ? (paid ?? ordered) : null;
    return { whole, most: whole };
  }
  const [all, rest, way] = [paid, remaining, onTheWay].map(exactAmount);
  if (all == null || rest == null) return { whole: null, most: null };
  const most = amountWithout(paid, [exactText(all - rest - (way ?? 0n))]);
  return { whole: rest > 0n ? remaining : most, most };
};

const missing = (message: Message): Result<never> =>
  fail('input.invalid', message, { fields: [{ path: 'amount', message }] });

/**
 * A typed part of a payment in wire form, with the digits that the payment's own amount has: `100` is `100.00`. Errors:
 * `input.invalid` with the field `amount`.
 */
export const readPart = (
  { text, locale }: { text: string; locale: string },
  {
    currency,
    payment,
    most,
    money,
  }: Pick<AmountTerms, 'currency' | 'money'> & { payment: string; most: string },
): Result<string> => {
  const read = readAmount(text, locale, currency);
  if (!read.ok) return read;
  const { minor } = read.value;
  const own = exponentOf(currency) ?? 2;
  const digits = fractionDigits(payment) ?? own;
  const step = 10n ** BigInt(Math.max(0, own - digits));
  const refuse = (key: 'operation.amount.too-fine' | 'operation.amount.too-much'): Result<never> => {
    const message = msg(key);
    const hint = msg('operation.amount.hint', { most: money(most) });
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

/** What the amount of an operation is read with. */
export type AmountTerms = {
  currency: string;
  /** What it can move, wire form; see `mostOf`. */
  whole: string | null;
  most: string | null;
  /** The payment's own amount, wire form. */
  payment: string | null;
  /** The profile's format of the currency, for a new order. */
  rule: AmountRule;
  /** Writes an amount for people. */
  money: (wire: string) => string;
};

/**
 * The amount that an operation moves, wire form: everything, or what was typed. Errors: `input.invalid` with the field
 * `amount`, `operation.refused` if the payment's amount is unknown.
 */
export const readOperationAmount = (
  kind: OperationKind,
  choice: AmountChoice | null,
  terms: AmountTerms,
): Result<string> => {
  const { currency, whole, most, payment, rule } = terms;
  const isOrder = hasAmount(kind, 'order');
  if (!isOrder && (whole === null || payment === null))
    return fail('operation.refused', msg('operation.no.amount-unknown'), {
      hint: msg('operation.refused.hint'),
    });
  if (hasAmount(kind, 'none')) return ok(whole ?? '');
  const isTyped = choice !== null && 'text' in choice && choice.text.trim() !== '';
  if (!isTyped)
    return choice !== null && 'whole' in choice && !isOrder
      ? ok(whole ?? '')
      : missing(msg('operation-form.missing.amount'));
  if (!isOrder) return readPart(choice, { ...terms, most: most ?? '', payment: payment ?? '' });
  const read = readAmount(choice.text, choice.locale, currency);
  return read.ok ? wireAmount(read.value.minor, currency, rule) : read;
};

/**
 * Why an amount (wire form) is more than a person may move; null if it is not. One that cannot be read is more than any
 * limit. `money`: writes an amount for people.
 */
export const limitProblem = (
  amount: string,
  { perOperation, leftToday }: PersonLimits,
  money: (wire: string) => string,
): Message | null => {
  const moved = exactAmount(amount);
  const exceeds = (limit: string | null): limit is string =>
    limit !== null && (moved === null || moved > (exactAmount(limit) ?? 0n));
  if (exceeds(perOperation)) return msg('operation.limit.one', { limit: money(perOperation) });
  return exceeds(leftToday) ? msg('operation.limit.day', { limit: money(leftToday) }) : null;
};

/** Whether a second person has to confirm an amount (wire form); also one that cannot be read. */
export const needsSecondPerson = (
  amount: string,
  { secondPersonFrom }: Pick<PersonLimits, 'secondPersonFrom'>,
): boolean => {
  const moved = exactAmount(amount);
  return secondPersonFrom !== null && (moved === null || moved >= (exactAmount(secondPersonFrom) ?? 0n));
};

/** The fields of the form, in its order. */
export const operationFields = [
  'extent',
  'amount',
  'description',
  'orderNumber',
  'consent',
  'reason',
  'text',
  'typedOrder',
  'approver',
  'pin',
] as const;
export type OperationField = (typeof operationFields)[number];
export type OperationProblems = Partial<Record<OperationField, Message>>;

/** What is chosen and typed besides the amount. */
export type FilledFields = {
  reason: OperationReason | null;
  text: string;
  /** The order number typed again. */
  typedOrder: string;
  /** Of a new order. */
  charge: { orderNumber: string; description: string; consent: string } | null;
  /** The second person, by id, and their PIN; null: none is needed. */
  second: { approver: string | null; pin: string } | null;
};

/** The characters that a charge allows in its order number (assumption: narrower than for a link). */
const orderCharacters = /^[a-zA-Z0-9-]+$/;
/** Digits that a PIN has at least. */
const minPin = 4;

/** What is missing or wrong besides the amount, by field. `toType`: the order number to be typed again; null: none. */
export const fieldProblems = (
  { reason, text, typedOrder, charge, second }: FilledFields,
  toType: string | null,
): OperationProblems => {
  const problems: OperationProblems = {};
  if (charge !== null) {
    const orderNumber = charge.orderNumber.trim();
    if (charge.description.trim().length < 2) problems.description = msg('charge.description.short');
    if (!orderCharacters.test(orderNumber))
      problems.orderNumber = msg(orderNumber === '' ? 'new.order.missing' : 'charge.order.characters');
    if (charge.consent.trim() === '') problems.consent = msg('charge.consent.missing');
  }
  if (reason === null) problems.reason = msg('operation-form.missing.reason');
  if (reason === 'other' && text.trim() === '') problems.text = msg('operation-form.missing.text');
  if (toType !== null && typedOrder.trim() !== toType) problems.typedOrder = msg('operation.type-order');
  if (second?.approver === null) problems.approver = msg('operation-form.missing.approver');
  if (second !== null && second.pin.length < minPin) problems.pin = msg('operation-form.missing.pin');
  return problems;
};

/** The same as a refusal. Error: `input.invalid` with each field. */
export const checkFields = (...given: Parameters<typeof fieldProblems>): Result<undefined> => {
  const fields: FieldProblem[] = Object.entries(fieldProblems(...given)).map(([path, message]) => ({
    path,
    message,
  }));
  const [first] = fields;
  return first ? fail('input.invalid', first.message, { fields }) : ok(undefined);
};
