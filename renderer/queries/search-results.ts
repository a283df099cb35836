import type { RequestOutput } from '../../shared/contract/contract.ts';
import { ok, type AppError } from '../../shared/errors.ts';
import { maxSearchText } from '../../shared/max-search-text.ts';
import { request } from '../ipc-client.ts';
import { useActiveProfileId } from '../stores/app-state-store.ts';
import { createQuery } from './create-query.ts';

export type PaymentHit = RequestOutput<'payments.find'>['hits'][number];
export type CustomerHit = RequestOutput<'customers.find'>['customers'][number];

/** Limit of each group of results. */
export const maxResults = 6;
/** Length from which payments and customers are searched, characters. */
const minChars = 2;
/** Delay before payments and customers are searched, milliseconds: keys of one burst make one request. */
const settleMs = 30;

/** The payments and customers of a text. `more`: more payments than these were found. */
export type SearchResults = {
  /** The text that they were found by. */
  words: string;
  hits: readonly PaymentHit[];
  more: boolean;
  customers: readonly CustomerHit[];
  problem: AppError | null;
};

const resultsQuery = createQuery({
  read: async ({ words, profileId }: { words: string; profileId: string | null }) => {
    const asked = { profileId, words, limit: maxResults };
    const [payments, customers] = await Promise.all([
      request('payments.find', asked),
      request('customers.find', asked),
    ]);
    return ok({
      words,
      hits: payments.ok ? payments.value.hits : [],
      more: payments.ok && payments.value.more,
      customers: customers.ok ? customers.value.customers : [],
      problem: payments.ok ? (customers.ok ? null : customers.error) : payments.error,
    });
  },
  keepsLast: true,
});

/** What a text finds. While a person types on, the results of the shorter text stay until the next ones arrive. */
export const useSearchResults = (typed: string): SearchResults => {
  const words = typed.trim().slice(0, maxSearchText);
  const profileId = useActiveProfileId();
  const isShort = words.length < minChars;
  const { value } = resultsQuery.use(isShort ? null : { words, profileId }, settleMs);
  if (value !== null && (value.words.startsWith(words) || words.startsWith(value.words))) return value;
  return { words: isShort ? words : '', hits: [], more: false, customers: [], problem: null };
};
