import type { PaymentState } from '../../../shared/payment.ts';
import { queryFor } from '../../../shared/search-query.ts';
import type { Language } from '../../messages/index.ts';
import type { Route } from '../../routes.ts';
import type { Span } from '../../stores/overview.ts';

/** The list of exactly the links that a number of the overview counts; every number is one of these. */
export const listOfLinks = (
  days: Span,
  states: readonly PaymentState[],
  { currency, agent }: { currency: string; agent?: string },
  language: Language,
): Route => ({
  screen: 'payments',
  view: 'all',
  words: queryFor({ days, currency, ...(agent === undefined ? { raisedHere: true } : { agent }) }, language),
  states,
});

/** The list of the payments of some days that were not raised here. */
export const listOfElsewhere = (days: Span, language: Language): Route => ({
  screen: 'payments',
  view: 'all',
  words: queryFor({ days, raisedHere: false }, language),
  states: [],
});
