import { useLayoutEffect } from 'react';
import { create } from 'zustand';
import type { PaymentDetail, RequestInput } from '../../shared/contract/contract.ts';
import { paymentKey, sameKey, type PaymentKey } from '../../shared/payments/payment-row.ts';
import { requestShownOf } from '../../shared/payment-reducer/reduce-requests.ts';
import { lookUpKeyOf } from '../../shared/look-ups/look-up-key.ts';
import type { AppError, Result } from '../../shared/errors.ts';
import { allowedOptions } from '../../shared/settings/offered-options.ts';
import type { WithdrawalReason } from '../../shared/payments/order-link.ts';
import type { ShareChannel } from '../../shared/payments/evidence.ts';
import { useAppState } from '../stores/app-state-store.ts';
import type { Language } from '../../shared/messages/message.ts';
import type { MessageChannel } from '../../shared/merchant-texts/message-templates.ts';
import { typedForm } from '../amount-reading.ts';
import { request } from '../ipc-client.ts';
import { createQuery } from './create-query.ts';

/** What a person saw in the provider's dashboard about the open payment. */
type Seen = Omit<RequestInput<'movements.record'>, keyof PaymentKey>;

/** What a person does about the open payment. */
type PaymentStore = {
  key: PaymentKey | null;
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
  open: (key: PaymentKey) => void;
  /** The page of this payment is left: another visit begins without messages. */
  leave: (key: PaymentKey) => void;
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
  noteDispute: (
    noted: Omit<RequestInput<'movements.noteDispute'>, keyof PaymentKey>,
  ) => Promise<Result<unknown>>;
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
  const isLonger = shown !== null && read.earlier !== null && shown.earlier !== read.earlier;
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

/** A payment with its latest events, and the earlier pages that were added. */
export const paymentQuery = createQuery({
  read: (key: PaymentKey) => request('payments.read', key),
  merge: withEarlier,
  on: ['payments.changed'],
  concerns: (changed, key) => changed?.has(paymentKey(key)) ?? true,
});

const nothingDone = { actionProblem: null, busy: null, stopped: false, done: null, dossier: null } as const;
const noPayment = { ok: true, value: null } as const;

export const usePayment = create<PaymentStore>()((set, get) => {
  const fileOf = (key: PaymentKey | null): PaymentDetail | null => key && paymentQuery.get(key).value;
  const show = (file: PaymentDetail): void => {
    const { profileId, orderNumber } = file.payment;
    paymentQuery.update({ profileId, orderNumber }, present => withEarlier(file, present));
  };
  /**
   * Does something with the open payment, unless there is none. `then` changes the state by the answer, if the payment is
   * still open; without it an error is shown on the page.
   */
  const act = async <T>(
    begun: Partial<PaymentStore>,
    send: (key: PaymentKey) => Promise<Result<T>>,
    then: (answer: Result<T>) => Partial<PaymentStore> = () => ({}),
  ): Promise<Result<T | null>> => {
    const { key } = get();
    if (key === null) return noPayment;
    set({ actionProblem: null, ...begun });
    const answer = await send(key);
    if (sameKey(get().key, key))
      set({
        ...(begun.busy && { busy: null }),
        actionProblem: answer.ok ? null : answer.error,
        ...then(answer),
      });
    return answer;
  };
  /** An action whose form shows the error itself, and whose answer is the payment. */
  const amend = async (
    send: (key: PaymentKey) => Promise<Result<PaymentDetail>>,
  ): Promise<Result<unknown>> => {
    const answer = await act({}, send, () => ({ actionProblem: null }));
    if (answer.ok && answer.value) show(answer.value);
    return answer;
  };
  const reload = async (): Promise<void> => {
    const { key } = get();
    if (key !== null) await paymentQuery.read(key);
  };
  return {
    key: null,
    ...nothingDone,
    requestId: null,
    newLinkFor: null,
    open: key => {
      if (!sameKey(get().key, key)) set({ key, ...nothingDone });
    },
    leave: key => {
      if (sameKey(get().key, key)) set({ key: null, ...nothingDone });
    },
    put: file => {
      const { profileId, orderNumber } = file.payment;
      show(file);
      set({ key: { profileId, orderNumber }, ...nothingDone });
    },
    showEarlier: async () => {
      const { key, busy } = get();
      const before = fileOf(key)?.earlier ?? null;
      if (before === null || busy !== null) return;
      const read = await act({ busy: 'earlier' }, of => request('payments.read', { ...of, before }));
      if (key === null || !read.ok || read.value === null) return;
      const page = read.value;
      paymentQuery.update(key, shown => {
        if (shown === null) return null;
        const ids = new Set(shown.events.map(({ id }) => id));
        const events = [...page.events.filter(({ id }) => !ids.has(id)), ...shown.events];
        return { ...page, events: events.sort((one, other) => one.happenedAt - other.happenedAt) };
      });
    },
    lookUp: async () => {
      const { key, busy } = get();
      const file = fileOf(key);
      if (file === null || busy !== null) return;
      const requestId = crypto.randomUUID();
      await act(
        { busy: 'look-up', requestId, stopped: false },
        ({ profileId }) =>
          request('payments.lookUp', { profileId, key: lookUpKeyOf(file.payment), requestId }),
        looked => {
          const stopped = !looked.ok && looked.error.code === 'gateway.cancelled';
          return stopped ? { stopped, actionProblem: null } : {};
        },
      );
      await reload();
    },
    cancelWait: () => {
      const { requestId } = get();
      if (requestId !== null) void request('payments.cancelWait', { requestId });
    },
    shareLink: async (channel, message) => {
      const shared = await act(
        { busy: channel, done: null },
        key => request('payments.shareLink', { ...key, channel, ...message }),
        ({ ok }) => ({ done: ok ? channel : null }),
      );
      return shared.ok && shared.value !== null;
    },
    printConfirmation: async () => {
      const { key } = get();
      const recorded = await act({}, of => request('payments.printConfirmation', of));
      return recorded.ok && recorded.value !== null && sameKey(get().key, key);
    },
    withdraw: (idempotencyKey, reason, text) =>
      amend(key => request('payments.withdrawLink', { ...key, idempotencyKey, reason, text })),
    record: seen => amend(key => request('movements.record', { ...key, ...seen })),
    noteDispute: noted => amend(key => request('movements.noteDispute', { ...key, ...noted })),
    takeBack: async recorded => {
      const undone = await act({}, key => request('movements.undo', { ...key, recorded }));
      if (undone.ok && undone.value) show(undone.value);
    },
    note: async text => {
      const noted = await act(
        { busy: 'note' },
        key => request('payments.note', { ...key, text }),
        () => ({ actionProblem: null }),
      );
      if (noted.ok) await reload();
      return noted;
    },
    erase: async () => {
      const erased = await act({ busy: 'erase' }, key => request('log.erase', key));
      if (erased.ok) await reload();
    },
    writeDossier: async () => {
      await act(
        { busy: 'dossier', dossier: null },
        key => request('payments.dossier', key),
        written => {
          if (!written.ok || written.value.file === null) return {};
          return { dossier: { file: written.value.file, proven: written.value.proven } };
        },
      );
    },
    dismissProblem: () => set({ actionProblem: null }),
    createAnotherLink: async (allowSameIntent = false) => {
      const { key, busy } = get();
      const file = fileOf(key);
      if (key === null || file === null || busy !== null) return;
      const { amount, currency, description, customer, customerFrom } = file.payment;
      const profile = useAppState.getState().appState?.profiles.find(({ id }) => id === key.profileId);
      const shown = requestShownOf(file.events);
      const requestId = crypto.randomUUID();
      const raised = await act(
        { busy: 'again', requestId, stopped: false },
        of =>
          request('payments.create', {
            ...of,
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
          }),
        ({ ok }) => (ok ? { done: null } : {}),
      );
      if (raised.ok && raised.value) paymentQuery.update(key, () => raised.value);
      else await reload();
    },
  };
});

/** The page or the pane of a payment is shown: its actions are about it until it is left. */
export const useVisit = (profileId: string, orderNumber: string): void =>
  useLayoutEffect(() => {
    const key = { profileId, orderNumber };
    usePayment.getState().open(key);
    return () => usePayment.getState().leave(key);
  }, [profileId, orderNumber]);
