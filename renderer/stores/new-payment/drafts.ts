import type { AppError } from '../../../shared/errors.ts';
import type { ProfileView, Profile } from '../../../shared/settings/profile.ts';
import { withoutUnseen } from '../../../shared/plain-text.ts';
import type { RequestInput, StoredDraft } from '../../../shared/contract/contract.ts';
import type { Language } from '../../../shared/messages/message.ts';
import {
  billingFields,
  offeredOptions,
  type PaymentOptions,
} from '../../../shared/settings/offered-options.ts';
import { completePhoneNumber } from '../../../shared/phone-number.ts';

/** A billing address in the form: every field, empty if nothing is typed. */
type BillingFields = NonNullable<StoredDraft['billing']>;

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

/** Open forms of one person and profile; main has the same limit. */
export const maxDrafts = 9;

/** An open form: what was typed, and what happened to it. */
export type FormDraft = Draft & {
  id: string;
  profileId: string;
  /** One key per request: pressing twice sends one. After a request has ended, the next press uses another key. */
  idempotencyKey: string;
  /** The number suggested by the profile's pattern, until another one is typed. */
  suggested: string;
  /** Fields whose problems may be shown: left once, or after an attempt to submit. */
  touched: readonly DraftField[];
  submitting: boolean;
  problem: AppError | null;
  /** Its card token was not kept over a lock or a restart. */
  lostCardToken: boolean;
  /** The name of the field that had the focus when another form was opened. */
  lastField: string | null;
};

/** The open forms of all profiles in the order of their tabs. The current one is the store itself: see `allDrafts`. */
export type OpenDrafts = Omit<FormDraft, 'profileId'> & {
  /** Null until the form was opened for a profile. */
  profileId: string | null;
  /** The entry of the current form is its content when another form was current last. */
  drafts: readonly FormDraft[];
};

/** The initial values of a form that do not depend on its profile. */
export const blank = {
  amount: '',
  orderNumber: '',
  description: '',
  customerName: '',
  customerEmail: '',
  customerPhone: '',
  suggested: '',
  touched: [],
  submitting: false,
  problem: null,
  lostCardToken: false,
  lastField: null,
} as const satisfies Partial<FormDraft>;

/** An empty form of a profile. */
export const blankDraft = (
  profile: Pick<ProfileView, 'id' | 'methods' | 'defaultCurrency'>,
  language: Draft['language'],
): FormDraft => ({
  ...blank,
  ...noOptions,
  id: crypto.randomUUID(),
  profileId: profile.id,
  idempotencyKey: crypto.randomUUID(),
  currency: profile.defaultCurrency,
  methods: profile.methods,
  language,
});

const isFormKey = new Set<string>([
  ...Object.keys(blank),
  ...Object.keys(noOptions),
  ...textFields,
  'id',
  'profileId',
  'idempotencyKey',
  'currency',
  'methods',
  'language',
]);

/** The current form; null before the first one was opened. */
const currentDraft = (state: OpenDrafts): FormDraft | null =>
  state.profileId === null
    ? null
    : (Object.fromEntries(Object.entries(state).filter(([name]) => isFormKey.has(name))) as FormDraft);

/** The open forms of all profiles, with the present content of the current one. */
export const allDrafts = (state: OpenDrafts): readonly FormDraft[] => {
  const current = currentDraft(state);
  return current === null ? state.drafts : state.drafts.map(one => (one.id === current.id ? current : one));
};

/** The open forms of a profile, by default of the current one. */
export const draftsOf = (
  state: OpenDrafts,
  profileId: string | null = state.profileId,
): readonly FormDraft[] => allDrafts(state).filter(one => one.profileId === profileId);

/** Whether a form must not be lost: something was typed, or its request is on its way. */
export const isInUse = (draft: Draft & Pick<FormDraft, 'submitting' | 'suggested'>): boolean =>
  draft.submitting || hasContent(draft);

/** The change that makes a form the current one. `drafts`: all of them, with this one. */
export const withCurrent = (drafts: readonly FormDraft[], draft: FormDraft): OpenDrafts => ({
  ...draft,
  drafts,
});

/** The change of one form, which may not be the current one; none if it is no longer open. */
export const withChanged = (
  state: OpenDrafts,
  id: string,
  changes: Partial<FormDraft>,
): Partial<OpenDrafts> =>
  state.id === id
    ? changes
    : { drafts: state.drafts.map(one => (one.id === id ? { ...one, ...changes } : one)) };

/** The form that becomes current when `id` is closed: the next one of its profile, or the one before. */
export const neighbourOf = (drafts: readonly FormDraft[], id: string): FormDraft | null => {
  const closed = drafts.find(one => one.id === id);
  const ofProfile = drafts.filter(one => one.profileId === closed?.profileId);
  const at = ofProfile.findIndex(one => one.id === id);
  return ofProfile[at + 1] ?? ofProfile[at - 1] ?? null;
};
