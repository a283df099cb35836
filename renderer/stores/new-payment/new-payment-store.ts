import { withoutUnseen } from '../../../shared/plain-text.ts';
import { create } from 'zustand';
import type { Language } from '../../../shared/messages/message.ts';
import type { ProfileView } from '../../../shared/settings/profile.ts';
import type { DraftsKept, PaymentDetail } from '../../../shared/contract/contract.ts';
import { request } from '../../ipc-client.ts';
import { activeProfile, useAppState } from '../app-state-store.ts';
import {
  customerOf,
  hasContent,
  noOptions,
  requestOptions,
  textFields,
  type Draft,
  type DraftField,
  type DraftOptions,
  allDrafts,
  blank,
  blankDraft,
  draftsOf,
  isInUse,
  maxDrafts,
  neighbourOf,
  withChanged,
  withCurrent,
  type FormDraft,
  type OpenDrafts,
} from './drafts.ts';

/** The draft of another profile, while it can be taken over. The order number stays behind. */
export type LeftDraft = {
  id: string;
  profileId: string;
  content: Pick<
    Draft,
    'amount' | 'currency' | 'description' | 'customerName' | 'customerEmail' | 'customerPhone'
  >;
};

/**
 * The forms for a new payment: the current one, and the others that are open. Their content survives errors, navigation,
 * a lock and a restart. A form belongs to one profile and to the person who typed it.
 */
type NewPaymentState = OpenDrafts & {
  /** The language of the last payment's messages, which the next form begins with. */
  lastLanguage: Language | null;
  left: LeftDraft | null;
  /** The last form that was closed or cleared, while it can be restored, and its place among all forms. */
  closed: { draft: FormDraft; at: number; how: 'closed' | 'cleared' } | null;
  /** A form that was sent while something else was shown. Without a link: it is unknown whether one was created. */
  sent: { draft: FormDraft; orderNumber: string; hasLink: boolean } | null;
  /** Whether the current form is on the screen. */
  isShown: boolean;
  /** The last form was not opened: there are too many. */
  isFull: boolean;
  /** How long the open forms are kept; null until main has said so. */
  kept: DraftsKept | null;
  open: (profile: ProfileView) => Promise<void>;
  type: (field: DraftField, text: string) => void;
  choose: (options: Partial<DraftOptions>) => void;
  markTouched: (field: DraftField) => void;
  showAll: () => void;
  dismissProblem: () => void;
  /** Opens a form with the draft that another profile's form held, which is closed; an empty form is filled. */
  takeLeft: () => void;
  dismissLeft: () => void;
  /**
   * Sends the current form; its tab closes once the link was created. Returns the payment if the form is still shown
   * then. `language`: of the window, for messages whose language was not chosen. `seconds`: the confirmed second links.
   */
  submit: (
    profile: ProfileView,
    written: { locale: string; language: Language },
    seconds: { allowDuplicate: boolean; allowSameIntent: boolean },
  ) => Promise<PaymentDetail | null>;
  /** Cancels the wait for the gateway; the payment's outcome is unknown then. */
  stop: () => void;
  clear: (profile: ProfileView) => Promise<void>;
  /**
   * Opens another form of the active profile with this content, beside those that are open; an empty form is filled.
   * False if too many are open, or while the console is locked.
   */
  openDraft: (content: Partial<Draft>) => boolean;
  /** Shows another open form. */
  switchTo: (id: string) => void;
  /** Shows the open form at this place of the profile's, from 0; `next`: the one after the current. */
  switchToPlace: (place: number | 'next') => void;
  /** Closes a form; `closed` is its content. One that is being sent stays. */
  close: (id: string) => void;
  /** Opens the closed form again. */
  undoClose: () => void;
  /** Dismisses the notes about a closed and a sent form, and about too many. */
  dismissNotes: () => void;
  /** Another person signed in: nothing of the forms remains. */
  reset: () => void;
};

const allFields: readonly DraftField[] = [...textFields, 'currency'];

/** The name of the focused field of the form. */
const focusedField = (): string | null => {
  const focused = typeof document === 'undefined' ? null : document.activeElement;
  return focused?.closest('.new-form') ? focused.getAttribute('name') : null;
};

