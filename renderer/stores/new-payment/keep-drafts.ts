import type { StoredDraft } from '../../../shared/contract/contract.ts';
import { containsCardNumber } from '../../../shared/card-number.ts';
import { isCardInPhoneField } from '../../../shared/phone-number.ts';
import { request } from '../../ipc-client.ts';
import { activeProfile, useAppState } from '../app-state-store.ts';
import {
  hasContent,
  type Draft,
  allDrafts,
  blank,
  draftsOf,
  isInUse,
  maxDrafts,
  withCurrent,
  type FormDraft,
} from './drafts.ts';
import { useNewPayment } from './new-payment-store.ts';

/** Pause in typing before the forms are saved, milliseconds. */
const delayMs = 400;
/** Limits of the contract, characters. */
const maxText = 4_096;
const maxCustomData = 16_384;

/** A text as it may be kept: main refuses a card number. */
const keptText = (text: string, limit = maxText): string =>
  containsCardNumber(text) ? '' : text.slice(0, limit);
const keptPhone = (text: string): string => (isCardInPhoneField(text) ? '' : text.slice(0, maxText));

const storedBilling = (billing: Draft['billing']): StoredDraft['billing'] =>
  billing && {
    address: keptText(billing.address),
    zip: keptText(billing.zip),
    city: keptText(billing.city),
    state: keptText(billing.state),
    country: keptText(billing.country),
    phone: keptPhone(billing.phone),
  };

/** A form as main keeps it: without the card token, and without what happened to it. */
export const toStored = ({
  profileId: _profileId,
  touched: _touched,
  submitting: _submitting,
  problem: _problem,
  lastField: _lastField,
  cardToken,
  lostCardToken,
  ...draft
}: FormDraft): StoredDraft => ({
  ...draft,
  amount: keptText(draft.amount),
  currency: draft.currency.slice(0, 3),
  orderNumber: keptText(draft.orderNumber),
  suggested: keptText(draft.suggested),
  description: keptText(draft.description),
  customerName: keptText(draft.customerName),
  customerEmail: keptText(draft.customerEmail),
  customerPhone: keptPhone(draft.customerPhone),
  billing: storedBilling(draft.billing),
  customData: keptText(draft.customData, maxCustomData),
  hadCardToken: lostCardToken || cardToken.trim() !== '',
});

const fromStored = (
  { hadCardToken, methods, ...stored }: StoredDraft,
  profileId: string,
  offered: readonly string[] | null,
): FormDraft => ({
  ...blank,
  ...stored,
  profileId,
  // The profile may have changed since.
  methods: offered === null ? methods : methods.filter(method => offered.includes(method)),
  // The key of an attempt that was sent is spent.
  idempotencyKey: crypto.randomUUID(),
  cardToken: '',
  lostCardToken: hadCardToken,
});

/** The forms of each profile as they were last read or saved. A profile that was not read is not saved. */
const saved = new Map<string, string>();
/** Whose forms they are; null until the first read. */
let owner: string | null = null;
/** The reads in flight, by profile. */
const reading = new Map<string, symbol>();

/** Opens the kept forms of a profile beside those that were opened before they could be read. */
const readDrafts = async (profileId: string): Promise<void> => {
  if (saved.has(profileId) || reading.has(profileId)) return;
  const own = Symbol(profileId);
  owner ??= useAppState.getState().appState?.agentId ?? null;
  reading.set(profileId, own);
  const read = await request('drafts.read', { profileId });
  // Another person has signed in: theirs may be in flight.
  if (reading.get(profileId) !== own) return;
  reading.delete(profileId);
  if (!read.ok) return;
  const { drafts, active, kept } = read.value;
  saved.set(profileId, JSON.stringify({ drafts, active }));
  const state = useNewPayment.getState();
  const present = allDrafts(state);
  const ids = new Set(present.map(({ id }) => id));
  const profile = activeProfile(useAppState.getState());
  const offered = profile?.id === profileId ? profile.methods : null;
  const stored = drafts.filter(({ id }) => !ids.has(id)).map(one => fromStored(one, profileId, offered));
  const shown = stored.find(({ id }) => id === active) ?? stored.at(-1);
  if (shown === undefined) return useNewPayment.setState({ kept });
  // A form in use stays in front; an empty one is replaced.
  if (state.profileId !== profileId || isInUse(state))
    return useNewPayment.setState({ kept, drafts: [...stored, ...present] });
  const rest = present.filter(({ id }) => id !== state.id);
  useNewPayment.setState({ kept, ...withCurrent([...stored, ...rest], shown) });
};

/** Saves what has changed; resolves when main has it. */
export const flushDrafts = async (): Promise<void> => {
  const agentId = owner;
  if (agentId === null) return;
  const state = useNewPayment.getState();
  for (const [profileId, before] of saved) {
    const own = draftsOf(state, profileId).filter(hasContent).slice(-maxDrafts);
    const active = own.some(({ id }) => id === state.id) ? state.id : null;
    const drafts = own.map(toStored);
    const content = JSON.stringify({ drafts, active });
    if (content === before) continue;
    saved.set(profileId, content);
    const answer = await request('drafts.save', { profileId, agentId, drafts, active });
    if (answer.ok) {
      const { kept } = useNewPayment.getState();
      useNewPayment.setState({ kept: answer.value.kept });
      // The keychain responds by now: earlier forms can be read.
      if (kept === 'this-run' && answer.value.kept === 'restart' && saved.delete(profileId))
        void readDrafts(profileId);
    }
    // Saved again with the next change.
    else if (saved.get(profileId) === content) saved.set(profileId, '');
  }
};

/** Another person signed in: their forms are read instead. Call `flushDrafts` before. */
export const forgetDrafts = (): void => {
  saved.clear();
  reading.clear();
  owner = null;
  useNewPayment.getState().reset();
};

/** Keeps the open forms; returns what ends it. */
export const followDrafts = (): (() => void) => {
  let timer: number | undefined;
  const unsubscribe = useNewPayment.subscribe((state, before) => {
    if (state.profileId !== null && state.profileId !== before.profileId) void readDrafts(state.profileId);
    // A request begins or has ended: its form must not be sent again after a restart.
    const isUrgent = state.submitting !== before.submitting || state.drafts !== before.drafts;
    window.clearTimeout(timer);
    timer = window.setTimeout(() => void flushDrafts(), isUrgent ? 0 : delayMs);
  });
  const flush = (): void => void flushDrafts();
  window.addEventListener('pagehide', flush);
  window.addEventListener('blur', flush);
  return () => {
    unsubscribe();
    window.clearTimeout(timer);
    window.removeEventListener('pagehide', flush);
    window.removeEventListener('blur', flush);
  };
};
