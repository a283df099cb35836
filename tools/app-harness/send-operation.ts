import type {
  PaymentDetail,
  RequestInput,
  RequestName,
  RequestOutput,
} from '../../shared/contract/contract.ts';
import type { Result } from '../../shared/errors.ts';
import { hasAmount } from '../../shared/operations/operation-kinds.ts';

type Send = RequestInput<'operations.send'>;
type Console = {
  request: <N extends RequestName>(name: N, input: RequestInput<N>) => Promise<Result<RequestOutput<N>>>;
};

type Target = Pick<Send, 'profileId' | 'orderNumber'> & { paymentIds: readonly string[] };

/** What a test may change of an operation; by default it is a refund of all that is left. */
export type OperationChanges = Partial<Omit<Send, 'amount'>> & {
  /** As typed, in the locale en-GB. */
  amount?: string;
  /** Insists about everything that the form shows as open. */
  insist?: boolean;
};

/** Opens the form of an operation; returns what its button sends. */
export const openForm = async (
  console: Console,
  payment: Target,
  { amount, insist = false, ...changes }: OperationChanges = {},
): Promise<Result<Send>> => {
  const { operation = 'refund' } = changes;
  const { profileId, orderNumber, paymentIds } = payment;
  const form = { profileId, orderNumber, paymentId: changes.paymentId ?? paymentIds[0] ?? '', operation };
  const begun = await console.request('operations.begin', form);
  if (!begun.ok) return begun;
  const { intent, open } = begun.value;
  return {
    ok: true,
    value: {
      ...form,
      intent,
      amount: hasAmount(operation, 'none')
        ? null
        : amount === undefined
          ? { whole: true }
          : { text: amount, locale: 'en-GB' },
      reason: 'returned-goods',
      seen: insist ? open.map(({ id }) => id) : [],
      ...changes,
    },
  };
};

/** Opens the form of an operation, and sends it. */
export const sendOperation = async (
  console: Console,
  payment: Target,
  changes?: OperationChanges,
): Promise<Result<PaymentDetail>> => {
  const form = await openForm(console, payment, changes);
  return form.ok ? console.request('operations.send', form.value) : form;
};