const none = {
  ...blank,
  ...noOptions,
  methods: [],
  id: '',
  profileId: null,
  idempotencyKey: '',
  currency: 'EUR',
  drafts: [],
  left: null,
  closed: null,
  sent: null,
  isShown: false,
  isFull: false,
  kept: null,
} as const;

export const useNewPayment = create<NewPaymentState>()((set, get) => {
  /** The draft that was current last in each profile. */
  const lastOf = new Map<string, string>();

  const show = (drafts: readonly FormDraft[], draft: FormDraft): void => {
    lastOf.set(draft.profileId, draft.id);
    set({ ...withCurrent(drafts, draft), isFull: false });
  };
  /** All drafts, as they are when another one becomes current. */
  const parked = (): readonly FormDraft[] => {
    const state = get();
    const lastField = focusedField() ?? state.lastField;
    return allDrafts(state).map(one => (one.id === state.id ? { ...one, lastField } : one));
  };
  const suggest = async (profileId: string, id: string): Promise<void> => {
    const suggestion = await request('payments.suggestOrder', { profileId });
    const draft = allDrafts(get()).find(one => one.id === id);
    if (!suggestion.ok || draft === undefined) return;
    const { orderNumber, suggested } = draft;
    const untouched = orderNumber === '' || orderNumber === suggested;
    set(
      withChanged(get(), id, {
        suggested: suggestion.value.orderNumber,
        ...(untouched ? { orderNumber: suggestion.value.orderNumber } : {}),
      }),
    );
  };
  /** Opens an empty form, filled with `content`. */
  const begin = (profile: ProfileView, content: Partial<Draft> = {}): Promise<void> => {
    const draft = { ...blankDraft(profile, get().lastLanguage), ...content };
    show([...parked(), draft], draft);
    return suggest(profile.id, draft.id);
  };
  /** Removes a form without a trace; another one of its profile becomes current. */
  const remove = (id: string): void => {
    const state = get();
    const drafts = parked();
    const rest = drafts.filter(one => one.id !== id);
    if (state.id !== id) return set({ drafts: rest });
    const next = neighbourOf(drafts, id);
    if (next) show(rest, next);
    // The next form is opened when it is needed, for the profile that is active then.
    else set({ ...blank, ...noOptions, id: '', profileId: null, drafts: rest });
  };

  return {
    ...none,
    lastLanguage: null,
    open: async profile => {
      const before = get();
      if (before.profileId === profile.id) return undefined;
      // A draft belongs to one account: a test draft must never be one Enter away from a live link.
      const { amount, currency, description, customerName, customerEmail, customerPhone } = before;
      const own = draftsOf(before, profile.id);
      const last = own.find(({ id }) => id === lastOf.get(profile.id)) ?? own.at(-1);
      const isLeft =
        [amount, description, customerName, customerEmail, customerPhone].some(text => text.trim() !== '') &&
        !(last && isInUse(last));
      set({
        left:
          isLeft && before.profileId !== null && !before.submitting
            ? {
                id: before.id,
                profileId: before.profileId,
                content: { amount, currency, description, customerName, customerEmail, customerPhone },
              }
            : null,
      });
      if (last) return show(parked(), last);
      return begin(profile);
    },
    type: (field, text) => set({ [field]: text, problem: null }),
    choose: options => set({ ...options, problem: null }),
    markTouched: field => {
      if (!get().touched.includes(field)) set({ touched: [...get().touched, field] });
    },
    showAll: () => set({ touched: allFields }),
    dismissProblem: () => set({ problem: null }),
    takeLeft: () => {
      const state = get();
      const { left } = state;
      if (left === null) return;
      if (!isInUse(state)) set({ ...left.content, problem: null, touched: [] });
      else if (!state.openDraft(left.content)) return;
      set(({ drafts }) => ({ drafts: drafts.filter(({ id }) => id !== left.id), left: null }));
    },
    dismissLeft: () => set({ left: null }),
    submit: async (profile, { locale, language }, seconds) => {
      const state = get();
      const { id } = state;
      if (state.submitting || state.profileId !== profile.id) return null;
      const idempotencyKey = seconds.allowDuplicate ? crypto.randomUUID() : state.idempotencyKey;
      set({ submitting: true, problem: null, touched: allFields, idempotencyKey });
      const options = requestOptions(state, profile, language);
      const created = await request('payments.create', {
        profileId: state.profileId,
        idempotencyKey,
        amount: state.amount,
        currency: state.currency,
        orderNumber: withoutUnseen(state.orderNumber),
        description: state.description.trim(),
        methods: [...state.methods],
        customer: customerOf(state, profile),
        options,
        locale,
        ...seconds,
      });
      const sent = allDrafts(get()).find(one => one.id === id);
      // Another person has signed in.
      if (sent === undefined) return null;
      if (!created.ok) {
        set(
          withChanged(get(), id, {
            submitting: false,
            problem: created.error,
            idempotencyKey: crypto.randomUUID(),
          }),
        );
        return null;
      }
      const isShown = get().isShown && get().id === id;
      remove(id);
      set({
        left: null,
        lastLanguage: options.language ?? null,
        ...(isShown
          ? {}
          : {
              sent: {
                draft: sent,
                orderNumber: created.value.payment.orderNumber,
                hasLink: created.value.payment.link !== null,
              },
            }),
      });
      return isShown ? created.value : null;
    },
    stop: () => void request('payments.cancelWait', { requestId: get().idempotencyKey }),
    clear: async profile => {
      const state = get();
      const drafts = allDrafts(state);
      const at = drafts.findIndex(one => one.id === state.id);
      const cleared = drafts[at];
      const draft = { ...blankDraft(profile, state.lastLanguage), currency: state.currency };
      if (cleared === undefined || cleared.submitting) return undefined;
      show(drafts.with(at, draft), draft);
      set({
        left: null,
        closed: hasContent(cleared) ? { draft: cleared, at, how: 'cleared' } : get().closed,
      });
      return suggest(profile.id, draft.id);
    },
    openDraft: content => {
      const profile = activeProfile(useAppState.getState());
      if (profile === null) return false;
      void get().open(profile);
      const state = get();
      if (!isInUse(state)) {
        set({ ...content, problem: null, touched: [] });
        return true;
      }
      if (draftsOf(state).length >= maxDrafts) {
        set({ isFull: true });
        return false;
      }
      void begin(profile, content);
      return true;
    },
    switchTo: id => {
      const drafts = parked();
      const draft = drafts.find(one => one.id === id);
      if (draft?.profileId === get().profileId && draft.id !== get().id) show(drafts, draft);
    },
    switchToPlace: place => {
      const state = get();
      const own = draftsOf(state);
      const at = own.findIndex(({ id }) => id === state.id);
      const draft = own[place === 'next' ? (at + 1) % own.length : place];
      if (draft) state.switchTo(draft.id);
    },
    close: id => {
      const state = get();
      const drafts = parked();
      const at = drafts.findIndex(one => one.id === id);
      const draft = drafts[at];
      if (draft === undefined || draft.submitting) return;
      remove(id);
      set({ isFull: false, ...(hasContent(draft) ? { closed: { draft, at, how: 'closed' } } : {}) });
      const profile = activeProfile(useAppState.getState());
      if (profile && state.id === id && get().profileId === null) void begin(profile);
    },
    undoClose: () => {
      const { closed, id } = get();
      if (closed === null) return;
      // The empty form that took its place.
      const present = parked();
      const current = present.find(one => one.id === id);
      const drafts = current && !isInUse(current) ? present.filter(one => one.id !== id) : present;
      const { draft, at } = closed;
      if (drafts.filter(one => one.profileId === draft.profileId).length >= maxDrafts)
        return set({ isFull: true });
      show(drafts.toSpliced(at, 0, draft), draft);
      set({ closed: null });
    },
    dismissNotes: () => set({ closed: null, sent: null, isFull: false }),
    reset: () => {
      lastOf.clear();
      set({ ...none, lastLanguage: null, isShown: get().isShown });
    },
  };
});
