import type { RequestInput, RequestOutput } from '../../shared/contract/contract.ts';
import { request } from '../ipc-client.ts';
import { createQuery } from './create-query.ts';

export type KnownCustomer = NonNullable<RequestOutput<'payments.knownCustomer'>['customer']>;

/** Pause in typing before the question. */
const settleMs = 250;

const knownCustomerQuery = createQuery({
  read: (typed: RequestInput<'payments.knownCustomer'>) => request('payments.knownCustomer', typed),
});

export type ProposedCustomer = RequestOutput<'customers.find'>['customers'][number];

const proposalsQuery = createQuery({
  read: (typed: RequestInput<'customers.find'>) => request('customers.find', typed),
  keepsLast: true,
});
/** Length from which customers are proposed, characters. */
const minProposedChars = 2;
const maxProposals = 3;

/** Customers that the first detail may mean, who have more details than what is typed. */
export const useProposedCustomers = (
  profileId: string,
  { name, email, phone }: Omit<RequestInput<'payments.knownCustomer'>, 'profileId'>,
): readonly ProposedCustomer[] => {
  const [words = '', second] = [name, email, phone].map(text => text.trim()).filter(text => text !== '');
  const isAsked = second === undefined && words.length >= minProposedChars;
  const { value } = proposalsQuery.use(isAsked ? { profileId, words, limit: maxProposals } : null, settleMs);
  return (isAsked ? (value?.customers ?? []) : []).filter(one =>
    [one.name, one.email, one.phone].some(detail => detail !== null && detail !== words),
  );
};

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
