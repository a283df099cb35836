import { create } from 'zustand';
import type { BegunOperation, OperationOffer, PaymentDetail } from '../../../shared/contract/contract.ts';
import type { AppError, Result } from '../../../shared/errors.ts';
import {
  hasAmount,
  operationTable,
  type OperationKind,
  type OperationReason,
} from '../../../shared/operations/operation-kinds.ts';
import type { Operation } from '../../../shared/operations/operation.ts';
import type { AmountChoice } from '../../../shared/operations/rules.ts';
import { sameKey, type PaymentKey } from '../../../shared/payments/payment-row.ts';
import { request } from '../../ipc-client.ts';

/** What is typed and chosen in the form of an operation. Nothing is filled in before, but what the payment decides. */
export type OperationFields = {
  /** How much of an operation that can be sent for a part. */
  extent: 'whole' | 'part' | null;
  amount: string;
  reason: OperationReason | null;
  text: string;
  typedOrder: string;
  /** The second person, by id. */
  approver: string | null;
  pin: string;
  /** Of a charge: the new order, and when and how the customer agreed. */
  orderNumber: string;
  description: string;
  consent: string;
};

/** The payment that an operation acts on; of a charge the first one of the series. */
export type OperationTarget = PaymentKey & { kind: OperationKind; paymentId: string };

/** The open form of one operation. */
export type OperationForm = OperationTarget & {
  /** What main knows of the payment, and the intent: at most one request is sent for it. Null: it could not begin. */
  begun: BegunOperation | null;
  fields: OperationFields;
  /** The next free order number of a charge, and the one that a rejected charge has used. */
  suggestedOrder: string;
  usedOrder: string | null;
};

/** The operations that are offered for the open payment, and the form of one of them. */
type OperationStore = {
  key: PaymentKey | null;
  offer: OperationOffer | null;
  /** Null: no form is open. */
  form: OperationForm | null;
  /** Although the shown operations have no result. */
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
  /** `filled`: what the payment decides. */
  openForm: (target: OperationTarget, filled?: Partial<OperationFields>) => Promise<void>;
  /** Another operation, or another payment of the order: another intent. */
  choose: (kind: OperationKind, paymentId: string) => Promise<void>;
  change: (changes: Partial<OperationFields>) => void;
  insist: (insists: boolean) => void;
  showProblems: () => void;
  /** Sends the open form once. Resolves to the payment that a charge made. `locale`: of the typed amount. */
  send: (locale: string) => Promise<PaymentDetail | null>;
  /** Cancels the wait: the result is unknown then. */
  stop: () => void;
  /** Closes the form, unless it is being sent. */
  close: () => void;
};

const blank: OperationFields = {
  extent: null,
  amount: '',
  reason: null,
  text: '',
  typedOrder: '',
  approver: null,
  pin: '',
  orderNumber: '',
  description: '',
  consent: '',
};

const closed = {
  form: null,
  insists: false,
  isSending: false,
  isTried: false,
  hasStopped: false,
  wantsToClose: false,
  problem: null,
  ended: null,
} as const;

const begin = ({ profileId, orderNumber, paymentId, kind }: OperationTarget) =>
  request('operations.begin', { profileId, orderNumber, paymentId, operation: kind });

/** The amount as a request names it; null for an operation without one. */
export const chosenAmount = (
  kind: OperationKind,
  { extent, amount }: Pick<OperationFields, 'extent' | 'amount'>,
  locale: string,
): AmountChoice | null => {
  if (hasAmount(kind, 'none')) return null;
  return extent === 'whole' ? { whole: true } : { text: amount, locale };
};

/** The order number to try after a refusal that used up the typed one; null: that one is still free. */
const freeOrder = async (
  { kind, fields, ...key }: OperationForm,
  error: AppError,
): Promise<string | null> => {
  const isUsed =
    error.details?.['stored'] === true && error.details['orderNumber'] === fields.orderNumber.trim();
  if (!hasAmount(kind, 'order') || !isUsed) return null;
  const { profileId, orderNumber } = key;
  const read = await request('operations.series', { profileId, orderNumber });
  return (read.ok ? read.value.series?.suggestedOrder : null) ?? null;
};

