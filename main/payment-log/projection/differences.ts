import type { Projected } from './project.ts';

/** A stored row with its payment; the fields kept in other tables are checked on their own. */
export type StoredRow = Omit<
  Projected,
  'orderNumber' | 'flags' | 'paymentIds' | 'movedAt' | 'moved' | 'review' | 'customerKeys' | 'joins'
> & {
  payment: number;
  timed: number;
};

/** The columns in which a stored row differs from the evidence. */
export const differences = (stored: StoredRow, rebuilt: Projected): string[] => {
  const pairs: [string, unknown, unknown][] = [
    ['profile_id', stored.profileId, rebuilt.profileId],
    ['state', stored.state, rebuilt.state],
    ['currency', stored.currency, rebuilt.currency],
    ['flagged', stored.flagged, rebuilt.flagged],
    ['resolved', stored.resolved, rebuilt.resolved],
    ['timed', stored.timed, rebuilt.runsOutAt === null ? 0 : 1],
    ['first_at', stored.firstAt, rebuilt.firstAt],
    ['runs_out_at', stored.runsOutAt, rebuilt.runsOutAt],
    ['agent', stored.agent, rebuilt.agent],
    ['amount', stored.amount, rebuilt.amount],
    ['paid_after', stored.paidAfter, rebuilt.paidAfter],
    ['paid', stored.paid, rebuilt.paid],
    ['returned', stored.returned, rebuilt.returned],
    ['uncounted', stored.uncounted, rebuilt.uncounted],
    ['checked_days', stored.checkedDays, rebuilt.checkedDays],
    ['row', stored.row, rebuilt.row],
    ['words', stored.words, rebuilt.words],
  ];
  return pairs.filter(([, one, other]) => one !== other).map(([name]) => name);
};
