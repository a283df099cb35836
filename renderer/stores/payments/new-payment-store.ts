import { create } from 'zustand';
import type { AppError } from '../../../shared/errors.ts';
import type { Language } from '../../../shared/messages/language.ts';
import type { ProfileView } from '../../../shared/settings/profile.ts';
import type { PaymentDetail } from '../../../shared/contract/index.ts';
import { request } from '../../ipc-client.ts';
import {
  customerOf,
  hasContent,
  noOptions,
  requestOptions,
  textFields,
  type Draft,
  type DraftField,
  type DraftOptions,
} from './draft.ts';

/** The draft of another profile, while it can be taken over. The order number stays behind. */
export type LeftDraft = {
  profileId: string;
  content: Pick<
    Draft,
    'amount' | 'currency' | 'description' | 'customerName' | 'customerEmail' | 'customerPhone'
  >;
};

/** The form for a new payment. Its content survives errors and navigation, but not a change of the profile. */
type NewPaymentState = Draft & {
  profileId: string | null;
  /** One per request: pressing twice makes one. A request that has ended is over; the next press is another one. */
  idempotencyKey: string;
  /** The number suggested by the profile's pattern, until another one is typed. */
  suggested: string;
  /** The language of the last payment's messages, which the next one begins with. */
  lastLanguage: Language | null;
  left: LeftDraft | null;
  /** Fields whose problems may be shown: left once, or after an attempt to submit. */
  touched: readonly DraftField[];
  submitting: boolean;
  problem: AppError | null;
  open: (profile: ProfileView) => Promise<void>;
  type: (field: DraftField, text: string) => void;
  choose: (options: Partial<DraftOptions>) => void;
  markTouched: (field: DraftField) => void;
  showAll: () => void;
  dismissProblem: () => void;
  /** Fills the form from the draft that another profile's form held. */
  takeLeft: () => void;
  dismissLeft: () => void;
  /** `language`: of the window, for messages whose language was not chosen. */
  submit: (
    profile: ProfileView,
    written: { locale: string; language: Language },
    allowDuplicate: boolean,
  ) => Promise<PaymentDetail | null>;
  /** Cancels the wait for the gateway; the payment's outcome is unknown then. */
  stop: () => void;
  clear: (profile: ProfileView) => Promise<void>;
};

const blank = {
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
} as const;
const allFields: readonly DraftField[] = [...textFields, 'currency'];

export const useNewPayment = create<NewPaymentState>()((set, get) => {
  const begin = async (profile: ProfileView): Promise<void> => {
    const before = get();
    const { amount, currency, description, customerName, customerEmail, customerPhone } = before;
    set({
      ...blank,
      ...noOptions,
      methods: profile.methods,
      language: before.lastLanguage,
      profileId: profile.id,
      currency: profile.defaultCurrency,
      idempotencyKey: crypto.randomUUID(),
      left:
        before.profileId !== null && hasContent(before)
          ? {
              profileId: before.profileId,
              content: { amount, currency, description, customerName, customerEmail, customerPhone },
            }
          : null,
    });
    await suggest(profile.id);
  };
  const suggest = async (profileId: string): Promise<void> => {
    const suggestion = await request('payments.suggestOrder', { profileId });
    if (!suggestion.ok || get().profileId !== profileId) return;
    const { orderNumber, suggested } = get();
    const untouched = orderNumber === '' || orderNumber === suggested;
    set({
      suggested: suggestion.value.orderNumber,
      ...(untouched ? { orderNumber: suggestion.value.orderNumber } : {}),
    });
  };
  return {
    ...blank,
    ...noOptions,
    methods: [],
    profileId: null,
    currency: 'EUR',
    lastLanguage: null,
    left: null,
    idempotencyKey: crypto.randomUUID(),
    open: async profile => {
      if (get().profileId === profile.id) return undefined;
      // A draft belongs to one account: a test draft must never be one Enter away from a live link.
      return begin(profile);
    },
    type: (field, text) => set({ [field]: text, problem: null }),
    choose: options => set({ ...options, problem: null }),
    markTouched: field => {
      if (!get().touched.includes(field)) set({ touched: [...get().touched, field] });
    },
    showAll: () => set({ touched: allFields }),
    dismissProblem: () => set({ problem: null }),
    takeLeft: () => set(({ left }) => ({ ...left?.content, left: null, problem: null, touched: [] })),
    dismissLeft: () => set({ left: null }),
    submit: async (profile, { locale, language }, allowDuplicate) => {
      const state = get();
      if (state.submitting || state.profileId !== profile.id) return null;
      const idempotencyKey = allowDuplicate ? crypto.randomUUID() : state.idempotencyKey;
      set({ submitting: true, problem: null, touched: allFields, idempotencyKey });
      const options = requestOptions(state, profile, language);
      const created = await request('payments.create', {
        profileId: state.profileId,
        idempotencyKey,
        amount: state.amount,
        currency: state.currency,
        orderNumber: state.orderNumber.trim(),
        description: state.description.trim(),
        methods: [...state.methods],
        customer: customerOf(state),
        options,
        locale,
        allowDuplicate,
      });
      if (!created.ok) {
        set({ submitting: false, problem: created.error, idempotencyKey: crypto.randomUUID() });
        return null;
      }
      set({
        ...blank,
        ...noOptions,
        profileId: null,
        left: null,
        lastLanguage: options.language ?? null,
      });
      return created.value;
    },
    stop: () => void request('payments.cancelWait', { requestId: get().idempotencyKey }),
    clear: async profile => {
      const { currency, lastLanguage } = get();
      set({
        ...blank,
        ...noOptions,
        methods: profile.methods,
        language: lastLanguage,
        currency,
        left: null,
        idempotencyKey: crypto.randomUUID(),
      });
      await suggest(profile.id);
    },
  };
});
