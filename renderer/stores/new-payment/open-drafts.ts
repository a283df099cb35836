import type { AppError } from '../../../shared/errors.ts';
import type { ProfileView } from '../../../shared/settings/profile.ts';
import { hasContent, noOptions, textFields, type Draft, type DraftField } from './draft.ts';

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
