import { containsCardNumber } from '../../../shared/card-number.ts';
import type { AppError } from '../../../shared/errors.ts';
import type { FormatMessage } from '../../../shared/messages/format-message.ts';
import type { Profile } from '../../../shared/settings/profile.ts';
import type { AmountReading } from '../../amount-reading.ts';
import { isEmailAddress } from '../../../shared/email-address.ts';
import { withoutUnseen } from '../../../shared/plain-text.ts';
import { completePhoneNumber, isCardInPhoneField, readPhoneNumber } from '../../../shared/phone-number.ts';
import { readCustomData, textFields, type Draft, type DraftField } from '../../stores/new-payment/drafts.ts';
import type { Translate } from '../../i18n/text.ts';

/** The fields under "More options". */
export const optionFields: readonly DraftField[] = ['customData', 'cardToken'];

/** The problems of the form by its own rules; fields without a problem are left out. */
export const problemsOf = (
  draft: Draft,
  reading: AmountReading,
  say: FormatMessage,
  t: Translate,
  merchantPhone = '',
): Partial<Record<DraftField, string>> => {
  const problems: Partial<Record<DraftField, string>> = {};
  if (reading.kind === 'nothing') problems.amount = t('new.amount.missing');
  if (reading.kind === 'refused') problems.amount = say(reading.message);
  if (draft.orderNumber.trim() === '') problems.orderNumber = t('new.order.missing');
  else if (draft.orderNumber.length > 255) problems.orderNumber = t('new.too-long', { limit: 255 });
  if (draft.description.trim() === '') problems.description = t('new.description.missing');
  else if (draft.description.length > 1024) problems.description = t('new.too-long', { limit: 1024 });
  if (draft.customerName.length > 255) problems.customerName = t('new.too-long', { limit: 255 });
  const email = withoutUnseen(draft.customerEmail);
  if (email !== '' && !isEmailAddress(email)) problems.customerEmail = t('new.email.invalid');
  const phone = completePhoneNumber(withoutUnseen(draft.customerPhone), merchantPhone);
  if (phone !== '' && readPhoneNumber(phone) === null) problems.customerPhone = t('new.phone.invalid');
  if (readCustomData(draft.customData) === null) problems.customData = t('new.custom-data.invalid');
  for (const field of textFields) {
    const hasCard = field === 'customerPhone' ? isCardInPhoneField(phone) : containsCardNumber(draft[field]);
    if (hasCard) problems[field] = t('card-number.dropped');
  }
  return problems;
};

const isAscii = (text: string): boolean => !/[^\x20-\x7e]/.test(text);

/** Possible later problems of a valid number or description: these are not refused. */
export const warningsOf = (
  draft: Pick<Draft, 'orderNumber' | 'description'>,
  profile: Pick<Profile, 'statusByOrder'>,
  t: Translate,
): Partial<Record<DraftField, string>> => {
  const warnings: Partial<Record<DraftField, string>> = {};
  if (!isAscii(draft.description)) warnings.description = t('new.not-ascii');
  if (!isAscii(draft.orderNumber)) warnings.orderNumber = t('new.not-ascii');
  else if (profile.statusByOrder && /[^A-Za-z0-9-]/.test(draft.orderNumber.trim()))
    warnings.orderNumber = t('new.order.hard-to-look-up');
  return warnings;
};

const formFieldOf: Readonly<Record<string, DraftField>> = {
  amount: 'amount',
  currency: 'currency',
  orderNumber: 'orderNumber',
  description: 'description',
  'customer.name': 'customerName',
  'customer.email': 'customerEmail',
  'customer.phone': 'customerPhone',
  'options.customData': 'customData',
  'options.cardToken': 'cardToken',
  // The gateway's names of the options.
  custom_data: 'customData',
  card_token: 'cardToken',
  // The gateway's names of the same fields (§2.2).
  'order.amount': 'amount',
  'order.currency': 'currency',
  'order.number': 'orderNumber',
  'order.description': 'description',
};

/** Fields refused by main or the gateway, by their place in the form; others have no field to appear at. */
export const refusedFields = (
  error: AppError | null,
  say: FormatMessage,
): Partial<Record<DraftField, string>> => {
  const problems: Partial<Record<DraftField, string>> = {};
  for (const { path, message } of error?.fields ?? []) {
    const field = formFieldOf[path];
    if (field) problems[field] ??= say(message);
  }
  return problems;
};

/**
 * The part of a refusal that no field of the form shows; null if the fields show all of it. A provider's refusal keeps
 * its own reason.
 */
export const unplaced = (error: AppError): AppError | null => {
  const fields = (error.fields ?? []).filter(({ path }) => formFieldOf[path] === undefined);
  const isPlaced = error.fields !== undefined && error.fields.length > 0 && fields.length === 0;
  return isPlaced && error.code.startsWith('input.') ? null : { ...error, fields };
};
