import { create } from 'zustand';
import type { OpenOperation, OperationOffer, RequestInput } from '../../../shared/contract/contract.ts';
import type { AppError } from '../../../shared/errors.ts';
import type { PaymentKey } from '../../../shared/payments/payment-key.ts';
import type { OperationKind, operationReasons } from '../../../shared/operations/operation-kinds.ts';
import type { Operation } from '../../../shared/operations/operation.ts';
import { request } from '../../ipc-client.ts';

/** The operations of a payment's page; a stored card is charged again elsewhere. */
export type OfferedKind = Exclude<OperationKind, 'recurring'>;
export type OperationReason = (typeof operationReasons)[number];

/** What is typed and chosen in the form of an operation. Nothing is filled in before. */
export type OperationFields = {
  kind: OfferedKind;
  paymentId: string;
  /** How much of an operation that can be sent for a part. */
  extent: 'whole' | 'part' | null;
  amount: string;
  reason: OperationReason | null;
  text: string;
  typedOrder: string;
  /** The second person, by id. */
  approver: string | null;
  pin: string;
};

/** The operations that are offered for the open payment, and the form of one of them. */
type OperationStore = {
  key: PaymentKey | null;
  offer: OperationOffer | null;
  /** Null: no form is open. */
  fields: OperationFields | null;
  /** The opened form: at most one request is sent for it. A refusal ends it; the form is begun again. */
  intent: string;
  /** What has no result yet, as last shown. */
  open: readonly OpenOperation[];
  /** Although another operation has no result. */
  insists: boolean;
  isSending: boolean;
  /** It was submitted once: what is missing is shown at its field. */
  isTried: boolean;
  /** The wait for the response was cancelled. */
  hasStopped: boolean;
  /** The person wanted to close the form while it was being sent. */
  wantsToClose: boolean;
  problem: AppError | null;
  /** The operation whose result is unknown or a failure: the form says so and sends nothing more. */
  ended: Operation | null;
  /** Reads what is offered for a payment. */
  readOffer: (key: PaymentKey) => Promise<void>;
  openForm: (kind: OfferedKind, paymentId: string) => Promise<void>;
  change: (changes: Partial<OperationFields>) => void;
  insist: (insists: boolean) => void;
  showProblems: () => void;
  send: (amount: RequestInput<'operations.send'>['amount']) => Promise<void>;
  /** Cancels the wait: the result is unknown then. */
  stop: () => void;
  /** Closes the form, unless it is being sent. */
  close: () => void;
};

const closed = {
  fields: null,
  intent: '',
  open: [],
  insists: false,
  isSending: false,
  isTried: false,
  hasStopped: false,
  wantsToClose: false,
  problem: null,
  ended: null,
} as const;

const same = (one: PaymentKey | null, other: PaymentKey): boolean =>
  one?.profileId === other.profileId && one.orderNumber === other.orderNumber;

/** Opens a form in main: another intent, and what has no result now. */
const begin = async (
  key: PaymentKey,
  { paymentId, kind }: Pick<OperationFields, 'paymentId' | 'kind'>,
): Promise<Pick<OperationStore, 'intent' | 'open'> & { problem?: AppError }> => {
  const begun = await request('operations.begin', { ...key, paymentId, operation: kind });
  return begun.ok
    ? { intent: begun.value.intent, open: begun.value.open }
    : { intent: '', open: [], problem: begun.error };
};

export const useOperation = create<OperationStore>()((set, get) => ({
  key: null,
  offer: null,
  ...closed,
  readOffer: async ({ profileId, orderNumber }) => {
    const key = { profileId, orderNumber };
    if (!same(get().key, key)) set({ key, offer: null, ...closed });
    const read = await request('operations.offer', key);
    // An open form stays, with the last offer; main checks it again.
    if (same(get().key, key) && read.ok) set({ offer: read.value });
  },
  openForm: async (kind, paymentId) => {
    const fields = {
      kind,
      paymentId,
      extent: null,
      amount: '',
      reason: null,
      text: '',
      typedOrder: '',
      approver: null,
      pin: '',
    };
    set({ ...closed, fields });
    const { key } = get();
    if (key === null) return;
    const begun = await begin(key, fields);
    if (get().fields?.paymentId === paymentId && get().intent === '') set(begun);
  },
  change: changes => {
    const { fields, isSending } = get();
    if (fields === null || isSending) return;
    set({ fields: { ...fields, ...changes } });
    const moves = changes.kind ?? changes.paymentId ?? changes.extent ?? changes.amount;
    // Another amount is another decision.
    if (moves !== undefined) set({ insists: false });
  },
  insist: insists => set({ insists }),
  showProblems: () => set({ isTried: true }),
  send: async amount => {
    const { key, fields, intent, open, insists, isSending, ended } = get();
    if (key === null || fields === null || fields.reason === null || isSending || ended) return;
    set({ isSending: true, hasStopped: false, wantsToClose: false, problem: null });
    const { kind, paymentId, reason, text, typedOrder, approver, pin } = fields;
    const sent = await request('operations.send', {
      ...key,
      paymentId,
      intent,
      operation: kind,
      amount,
      reason,
      text,
      typedOrder,
      approval: approver === null ? null : { agentId: approver, pin },
      seen: insists ? open.map(({ id }) => id) : [],
    });
    // The form was closed with its payment.
    const isOver = (): boolean => get().intent !== intent || get().fields === null;
    if (isOver()) return;
    if (!sent.ok) {
      const isWrongPin = sent.error.code === 'agent.wrong-pin';
      const begun = await begin(key, fields);
      if (isOver()) return;
      set({
        ...begun,
        isSending: false,
        problem: sent.error,
        fields: isWrongPin ? { ...fields, pin: '' } : fields,
      });
      return;
    }
    const operation = sent.value.payment.operations.find(one => one.intent === intent);
    if (operation?.state === 'unknown' || operation?.state === 'failed')
      set({ isSending: false, ended: operation, fields: { ...fields, pin: '' } });
    else set(closed);
  },
  stop: () => {
    const { isSending, intent } = get();
    if (!isSending) return;
    set({ hasStopped: true });
    void request('payments.cancelWait', { requestId: intent });
  },
  close: () => set(get().isSending ? { wantsToClose: true } : closed),
}));
