import type { OperationOffer, PaymentSeries } from '../../../../shared/contract/contract.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { msg, type Message } from '../../../../shared/messages/message.ts';
import { formatMoney } from '../../../../shared/money/format-amount.ts';
import { exactAmount } from '../../../../shared/money/wire-amount.ts';
import type { operationReasons } from '../../../../shared/operations/operation-kinds.ts';
import { sameId } from '../../../../shared/payment-reducer/payment-id.ts';
import type { AmountReading } from '../../../amount-reading.ts';

/** The fields of the form for another charge. */
export type ChargeFields = {
  amount: string;
  /** The order number of the new payment. */
  orderNumber: string;
  description: string;
  /** When and how the customer agreed. */
  consent: string;
  reason: (typeof operationReasons)[number];
  text: string;
  /** The first payment's order number, typed again. */
  typedOrder: string;
  /** The second person, by id; '' if none was chosen. */
  approver: string;
  pin: string;
};

/** The fields that can have a problem, in the order of the form. */
export const chargeFields = [
  'amount',
  'orderNumber',
  'description',
  'consent',
  'text',
  'typedOrder',
  'approver',
  'pin',
] as const satisfies readonly (keyof ChargeFields)[];
export type ChargeField = (typeof chargeFields)[number];
export type ChargeProblems = Partial<Record<ChargeField, Message>>;

/** The characters that a charge allows in its order number (assumption). */
const orderCharacters = /^[a-zA-Z0-9-]+$/;
/** Digits that a PIN has at least. */
const minPin = 4;

/** The form when it opens: only what follows from the first payment is filled in, never the amount or the consent. */
export const blankCharge = ({
  payments,
  firstPaymentId,
  suggestedOrder,
}: Pick<PaymentSeries, 'payments' | 'firstPaymentId' | 'suggestedOrder'>): ChargeFields => ({
  amount: '',
  orderNumber: suggestedOrder,
  description:
    payments.find(({ paymentIds }) => paymentIds.some(id => sameId(id, firstPaymentId)))?.description ?? '',
  consent: '',
  reason: 'agreed-payment',
  text: '',
  typedOrder: '',
  approver: '',
  pin: '',
});

/** Whether an amount (wire form) needs a second person. */
export const needsSecondPerson = (
  reading: AmountReading,
  { limits }: Pick<OperationOffer, 'limits'>,
): boolean => {
  const [amount, from] = [
    reading.kind === 'read' ? exactAmount(reading.wire) : null,
    exactAmount(limits.secondPersonFrom),
  ];
  return amount !== null && from !== null && amount >= from;
};

const amountProblem = (
  reading: AmountReading,
  { limits, currency }: Pick<OperationOffer, 'limits' | 'currency'>,
  locale: string,
): Message | null => {
  if (reading.kind === 'nothing') return msg('new.amount.missing');
  if (reading.kind === 'refused') return reading.message;
  const amount = exactAmount(reading.wire);
  const exceeds = (limit: string | null): limit is string => {
    const most = exactAmount(limit);
    return amount !== null && most !== null && amount > most;
  };
  const { perOperation, leftToday } = limits;
  const shown = (limit: string) => ({ limit: formatMoney(limit, currency ?? '', locale) });
  if (exceeds(perOperation)) return msg('operation.limit.one', shown(perOperation));
  return exceeds(leftToday) ? msg('operation.limit.day', shown(leftToday)) : null;
};

/** What is missing or refused, by field. The main process checks it again. `firstOrder`: of the first payment. */
export const chargeProblems = (
  fields: ChargeFields,
  reading: AmountReading,
  { offer, firstOrder, locale }: { offer: OperationOffer; firstOrder: string; locale: string },
): ChargeProblems => {
  const problems: ChargeProblems = {};
  const amount = amountProblem(reading, offer, locale);
  if (amount) problems.amount = amount;
  const orderNumber = fields.orderNumber.trim();
  if (orderNumber === '') problems.orderNumber = msg('new.order.missing');
  else if (!orderCharacters.test(orderNumber)) problems.orderNumber = msg('charge.order.characters');
  if (fields.description.trim().length < 2) problems.description = msg('charge.description.short');
  if (fields.consent.trim() === '') problems.consent = msg('charge.consent.missing');
  if (fields.reason === 'other' && fields.text.trim() === '')
    problems.text = msg('operation-form.missing.text');
  if (offer.needsOrderNumber && fields.typedOrder.trim() !== firstOrder)
    problems.typedOrder = msg('operation.type-order');
  if (needsSecondPerson(reading, offer)) {
    if (fields.approver === '') problems.approver = msg('operation-form.missing.approver');
    if (fields.pin.length < minPin) problems.pin = msg('operation-form.missing.pin');
  }
  return problems;
};

/** The fields that main refused, by their place in the form. */
export const refusedInForm = (error: AppError | null): ChargeProblems => {
  const problems: ChargeProblems = {};
  for (const { path, message } of error?.fields ?? []) {
    const field = chargeFields.find(one => one === path);
    if (field) problems[field] ??= message;
  }
  return problems;
};

/** A refusal without what the fields of the form show already; null if they show all of it. */
export const besideForm = (error: AppError): AppError | null => {
  const fields = (error.fields ?? []).filter(({ path }) => !chargeFields.some(one => one === path));
  const isShown = (error.fields ?? []).length > 0 && fields.length === 0;
  return isShown && error.code.startsWith('input.') ? null : { ...error, fields };
};

/** The order number to try next: after a refusal that used up the typed one, the next free one. */
export const nextOrder = (typed: string, error: AppError, suggested: string | null): string =>
  error.details?.['stored'] === true && error.details['orderNumber'] === typed.trim() && suggested !== null
    ? suggested
    : typed;
