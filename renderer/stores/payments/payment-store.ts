import { create } from 'zustand';
import type { PaymentDetail, RequestInput } from '../../../shared/contract/contract.ts';
import { sameKey, type PaymentKey } from '../../../shared/payments/payment-key.ts';
import { requestShownOf } from '../../../shared/payment-reducer/reduce-requests.ts';
import { lookUpKeyOf } from '../../../shared/look-ups/look-up-key.ts';
import type { AppError, Result } from '../../../shared/errors.ts';
import { allowedOptions } from '../../../shared/settings/offered-options.ts';
import type { WithdrawalReason } from '../../../shared/payments/order-link.ts';
import type { ShareChannel } from '../../../shared/payments/evidence.ts';
import { useAppState } from '../app-state-store.ts';
import type { Language } from '../../../shared/messages/language.ts';
import type { MessageChannel } from '../../../shared/merchant-texts/message-templates.ts';
import { typedForm } from '../../amount-reading.ts';
import { request, subscribe } from '../../ipc-client.ts';

/** What a person saw in the provider's dashboard about the open payment. */
type Seen = Omit<RequestInput<'movements.record'>, keyof PaymentKey>;

/** The open payment, with its events. */
type PaymentStore = {
  key: PaymentKey | null;
  file: PaymentDetail | null;
  /** Why it cannot be shown. */
  problem: AppError | null;
  /** The error of the last action. */
  actionProblem: AppError | null;
  busy: 'look-up' | 'earlier' | 'note' | 'again' | 'erase' | 'dossier' | ShareChannel | null;
  /** Identifies the gateway request in flight. */
  requestId: string | null;
  /** The last look-up was cancelled. */
  stopped: boolean;
  /** The channel of the last share, while its confirmation is visible. */
  done: ShareChannel | null;
  /** The exported dossier, and whether all of it is proven. */
  dossier: { file: string; proven: boolean } | null;
  /** The payment (its key, as text) whose page opens with the question about a new link; null: none. */
  newLinkFor: string | null;
  open: (key: PaymentKey) => Promise<void>;
  /** Loads the previous page of events. */
  showEarlier: () => Promise<void>;
  /** Shows a payment that is loaded already, without another request. */
  put: (file: PaymentDetail) => void;
  lookUp: () => Promise<void>;
  /** Cancels the wait for the gateway. */
  cancelWait: () => void;
  /** `message`: its language, and the text that the channel `message` copies. */
  shareLink: (
    channel: ShareChannel,
    message?: { language: Language; text: MessageChannel },
  ) => Promise<boolean>;
  /** Records that the confirmation slip is printed; false if it must not be. */
  printConfirmation: () => Promise<boolean>;
  /** Records that a link is no longer shared. */
  withdraw: (idempotencyKey: string, reason: WithdrawalReason, text: string) => Promise<Result<unknown>>;
  /** Records what the provider's dashboard shows. */
  record: (seen: Seen) => Promise<Result<unknown>>;
  /** Takes such a record back, by its event. */
  takeBack: (recorded: string) => Promise<void>;
  note: (text: string) => Promise<Result<unknown>>;
  /** Erases the customer's details permanently. */
  erase: () => Promise<void>;
  /** Exports the dossier to a file that the user chooses. */
  writeDossier: () => Promise<void>;
  /**
   * A new link for the same order: a new idempotency key, after a confirmation. `allowSameIntent`: also if the customer
   * has another order's link for the amount.
   */
  createAnotherLink: (allowSameIntent?: boolean) => Promise<void>;
  dismissProblem: () => void;
};

