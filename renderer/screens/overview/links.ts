import type { PaymentState } from '../../../shared/payments/payment.ts';
import { queryFor } from '../../../shared/search-query/query-writing.ts';
import type { Language } from '../../../shared/messages/message.ts';
import type { Route } from '../../routes.ts';
import type { Span } from '../../../shared/reports/periods.ts';

/** The list of exactly the links that a number of the overview counts; every number has such a list. */
export const listOfLinks = (
  days: Span,
  states: readonly PaymentState[],
  { currency, agent }: { currency: string; agent?: string },
  language: Language,
): Route => ({
  screen: 'payments',
  view: 'all',
  words: queryFor(
    [
      { kind: 'days', ...days },
      { kind: 'states', states },
      { kind: 'currency', currency },
      agent === undefined ? { kind: 'raised', here: true } : { kind: 'agent', agent },
    ],
    language,
  ),
});

/** The list of the payments of some days that were not created here. */
export const listOfElsewhere = (days: Span, language: Language): Route => ({
  screen: 'payments',
  view: 'all',
  words: queryFor(
    [
      { kind: 'days', ...days },
      { kind: 'raised', here: false },
    ],
    language,
  ),
});
