import { create } from 'zustand';
import type { RequestOutput } from '../../../shared/contract/contract.ts';
import type { AppError } from '../../../shared/errors.ts';
import { maxSearchText } from '../../../shared/max-search-text.ts';
import { request } from '../../ipc-client.ts';

export type PaymentHit = RequestOutput<'payments.find'>['hits'][number];
export type CustomerHit = RequestOutput<'customers.find'>['customers'][number];

/** Limit of each group of results. */
export const maxResults = 6;
/** Length from which payments and customers are searched, characters. */
const minChars = 2;

/** The payments and customers of a text. The old ones stay until the new ones arrive. */
type ResultsState = {
  /** The text that they were found by. */
  words: string;
  hits: readonly PaymentHit[];
  /** More payments than these were found. */
  more: boolean;
  customers: readonly CustomerHit[];
  problem: AppError | null;
  find: (words: string, profileId: string | null) => Promise<void>;
};

const nothing = { hits: [], more: false, customers: [], problem: null };
let latestRequest = 0;

export const useResults = create<ResultsState>()(set => ({
  words: '',
  ...nothing,
  find: async (typed, profileId) => {
    latestRequest += 1;
    const requestNumber = latestRequest;
    const words = typed.trim().slice(0, maxSearchText);
    if (words.length < minChars) {
      set({ words, ...nothing });
      return;
    }
    const asked = { profileId, words, limit: maxResults };
    const [payments, customers] = await Promise.all([
      request('payments.find', asked),
      request('customers.find', asked),
    ]);
    // The results of an earlier text never replace those of a later one.
    if (requestNumber !== latestRequest) return;
    set({
      words,
      hits: payments.ok ? payments.value.hits : [],
      more: payments.ok && payments.value.more,
      customers: customers.ok ? customers.value.customers : [],
      problem: payments.ok ? (customers.ok ? null : customers.error) : payments.error,
    });
  },
}));
