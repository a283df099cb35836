import type { RequestInput, RequestOutput } from '../../shared/contract/contract.ts';
import { request } from '../ipc-client.ts';
import { createQuery } from './create-query.ts';

export type KnownCustomer = NonNullable<RequestOutput<'payments.knownCustomer'>['customer']>;

/** Pause in typing before the question. */
const settleMs = 250;

const knownCustomerQuery = createQuery({
  read: (typed: RequestInput<'payments.knownCustomer'>) => request('payments.knownCustomer', typed),
});

/** What the payment log knows of the typed customer; null while it knows nothing. */
export const useKnownCustomer = (
  profileId: string | null,
  typed: Omit<RequestInput<'payments.knownCustomer'>, 'profileId'>,
): KnownCustomer | null => {
  const [name, email, phone] = [typed.name.trim(), typed.email.trim(), typed.phone.trim()];
  const isAsked = profileId !== null && name + email + phone !== '';
  const { value } = knownCustomerQuery.use(isAsked ? { profileId, name, email, phone } : null, settleMs);
  return value?.customer ?? null;
};
