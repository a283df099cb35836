import type { PaymentFilter } from '../../shared/contract/contract.ts';

/** The filter that every payment passes. */
export const unfiltered: PaymentFilter = {
  words: '',
  profileId: null,
  states: [],
  retryable: false,
  currency: null,
  flags: [],
  raisedHere: null,
  agent: null,
  from: null,
  until: null,
};