/** The new data, with the earlier pages that were shown already. */
const withEarlier = (read: PaymentDetail, shown: PaymentDetail | null): PaymentDetail => {
  const oldest = shown?.earlier ?? 0;
  const isLonger = shown !== null && read.earlier !== null && oldest < read.earlier;
  if (!isLonger || !sameKey(shown.payment, read.payment)) return read;
  const ids = new Set(read.events.map(({ id }) => id));
  const known = new Set(shown.events.map(({ id }) => id));
  // Erased data must not stay on the screen, and the pages must have no gap.
  const isAmended = read.events.some(({ id, kind }) => kind === 'amended' && !known.has(id));
  const meets = read.events.some(({ id, kind }) => !kind.startsWith('session.') && known.has(id));
  if (isAmended || !meets) return read;
  const events = [...shown.events.filter(({ id }) => !ids.has(id)), ...read.events];
  return {
    ...read,
    events: events.sort((one, other) => one.happenedAt - other.happenedAt),
    earlier: shown.earlier,
  };
};

export const usePayment = create<PaymentStore>()((set, get) => {
  const reload = async (key: PaymentKey): Promise<void> => {
    const read = await request('payments.read', key);
    if (!sameKey(get().key, key)) return;
    if (read.ok) set({ file: withEarlier(read.value, get().file), problem: null });
    else set({ problem: read.error });
  };
  return {
    key: null,
    file: null,
    problem: null,
    actionProblem: null,
    busy: null,
    requestId: null,
    stopped: false,
    done: null,
    dossier: null,
    newLinkFor: null,
    open: async key => {
      const stored = sameKey(get().file?.payment ?? null, key) ? get().file : null;
      set({
        key,
        file: stored,
        problem: null,
        actionProblem: null,
        busy: null,
        stopped: false,
        done: null,
        dossier: null,
      });
      await reload(key);
    },
    put: file => {
      const { profileId, orderNumber } = file.payment;
      set({
        key: { profileId, orderNumber },
        file,
        problem: null,
        actionProblem: null,
        stopped: false,
        done: null,
        dossier: null,
      });
    },
    showEarlier: async () => {
      const { key, file, busy } = get();
      if (key === null || file === null || file.earlier === null || busy !== null) return;
      set({ busy: 'earlier', actionProblem: null });
      const read = await request('payments.read', { ...key, before: file.earlier });
      if (!sameKey(get().key, key)) return;
      if (!read.ok) return set({ busy: null, actionProblem: read.error });
      const shown = get().file ?? file;
      const ids = new Set(shown.events.map(({ id }) => id));
      const events = [...read.value.events.filter(({ id }) => !ids.has(id)), ...shown.events];
      set({
        busy: null,
        file: {
          ...read.value,
          events: events.sort((one, other) => one.happenedAt - other.happenedAt),
        },
      });
    },
    lookUp: async () => {
      const { key, file, busy } = get();
      if (key === null || file === null || busy !== null) return;
      const requestId = crypto.randomUUID();
      set({ busy: 'look-up', requestId, actionProblem: null, stopped: false });
      const { profileId } = key;
      const looked = await request('payments.lookUp', {
        profileId,
        key: lookUpKeyOf(file.payment),
        requestId,
      });
      if (!sameKey(get().key, key)) return;
      const stopped = !looked.ok && looked.error.code === 'gateway.cancelled';
      set({ busy: null, stopped, actionProblem: looked.ok || stopped ? null : looked.error });
      await reload(key);
    },
    cancelWait: () => {
      const { requestId } = get();
      if (requestId !== null) void request('payments.cancelWait', { requestId });
    },
    shareLink: async (channel, message) => {
      const { key } = get();
      if (key === null) return false;
      set({ busy: channel, actionProblem: null, done: null });
      const shared = await request('payments.shareLink', { ...key, channel, ...message });
      if (!sameKey(get().key, key)) return shared.ok;
      set({
        busy: null,
        actionProblem: shared.ok ? null : shared.error,
        done: shared.ok ? channel : null,
      });
      return shared.ok;
    },
    printConfirmation: async () => {
      const { key } = get();
      if (key === null) return false;
      set({ actionProblem: null });
      const recorded = await request('payments.printConfirmation', key);
      if (!sameKey(get().key, key)) return false;
      if (!recorded.ok) set({ actionProblem: recorded.error });
      return recorded.ok;
    },
    withdraw: async (idempotencyKey, reason, text) => {
      const { key } = get();
      if (key === null) return { ok: true, value: null };
      const withdrawn = await request('payments.withdrawLink', { ...key, idempotencyKey, reason, text });
      if (withdrawn.ok && sameKey(get().key, key)) set({ file: withEarlier(withdrawn.value, get().file) });
      return withdrawn;
    },
    record: async seen => {
      const { key } = get();
      if (key === null) return { ok: true, value: null };
      const recorded = await request('movements.record', { ...key, ...seen });
      if (recorded.ok && sameKey(get().key, key)) set({ file: withEarlier(recorded.value, get().file) });
      return recorded;
    },
    takeBack: async recorded => {
      const { key } = get();
      if (key === null) return;
      set({ actionProblem: null });
      const undone = await request('movements.undo', { ...key, recorded });
      if (!sameKey(get().key, key)) return;
      if (undone.ok) set({ file: withEarlier(undone.value, get().file) });
      else set({ actionProblem: undone.error });
    },
    note: async text => {
      const { key } = get();
      if (key === null) return { ok: true, value: null };
      set({ busy: 'note' });
      const noted = await request('payments.note', { ...key, text });
      if (!sameKey(get().key, key)) return noted;
      set({ busy: null });
      if (noted.ok) await reload(key);
      return noted;
    },
    erase: async () => {
      const { key } = get();
      if (key === null) return;
      set({ busy: 'erase', actionProblem: null });
      const erased = await request('log.erase', key);
      if (!sameKey(get().key, key)) return;
      set({ busy: null, actionProblem: erased.ok ? null : erased.error });
      if (erased.ok) await reload(key);
    },
    writeDossier: async () => {
      const { key } = get();
      if (key === null) return;
      set({ busy: 'dossier', actionProblem: null, dossier: null });
      const written = await request('payments.dossier', key);
      if (!sameKey(get().key, key)) return;
      if (!written.ok) return set({ busy: null, actionProblem: written.error });
      const { file, proven } = written.value;
      set({ busy: null, dossier: file === null ? null : { file, proven } });
    },
    dismissProblem: () => set({ actionProblem: null }),
    createAnotherLink: async (allowSameIntent = false) => {
      const { key, file, busy } = get();
      if (key === null || file === null || busy !== null) return;
      const { amount, currency, description, customer, customerFrom } = file.payment;
      const profile = useAppState.getState().appState?.profiles.find(({ id }) => id === key.profileId);
      const shown = requestShownOf(file.events);
      const requestId = crypto.randomUUID();
      set({ busy: 'again', requestId, actionProblem: null, stopped: false });
      const raised = await request('payments.create', {
        ...key,
        idempotencyKey: requestId,
        // As a person types it: the wire form has decimals that some currencies do not have.
        amount: typedForm(amount ?? '', currency ?? ''),
        locale: 'en',
        currency: currency ?? '',
        description: description ?? '',
        // What is sent counts as typed here: never the details of a callback or a status check.
        customer: customerFrom === 'request' ? customer : null,
        // The second link is as the first one was asked for, without its card token.
        ...(shown && { methods: shown.body.methods }),
        options: profile ? allowedOptions(profile, shown?.body.options) : {},
        allowDuplicate: true,
        allowSameIntent,
      });
      if (!sameKey(get().key, key)) return;
      if (raised.ok) set({ busy: null, file: raised.value, done: null });
      else {
        set({ busy: null, actionProblem: raised.error });
        await reload(key);
      }
    },
  };
});

/** Reads the open payment again after every change event of it. */
export const followPayment = (): void => {
  const readAgain = async (key: PaymentKey): Promise<void> => {
    const read = await request('payments.read', key);
    if (read.ok && sameKey(usePayment.getState().key, key)) {
      usePayment.setState(({ file }) => ({ file: withEarlier(read.value, file), problem: null }));
    }
  };
  subscribe('payments.changed', ({ payments }) => {
    const { key } = usePayment.getState();
    if (key !== null && (payments === null || payments.some(payment => sameKey(payment, key))))
      void readAgain(key);
  });
};
