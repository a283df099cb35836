import { holdsCardNumber } from '../../../shared/card-number.ts';
import type { DeskError } from '../../../shared/errors.ts';
import { exponentOf } from '../../../shared/money.ts';
import type { Reading } from '../../amount-reading.ts';
import type { Draft, DraftField } from '../../stores/new-payment.ts';
import type { Language } from '../../messages/index.ts';
import type { Say } from '../../text.ts';

const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text);

const sampleOf = (currency: string, locale: string): string =>
  new Intl.NumberFormat(locale, {
    minimumFractionDigits: exponentOf(currency) ?? 2,
    useGrouping: false,
  }).format(1234.5);

/** What is wrong with the form by the desk's own rules; a field without a problem is not named. */
export const problemsOf = (
  draft: Draft,
  reading: Reading,
  { locale, language }: { locale: string; language: Language },
  t: Say,
): Partial<Record<DraftField, string>> => {
  const problems: Partial<Record<DraftField, string>> = {};
  if (reading.kind === 'nothing') problems.amount = t('new.amount.missing');
  if (reading.kind === 'refused') {
    // The reader of amounts explains itself in English; other languages have one sentence for all its refusals.
    problems.amount =
      language === 'en'
        ? reading.message
        : t('new.amount.refused', { currency: draft.currency, sample: sampleOf(draft.currency, locale) });
  }
  if (reading.kind === 'read' && reading.minor <= 0n) problems.amount = t('new.amount.zero');
  if (draft.orderNumber.trim() === '') problems.orderNumber = t('new.order.missing');
  else if (draft.orderNumber.length > 255) problems.orderNumber = t('new.too-long', { limit: 255 });
  if (draft.description.trim() === '') problems.description = t('new.description.missing');
  else if (draft.description.length > 1024) problems.description = t('new.too-long', { limit: 1024 });
  if (draft.customerName.length > 255) problems.customerName = t('new.too-long', { limit: 255 });
  const email = draft.customerEmail.trim();
  if (email !== '' && !isEmail(email)) problems.customerEmail = t('new.email.wrong');
  for (const field of ['orderNumber', 'description', 'customerName', 'customerEmail', 'amount'] as const) {
    if (holdsCardNumber(draft[field])) problems[field] = t('card-number.dropped');
  }
  return problems;
};

const formFieldOf: Readonly<Record<string, DraftField>> = {
  amount: 'amount',
  currency: 'currency',
  orderNumber: 'orderNumber',
  description: 'description',
  'customer.name': 'customerName',
  'customer.email': 'customerEmail',
  // The names the gateway uses for the same fields (§2.2).
  'order.amount': 'amount',
  'order.currency': 'currency',
  'order.number': 'orderNumber',
  'order.description': 'description',
};

/** The fields main or the gateway refused, by their place in the form; the rest has no box to stand beside. */
export const refusedFields = (error: DeskError | null): Partial<Record<DraftField, string>> => {
  const problems: Partial<Record<DraftField, string>> = {};
  for (const { path, message } of error?.fields ?? []) {
    const field = formFieldOf[path];
    if (field) problems[field] ??= message;
  }
  return problems;
};
