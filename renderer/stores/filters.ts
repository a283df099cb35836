import type { PaymentFilter } from '../../shared/contract.ts';
import type { PaymentState } from '../../shared/payment.ts';
import type { View } from '../routes.ts';

/** Which states belong together, for saved views and their counts. */
export const openStates: readonly PaymentState[] = ['waiting', 'started', 'bank-check', 'processing'];
export const attentionStates: readonly PaymentState[] = [
  'needs-attention',
  'outcome-unknown',
  'paid-unconfirmed',
  'chargeback',
];
const unpaidStates: readonly PaymentState[] = ['declined', 'expired', 'refused'];

/** The states of a saved view; none = all. */
export const viewStates: Record<View, readonly PaymentState[]> = {
  all: [],
  today: [],
  open: openStates,
  attention: attentionStates,
  'unpaid-today': unpaidStates,
};

const startOfDay = (now: number): number => new Date(now).setHours(0, 0, 0, 0);

/**
 * The filter behind a place in the list. States chosen by hand replace the view's own.
 * `now`: milliseconds; a day is the local one.
 */
export const filterOf = (
  place: { view: View; words: string; states: readonly string[] },
  profileId: string | null,
  now: number,
): PaymentFilter => ({
  words: place.words.trim(),
  profileId,
  states: [...(place.states.length > 0 ? (place.states as readonly PaymentState[]) : viewStates[place.view])],
  currency: null,
  flags: [],
  from: place.view === 'today' || place.view === 'unpaid-today' ? startOfDay(now) : null,
  until: null,
});

/** How many payments a set of states holds, by the counts of main. */
export const sumOf = (counts: Readonly<Record<string, number>>, states: readonly PaymentState[]): number =>
  states.reduce((sum, state) => sum + (counts[state] ?? 0), 0);
