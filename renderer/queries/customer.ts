import { create } from 'zustand';
import type { RequestOutput } from '../../shared/contract/contract.ts';
import type { AppError } from '../../shared/errors.ts';
import { sameKey, type PaymentKey } from '../../shared/payments/payment-row.ts';
import { request, subscribe } from '../ipc-client.ts';
import { createQuery } from './create-query.ts';
import { paymentQuery, usePayment } from './payment.ts';

export type Customer = NonNullable<RequestOutput<'customers.read'>['customer']>;
export type CustomerCandidate = Customer['candidates'][number];

/** The last action, while its confirmation is visible. */
type Done =
  | { kind: 'joined'; id: string; name: string; orderNumber: string }
  | { kind: 'separated'; name: string; orderNumber: string }
  | { kind: 'erased'; payments: number; isStopped: boolean }
  | { kind: 'copied'; orderNumber: string };

/**
 * The customer that a payment names, with all of their payments in its profile; null: it names none. Another payment of
 * the customer has an unknown order number: any change may be one.
 */
export const customerQuery = createQuery({
  read: (key: PaymentKey) => request('customers.read', key),
  on: ['payments.changed'],
  throttleMs: 300,
});

/** What a person does about the customer of the page. */
type CustomerStore = {
  /** The payment that names the customer. */
  key: PaymentKey | null;
  /** The error of the last action. */
  actionProblem: AppError | null;
  busy: 'joining' | 'separating' | 'erasing' | 'copying' | 'linking' | null;
  /** A running erasure: its id, and how many payments of how many are done. */
  erasing: { requestId: string; done: number; total: number } | null;
  done: Done | null;
  /** Whether another order of the same person is asked for. */
  isAskingForOther: boolean;
  open: (key: PaymentKey) => void;
  dismiss: () => void;
  /** Joins the other details to this customer; nothing of the payments changes, and it can be undone. */
  join: (other: { name: string; orderNumber: string }) => Promise<void>;
  separate: (joined: { id: string; name: string; orderNumber: string }) => Promise<void>;
  /** Reverses the last `join` or `separate`. */
  undo: () => Promise<void>;
  /** Erases the details from all of the customer's payments permanently. */
  erase: () => Promise<void>;
  /** Ends a running erasure; what is erased stays so. */
  stopErasing: () => void;
  copyLink: (payment: PaymentKey) => Promise<void>;
  /**
   * Creates another link for an order whose link is over: whether the payment can be opened to share it, and the refusal
   * that asks first, because the customer has another link for the amount.
   */
  createLink: (
    payment: PaymentKey,
    allowSameIntent: boolean,
  ) => Promise<{ hasLink: boolean; question: AppError | null }>;
};

const nothingDone = {
  actionProblem: null,
  busy: null,
  erasing: null,
  done: null,
  isAskingForOther: false,
} as const;

export const useCustomer = create<CustomerStore>()((set, get) => {
  /** Runs one action at a time on the open customer and reads the customer again. */
  const act = async (
    busy: NonNullable<CustomerStore['busy']>,
    send: (key: PaymentKey) => Promise<{ problem: AppError | null; done: Done | null }>,
  ): Promise<void> => {
    const { key, busy: other } = get();
    if (key === null || other !== null) return;
    set({ busy, actionProblem: null, done: null });
    const { problem, done } = await send(key);
    if (!sameKey(get().key, key)) return;
    if (problem === null && busy !== 'copying') await customerQuery.read(key);
    if (sameKey(get().key, key)) set({ busy: null, actionProblem: problem, done });
  };
  return {
    key: null,
    ...nothingDone,
    open: key => {
      if (!sameKey(get().key, key)) set({ key, ...nothingDone });
    },
    dismiss: () => set({ actionProblem: null, done: null }),
    join: ({ name, orderNumber }) =>
      act('joining', async key => {
        const joined = await request('customers.join', { ...key, otherOrderNumber: orderNumber });
        return joined.ok
          ? { problem: null, done: { kind: 'joined', id: joined.value.joined, name, orderNumber } }
          : { problem: joined.error, done: null };
      }),
    separate: ({ id, name, orderNumber }) =>
      act('separating', async key => {
        const separated = await request('customers.separate', { ...key, joined: id });
        return separated.ok
          ? { problem: null, done: { kind: 'separated', name, orderNumber } }
          : { problem: separated.error, done: null };
      }),
    undo: async () => {
      const { key, done, join, separate, dismiss } = get();
      const customer = key && customerQuery.get(key).value?.customer;
      if (done?.kind === 'separated') return join(done);
      if (done?.kind !== 'joined') return undefined;
      // The other customer may have had joined spellings before.
      const isJoined = customer?.spellings.some(({ joined }) => joined?.id === done.id);
      // Another person has separated them in the meantime.
      return isJoined ? separate(done) : dismiss();
    },
    erase: () =>
      act('erasing', async key => {
        const requestId = crypto.randomUUID();
        set({ erasing: { requestId, done: 0, total: 0 } });
        const erased = await request('customers.erase', { ...key, requestId });
        if (get().erasing?.requestId === requestId) set({ erasing: null });
        return erased.ok
          ? { problem: null, done: { kind: 'erased', ...erased.value } }
          : { problem: erased.error, done: null };
      }),
    stopErasing: () => {
      const { erasing } = get();
      if (erasing !== null) void request('payments.cancelWait', { requestId: erasing.requestId });
    },
    copyLink: payment =>
      act('copying', async () => {
        const { profileId, orderNumber } = payment;
        const shared = await request('payments.shareLink', { profileId, orderNumber, channel: 'copy' });
        return shared.ok
          ? { problem: null, done: { kind: 'copied', orderNumber } }
          : { problem: shared.error, done: null };
      }),
    createLink: async ({ profileId, orderNumber }, allowSameIntent) => {
      let answer: { hasLink: boolean; question: AppError | null } = { hasLink: false, question: null };
      await act('linking', async () => {
        usePayment.getState().open({ profileId, orderNumber });
        const { problem: unread } = await paymentQuery.read({ profileId, orderNumber });
        await usePayment.getState().createAnotherLink(allowSameIntent);
        const { actionProblem } = usePayment.getState();
        const problem = actionProblem ?? unread;
        const question = problem?.code === 'payment.same-intent' ? problem : null;
        answer = { hasLink: problem === null, question };
        return { problem: question === null ? problem : null, done: null };
      });
      return answer;
    },
  };
});

/** Shows the progress of a running erasure; returns what ends it. */
export const followErasure = (): (() => void) =>
  subscribe('log.progress', ({ job, done, total }) => {
    const { erasing } = useCustomer.getState();
    if (job === 'erase' && erasing !== null) useCustomer.setState({ erasing: { ...erasing, done, total } });
  });
