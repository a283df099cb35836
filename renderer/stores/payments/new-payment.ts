import { create } from 'zustand';
import type { AppError } from '../../../shared/errors.ts';
import type { ProfileView } from '../../../shared/settings/profile.ts';
import type { PaymentDetail } from '../../../shared/contract/index.ts';
import { request } from '../../ipc-client.ts';

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

/** The form for a new payment. Its content survives errors and navigation, but not a change of the profile. */
type NewPaymentState = Draft & {
  profileId: string | null;
  /** One per form: submitting twice makes one request. */
  idempotencyKey: string;
  /** The number suggested by the profile's pattern, until another one is typed. */
  suggested: string;
  /** Fields whose problems may be shown: left once, or after an attempt to submit. */
  touched: readonly DraftField[];
  submitting: boolean;
  problem: AppError | null;
  open: (profile: ProfileView) => Promise<void>;
  type: (field: DraftField, text: string) => void;
  chooseMethods: (methods: readonly string[]) => void;
  markTouched: (field: DraftField) => void;
  showAll: () => void;
  dismissProblem: () => void;
  submit: (locale: string, allowDuplicate: boolean) => Promise<PaymentDetail | null>;
  /** Cancels the wait for the gateway; the payment's outcome is unknown then. */
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
      idempotencyKey: crypto.randomUUID(),
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
    profileId: null,
    currency: 'EUR',
    methods: [],
    idempotencyKey: crypto.randomUUID(),
    open: async profile => {
      if (get().profileId === profile.id) return undefined;
      // A draft belongs to one account: a test draft must never be one Enter away from a live link.
      return begin(profile);
    },
    type: (field, text) => set({ [field]: text, problem: null }),
    chooseMethods: methods => set({ methods }),
    markTouched: field => {
      if (!get().touched.includes(field)) set({ touched: [...get().touched, field] });
    },
    showAll: () => set({ touched: allFields }),
    dismissProblem: () => set({ problem: null }),
    submit: async (locale, allowDuplicate) => {
      const state = get();
      if (state.submitting || state.profileId === null) return null;
      const idempotencyKey = allowDuplicate ? crypto.randomUUID() : state.idempotencyKey;
      set({ submitting: true, problem: null, touched: allFields, idempotencyKey });
      const customer = {
        ...(state.customerName.trim() ? { name: state.customerName.trim() } : {}),
        ...(state.customerEmail.trim() ? { email: state.customerEmail.trim() } : {}),
      };
      const created = await request('payments.create', {
        profileId: state.profileId,
        idempotencyKey,
        amount: state.amount,
        currency: state.currency,
        orderNumber: state.orderNumber.trim(),
        description: state.description.trim(),
        methods: [...state.methods],
        customer: Object.keys(customer).length > 0 ? customer : null,
        locale,
        allowDuplicate,
      });
      if (!created.ok) {
        set({ submitting: false, problem: created.error });
        return null;
      }
      set({ ...blank, profileId: null });
      return created.value;
    },
    stop: () => void request('payments.cancelWait', { requestId: get().idempotencyKey }),
    clear: async () => {
      const { profileId, currency, methods } = get();
      set({ ...blank, currency, methods, idempotencyKey: crypto.randomUUID() });
      if (profileId !== null) await suggest(profileId);
    },
  };
});
