import type { BegunOperation } from '../../../../shared/contract/contract.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { formatMoney } from '../../../../shared/money/format-amount.ts';
import { amountWithout, type AmountRule } from '../../../../shared/money/wire-amount.ts';
import { hasAmount, movesMoney } from '../../../../shared/operations/operation-kinds.ts';
import {
  fieldProblems,
  limitProblem,
  mostOf,
  needsSecondPerson,
  operationFields,
  readOperationAmount,
  type OperationField,
  type OperationProblems,
} from '../../../../shared/operations/rules.ts';
import { msg } from '../../../../shared/messages/message.ts';
import { wireInWords } from '../../../amount-reading.ts';
import type { WordLanguage } from '../../../i18n/amount-in-words.ts';
import { chosenAmount, type OperationForm } from '../../../stores/payments/operation-store.ts';

/** How the form reads: the amount that moves, and what is missing or refused, by field. */
export type OperationReading = {
  /** All that can be sent, wire form; null if it is not known, or if nothing bounds it. */
  whole: string | null;
  /** The amount of this operation, wire form; null as long as it is missing or refused. */
  amount: string | null;
  /** A typed amount in words, for reading it back. */
  words: string | null;
  /** What is left after it, wire form; null if that is not known. */
  left: string | null;
  needsSecond: boolean;
  problems: OperationProblems;
};

/** The field that shows what is wrong with the amount. */
const amountField = ({ kind, fields }: Pick<OperationForm, 'kind' | 'fields'>): 'amount' | 'extent' =>
  hasAmount(kind, 'order') || (hasAmount(kind, 'part') && fields.extent === 'part') ? 'amount' : 'extent';

/** Reads the form by the rules that main has too. `ordered`: the payment's amount, wire form. */
export const readOperationForm = (
  form: OperationForm & { begun: BegunOperation },
  {
    ordered,
    rule,
    locale,
    language,
  }: { ordered: string | null; rule: AmountRule; locale: string; language: WordLanguage },
): OperationReading => {
  const { kind, fields, begun, orderNumber } = form;
  const { balance, limits, needsOrderNumber } = begun;
  const currency = begun.currency ?? '';
  const money = (wire: string): string => formatMoney(wire, currency, locale);
  const { whole, most } = mostOf(kind, balance, ordered);
  const field = amountField(form);
  const isChosen = !hasAmount(kind, 'part') || fields.extent !== null;
  const payment = balance.paid ?? ordered;
  const read = isChosen
    ? readOperationAmount(kind, chosenAmount(kind, fields, locale), {
        currency,
        whole,
        most,
        payment,
        rule,
        money,
      })
    : null;
  const amount = read?.ok ? read.value : null;
  const counted = amount !== null && movesMoney({ kind }) ? amount : null;
  const needsSecond = counted !== null && needsSecondPerson(counted, limits);
  const problem =
    read === null
      ? msg('operation-form.missing.extent')
      : read.ok
        ? counted && limitProblem(counted, limits, money)
        : (read.error.fields?.[0]?.message ?? read.error.message);
  return {
    whole,
    amount,
    words: field === 'amount' && amount !== null ? wireInWords(amount, currency, language) : null,
    left: amount === null ? null : (amountWithout(whole, [amount]) ?? amountWithout(most, [amount])),
    needsSecond,
    problems: {
      ...(problem !== null && { [field]: problem }),
      ...fieldProblems(
        {
          ...fields,
          charge: hasAmount(kind, 'order') ? fields : null,
          second: needsSecond ? fields : null,
        },
        needsOrderNumber ? orderNumber : null,
      ),
    },
  };
};

/** The fields that main refused, by their place in the form. */
export const refusedInForm = (
  form: Pick<OperationForm, 'kind' | 'fields'>,
  error: AppError | null,
): OperationProblems => {
  const problems: OperationProblems = {};
  for (const { path, message } of error?.fields ?? []) {
    const field = path === 'amount' ? amountField(form) : operationFields.find(one => one === path);
    if (field) problems[field] ??= message;
  }
  return problems;
};

/** A refusal without what the fields of the form show already; null if they show all of it. */
export const besideForm = (error: AppError): AppError | null => {
  const fields = (error.fields ?? []).filter(({ path }) => !operationFields.some(one => one === path));
  const isShown = (error.fields ?? []).length > 0 && fields.length === 0;
  return isShown && error.code.startsWith('input.') ? null : { ...error, fields };
};

/** The first field of the form with a problem; null without one. */
export const firstProblem = (problems: OperationProblems): OperationField | null =>
  operationFields.find(field => problems[field] !== undefined) ?? null;
