import { withoutUnseen } from '../../../shared/plain-text.ts';
import type { RequestInput, StoredDraft } from '../../../shared/contract/contract.ts';
import type { Language } from '../../../shared/messages/message.ts';
import {
  billingFields,
  offeredOptions,
  type PaymentOptions,
} from '../../../shared/settings/offered-options.ts';
import { completePhoneNumber } from '../../../shared/phone-number.ts';
import type { Profile } from '../../../shared/settings/profile.ts';

/** A billing address in the form: every field, empty if nothing is typed. */
export type BillingFields = NonNullable<StoredDraft['billing']>;

/**
 * The typed content of the form for a new payment, as main keeps it, with the card token, which is never kept. Null is
 * the profile's own value, and the window's language.
 */
export type Draft = Omit<StoredDraft, 'id' | 'idempotencyKey' | 'suggested' | 'hadCardToken'> & {
  cardToken: string;
};

/** The options of one payment, under "More options". */
export type DraftOptions = Pick<Draft, keyof typeof noOptions | 'methods'>;

/** The text fields of the form. */
export const textFields = [
  'amount',
  'orderNumber',
  'description',
  'customerName',
  'customerEmail',
  'customerPhone',
  'customData',
  'cardToken',
] as const satisfies readonly (keyof Draft)[];
export type DraftField = (typeof textFields)[number] | 'currency';

const noBilling: BillingFields = {
  address: '',
  zip: '',
  city: '',
  state: '',
  country: '',
  phone: '',
};

/** The billing address that the profile sends for every payment. */
export const profileBilling = ({ extras }: Pick<Profile, 'extras'>): BillingFields => {
  try {
    const stored = JSON.parse(extras.billingAddress) as Record<string, unknown> | null;
    const texts = billingFields.map(name => [name, stored?.[name]]);
    return {
      ...noBilling,
      ...Object.fromEntries(texts.filter(([, text]) => typeof text === 'string')),
    };
  } catch {
    return noBilling;
  }
};

/** The options as the profile sends them; the methods are the profile's list. */
export const noOptions = {
  language: null,
  expiryMinutes: null,
  billing: null,
  customData: '',
  requestCardToken: null,
  cardToken: '',
  recurring: false,
} satisfies Partial<Draft>;

/** Reads lines of `name: value`; null if a line is not one. */
export const readCustomData = (text: string): Record<string, string> | null => {
  const entries = new Map<string, string>();
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const [, name = '', value = ''] = /^([^:]{1,64}):(.*)$/.exec(line) ?? [];
    if (name.trim() === '') return null;
    entries.set(name.trim(), value.trim());
  }
  return Object.fromEntries(entries);
};

/**
 * Whether a part of the draft differs from the empty form. `suggested`: its order number, unless another one is typed.
 * Currency, methods and language are choices that a form for another customer may begin with.
 */
export const hasContent = (draft: Draft & { suggested: string }): boolean =>
  [
    draft.amount,
    draft.orderNumber.trim() === draft.suggested ? '' : draft.orderNumber,
    draft.description,
    draft.customerName,
    draft.customerEmail,
    draft.customerPhone,
    draft.customData,
    draft.cardToken,
    ...Object.values(draft.billing ?? {}),
  ].some(text => text.trim() !== '') ||
  draft.expiryMinutes !== null ||
  draft.requestCardToken !== null ||
  draft.recurring;

/** The customer as it is sent; null if nothing was typed. */
export const customerOf = (
  { customerName, customerEmail, customerPhone }: Draft,
  { merchant }: Pick<Profile, 'merchant'>,
) => {
  const customer = {
    ...(customerName.trim() ? { name: customerName.trim() } : {}),
    ...(customerEmail.trim() ? { email: withoutUnseen(customerEmail) } : {}),
    ...(customerPhone.trim()
      ? { phone: completePhoneNumber(withoutUnseen(customerPhone), merchant.phone) }
      : {}),
  };
  return Object.keys(customer).length > 0 ? customer : null;
};

/** What differs from the profile, and the language of the messages. */
export const requestOptions = (
  draft: Draft,
  profile: Pick<Profile, 'extras' | 'operations' | 'methods'>,
  language: Language,
): NonNullable<RequestInput<'payments.create'>['options']> => {
  const offered = offeredOptions(profile);
  const { billing } = draft;
  const typed = Object.fromEntries(
    billingFields.flatMap(name => (billing?.[name].trim() ? [[name, billing[name].trim()]] : [])),
  );
  const customData = readCustomData(draft.customData) ?? {};
  const options: PaymentOptions = {
    language: draft.language ?? language,
    ...(draft.expiryMinutes === null ? {} : { expiryMinutes: draft.expiryMinutes }),
    ...(offered.billingAddress && Object.keys(typed).length > 0 ? { billingAddress: typed } : {}),
    ...(offered.customData && Object.keys(customData).length > 0 ? { customData } : {}),
    ...(offered.requestCardToken && draft.requestCardToken === false ? { requestCardToken: false } : {}),
    ...(offered.recurring && draft.recurring ? { recurring: true } : {}),
  };
  return {
    ...options,
    ...(offered.cardToken && draft.cardToken.trim() ? { cardToken: draft.cardToken.trim() } : {}),
  };
};