export const useOperation = create<OperationStore>()((set, get) => {
  /** The last payment and kind that a form was asked for: an earlier answer is late. */
  let wanted: OperationTarget | null = null;
  const beginLatest = async (target: OperationTarget): Promise<Result<BegunOperation> | null> => {
    wanted = target;
    const begun = await begin(target);
    return wanted === target ? begun : null;
  };

  return {
    key: null,
    offer: null,
    ...closed,
    readOffer: async ({ profileId, orderNumber }) => {
      const key = { profileId, orderNumber };
      if (!sameKey(get().key, key)) set({ key, offer: null, ...closed });
      const read = await request('operations.offer', key);
      // An open form stays; main checks it again.
      if (sameKey(get().key, key) && read.ok) set({ offer: read.value });
    },
    openForm: async (target, filled = {}) => {
      const { key } = get();
      const begun = await beginLatest(target);
      // Another payment was opened meanwhile.
      if (begun === null || get().key !== key) return;
      const fields = { ...blank, ...filled };
      const orders = { suggestedOrder: fields.orderNumber, usedOrder: null };
      set({
        ...closed,
        form: { ...target, begun: begun.ok ? begun.value : null, fields, ...orders },
        problem: begun.ok ? null : begun.error,
      });
    },
    choose: async (kind, paymentId) => {
      const { form, isSending } = get();
      if (form === null || isSending) return;
      const begun = await beginLatest({ ...form, kind, paymentId });
      const { form: now } = get();
      if (begun === null || now === null || get().isSending) return;
      if (!begun.ok) return set({ problem: begun.error });
      const { reason } = now.fields;
      const fits = reason !== null && operationTable[kind].reasons.includes(reason);
      const fields = { ...now.fields, extent: null, reason: fits ? reason : null, pin: '' };
      set({ form: { ...now, kind, paymentId, begun: begun.value, fields }, problem: null, insists: false });
    },
    change: changes => {
      const { form, isSending } = get();
      if (form === null || isSending) return;
      // Another amount is another decision, also of the second person.
      const isAnother = changes.extent !== undefined || changes.amount !== undefined;
      const fields = { ...form.fields, ...(isAnother && { pin: '' }), ...changes };
      set({ form: { ...form, fields }, ...(isAnother && { insists: false }) });
    },
    insist: insists => set({ insists }),
    showProblems: () => set({ isTried: true }),
    send: async locale => {
      const { form, insists, isSending, ended } = get();
      const reason = form?.fields.reason ?? null;
      if (form === null || form.begun === null || reason === null || isSending || ended) return null;
      set({ isSending: true, hasStopped: false, wantsToClose: false, problem: null });
      const { profileId, orderNumber, paymentId, kind, fields, begun } = form;
      const { intent } = begun;
      const { text, typedOrder, approver, pin } = fields;
      const isCharge = hasAmount(kind, 'order');
      const sent = await request('operations.send', {
        profileId,
        orderNumber,
        paymentId,
        intent,
        operation: kind,
        amount: chosenAmount(kind, fields, locale),
        charge: isCharge
          ? {
              orderNumber: fields.orderNumber.trim(),
              description: fields.description.trim(),
              consent: fields.consent,
            }
          : null,
        reason,
        text,
        typedOrder,
        approval: approver === null ? null : { agentId: approver, pin },
        seen: insists ? begun.open.map(({ id }) => id) : [],
      });
      // The form was closed with its payment.
      const isOver = (): boolean => get().form?.begun?.intent !== intent;
      if (isOver()) return null;
      if (sent.ok && isCharge) {
        set(closed);
        return sent.value;
      }
      if (sent.ok) {
        const operation = sent.value.payment.operations.find(one => one.intent === intent);
        if (operation?.state === 'unknown' || operation?.state === 'failed')
          set({ isSending: false, ended: operation, form: { ...form, fields: { ...fields, pin: '' } } });
        else set(closed);
        return null;
      }
      // A used intent is over. What was refused may have used up its order number.
      const [again, free] = await Promise.all([begin(form), freeOrder(form, sent.error)]);
      if (isOver()) return null;
      const now = again.ok ? again.value : begun;
      set({
        isSending: false,
        // Insisting is about what was shown.
        insists: insists && now.open.every(({ id }) => begun.open.some(seen => seen.id === id)),
        problem: sent.error,
        form: {
          ...form,
          begun: now,
          fields: { ...fields, pin: '', orderNumber: free ?? fields.orderNumber },
          suggestedOrder: free ?? form.suggestedOrder,
          usedOrder: free === null ? null : fields.orderNumber.trim(),
        },
      });
      return null;
    },
    stop: () => {
      const { isSending, form } = get();
      if (!isSending || !form?.begun) return;
      set({ hasStopped: true });
      void request('payments.cancelWait', { requestId: form.begun.intent });
    },
    close: () => set(get().isSending ? { wantsToClose: true } : closed),
  };
});
