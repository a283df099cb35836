import type { OperationOffer } from '../../../../shared/contract/contract.ts';
import { msg, type Message } from '../../../../shared/messages/message.ts';
import { exponentOf } from '../../../../shared/money/currencies.ts';
import { formatMoney } from '../../../../shared/money/format-amount.ts';
import { readAmount } from '../../../../shared/money/typed-amount.ts';
import { amountWithout, exactAmount, wireOf } from '../../../../shared/money/wire-amount.ts';
import { amountInWords, type WordLanguage } from '../../../i18n/amount-in-words.ts';
import {
  hasAmount,
  operationTable,
  type OfferedKind,
} from '../../../../shared/operations/operation-kinds.ts';
import type { OperationFields } from '../../../stores/payments/operation-store.ts';
import type { OfferedPayment } from './offered-actions.ts';

/** The fields in the order of the form. */
export const operationFields = [
  'extent',
  'amount',
  'reason',
  'text',
  'typedOrder',
  'approver',
  'pin',
] as const;
export type OperationField = (typeof operationFields)[number];

/** How the form reads: the amount that moves, and what is missing or refused, by field. */
export type OperationReading = {
  /** The most that can be sent, wire form; null if it is not known. */
  whole: string | null;
  /** The amount of this operation, wire form; null as long as it is missing or refused. */
  amount: string | null;
  /** A typed amount in words, for reading it back. */
  words: string | null;
  /** What is left after it, wire form; null if that is not known. */
  left: string | null;
  needsSecond: boolean;
  problems: Partial<Record<OperationField, Message>>;
};

/** Digits that a PIN has at least. */
const minPin = 4;

/** The most that an operation can move, wire form. `ordered`: the payment's amount, which is what is held. */
export const wholeOf = (
  kind: OfferedKind,
  { balance }: OfferedPayment,
  ordered: string | null,
): string | null => (operationTable[kind].upTo === 'left' ? balance.remaining : (balance.paid ?? ordered));

type Typed = { amount: string | null; words: string | null; problem: Message | null };

/** A typed part of `most`, read in the locale. */
const readPart = (
  text: string,
  most: string | null,
  currency: string,
  { locale, language }: { locale: string; language: WordLanguage },
): Typed => {
  if (text.trim() === '') return { amount: null, words: null, problem: msg('operation-form.missing.amount') };
  const read = readAmount(text, locale, currency);
  if (!read.ok) {
    const { error } = read;
    return { amount: null, words: null, problem: error.fields?.[0]?.message ?? error.message };
  }
  const { minor } = read.value;
  const amount = wireOf(minor, currency);
  const words = amountInWords(minor, exponentOf(currency) ?? 2, currency, language);
  const limit = exactAmount(most);
  const exact = exactAmount(amount);
  if (minor <= 0n) return { amount: null, words: null, problem: msg('operation-form.missing.amount') };
  if (limit !== null && exact !== null && exact > limit)
    return {
      amount: null,
      words,
      problem: msg('operation-form.too-much', { most: formatMoney(most ?? '', currency, locale) }),
    };
  return { amount, words, problem: null };
};

/** Reads the form: the amount, and every field that is missing or refused. The main process decides in the end. */
export const readOperationForm = (
  fields: OperationFields,
  payment: OfferedPayment,
  {
    offer,
    ordered,
    orderNumber,
    ...shown
  }: {
    offer: OperationOffer;
    /** The payment's amount, wire form. */
    ordered: string | null;
    orderNumber: string;
    locale: string;
    language: WordLanguage;
  },
): OperationReading => {
  const { limits, needsOrderNumber } = offer;
  const currency = offer.currency ?? '';
  const whole = wholeOf(fields.kind, payment, ordered);
  const problems: OperationReading['problems'] = {};
  const isPart = hasAmount(fields.kind, 'part') && fields.extent === 'part';
  const typed = isPart ? readPart(fields.amount, whole, currency, shown) : null;
  const isChosen = !hasAmount(fields.kind, 'part') || fields.extent !== null;
  const amount = typed === null ? (isChosen ? whole : null) : typed.amount;
  const exact = exactAmount(amount);
  const reaches = (limit: string | null): boolean =>
    limit !== null && exact !== null && exact >= (exactAmount(limit) ?? 0n);
  const exceeds = (limit: string | null): boolean =>
    limit !== null && exact !== null && exact > (exactAmount(limit) ?? 0n);
  const money = (wire: string | null): string => formatMoney(wire ?? '', currency, shown.locale);
  const beyond = exceeds(limits.perOperation)
    ? msg('operation.limit.one', { limit: money(limits.perOperation) })
    : exceeds(limits.leftToday)
      ? msg('operation.limit.day', { limit: money(limits.leftToday) })
      : null;
  if (!isChosen) problems.extent = msg('operation-form.missing.extent');
  else if (whole === null) problems.extent = msg('operation.no.amount-unknown');
  const amountProblem = typed?.problem ?? beyond;
  if (amountProblem !== null) problems[isPart ? 'amount' : 'extent'] ??= amountProblem;
  if (fields.reason === null) problems.reason = msg('operation-form.missing.reason');
  if (fields.reason === 'other' && fields.text.trim() === '')
    problems.text = msg('operation-form.missing.text');
  if (needsOrderNumber && fields.typedOrder.trim() !== orderNumber)
    problems.typedOrder = msg('operation.type-order');
  const needsSecond = reaches(limits.secondPersonFrom);
  if (needsSecond) {
    if (fields.approver === null) problems.approver = msg('operation-form.missing.approver');
    if (fields.pin.length < minPin) problems.pin = msg('operation-form.missing.pin');
  }
  const left = whole === null || amount === null ? null : amountWithout(whole, [amount]);
  return { whole, amount, words: typed?.words ?? null, left, needsSecond, problems };
};
