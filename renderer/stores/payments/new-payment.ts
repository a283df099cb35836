import { create } from 'zustand';
import type { DeskError } from '../../../shared/errors.ts';
import type { ProfileView } from '../../../shared/settings/profile.ts';
import type { PaymentFile } from '../../../shared/contract/index.ts';
import { call } from '../../ipc-client.ts';

export type Draft = {
  amount: string;
  currency: string;
  orderNumber: string;
  description: string;
  customerName: string;
  customerEmail: string;
  methods: readonly string[];
};
export type DraftField =
  'amount' | 'currency' | 'orderNumber' | 'description' | 'customerName' | 'customerEmail';

/** The form for a new payment. What was typed survives errors and other screens, but no change of the profile. */
type NewPaymentState = Draft & {
  profileId: string | null;
  /** One per form: sent twice, it makes one request. */
  intent: string;
  /** The number the profile's pattern gave, while the person has not typed another. */
  suggested: string;
  /** Fields whose problems may be shown: left once, or a submit was tried. */
  touched: readonly DraftField[];
  submitting: boolean;
  problem: DeskError | null;
  open: (profile: ProfileView) => Promise<void>;
  type: (field: DraftField, text: string) => void;
  chooseMethods: (methods: readonly string[]) => void;
  leave: (field: DraftField) => void;
  showAll: () => void;
  dismissProblem: () => void;
  submit: (locale: string, again: boolean) => Promise<PaymentFile | null>;
  /** Waits for the gateway no longer; the payment's outcome is unknown from then on. */
  stop: () => void;
  clear: () => Promise<void>;
};

const blank = {
  amount: '',
  orderNumber: '',
  description: '',
  customerName: '',
  customerEmail: '',
  suggested: '',
  touched: [],
  submitting: false,
  problem: null,
} as const;
const allFields: readonly DraftField[] = [
  'amount',
  'currency',
  'orderNumber',
  'description',
  'customerName',
  'customerEmail',
];

export const useNewPayment = create<NewPaymentState>()((set, get) => {
  const begin = async (profile: ProfileView): Promise<void> => {
    set({
      ...blank,
      profileId: profile.id,
      currency: profile.defaultCurrency,
      methods: profile.methods,
      intent: crypto.randomUUID(),
    });
    await suggest(profile.id);
  };
  const suggest = async (profileId: string): Promise<void> => {
    const suggestion = await call('payments.suggestOrder', { profileId });
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
    profileId: null,
    currency: 'EUR',
    methods: [],
    intent: crypto.randomUUID(),
    open: async profile => {
      if (get().profileId === profile.id) return undefined;
      // A draft belongs to one account: what was typed for a test must never be one Enter away from a live link.
      return begin(profile);
    },
    type: (field, text) => set({ [field]: text, problem: null }),
    chooseMethods: methods => set({ methods }),
    leave: field => {
      if (!get().touched.includes(field)) set({ touched: [...get().touched, field] });
    },
    showAll: () => set({ touched: allFields }),
    dismissProblem: () => set({ problem: null }),
    submit: async (locale, again) => {
      const state = get();
      if (state.submitting || state.profileId === null) return null;
      const intent = again ? crypto.randomUUID() : state.intent;
      set({ submitting: true, problem: null, touched: allFields, intent });
      const customer = {
        ...(state.customerName.trim() ? { name: state.customerName.trim() } : {}),
        ...(state.customerEmail.trim() ? { email: state.customerEmail.trim() } : {}),
      };
      const created = await call('payments.create', {
        profileId: state.profileId,
        intent,
        amount: state.amount,
        currency: state.currency,
        orderNumber: state.orderNumber.trim(),
        description: state.description.trim(),
        methods: [...state.methods],
        customer: Object.keys(customer).length > 0 ? customer : null,
        locale,
        again,
      });
      if (!created.ok) {
        set({ submitting: false, problem: created.error });
        return null;
      }
      set({ ...blank, profileId: null });
      return created.value;
    },
    stop: () => void call('payments.stopWaiting', { request: get().intent }),
    clear: async () => {
      const { profileId, currency, methods } = get();
      set({ ...blank, currency, methods, intent: crypto.randomUUID() });
      if (profileId !== null) await suggest(profileId);
    },
  };
});
