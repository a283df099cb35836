import type { PaymentFilter } from '../../shared/contract.ts';
import type { PaymentState } from '../../shared/payment.ts';
import { attentionStates, openStates } from '../../shared/state-groups.ts';
import { readQuery } from '../../shared/search-query.ts';
import type { View } from '../routes.ts';

export { attentionStates, openStates };

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
): PaymentFilter => {
  const query = readQuery(place.words, now);
  const today = place.view === 'today' || place.view === 'unpaid-today' ? startOfDay(now) : null;
  const states = [place.states as readonly PaymentState[], query.states, viewStates[place.view]];
  return {
    words: query.words,
    profileId,
    // What was chosen or typed replaces the view's own.
    states: [...(states.find(some => some.length > 0) ?? [])],
    currency: query.currency,
    flags: [],
    raisedHere: query.raisedHere,
    agent: query.agent,
    from: query.from ?? today,
    until: query.until,
  };
};

/** How many payments a set of states holds, by the counts of main. */
export const sumOf = (counts: Readonly<Record<string, number>>, states: readonly PaymentState[]): number =>
  states.reduce((sum, state) => sum + (counts[state] ?? 0), 0);
