import type { PaymentFilter, RequestOutput } from '../../shared/contract/contract.ts';
import { request } from '../ipc-client.ts';
import { useActiveProfileId, useAppState } from '../stores/app-state-store.ts';
import { useClock } from '../stores/clock-store.ts';
import { filterOf, type ListLocation } from '../stores/payments/filters.ts';
import { createQuery } from './create-query.ts';

/** The number of payments of a profile (null: of all) by state and by currency. */
export const countsQuery = createQuery({
  read: (of: { profileId: string | null }) => request('payments.counts', of),
  on: ['payments.changed'],
  throttleMs: 500,
});

const unknown = { states: {}, retryable: 0, currencies: {}, flagged: 0 };

/** The same of the active profile. */
export const useCounts = (): RequestOutput<'payments.counts'> =>
  countsQuery.use({ profileId: useActiveProfileId() }).value ?? unknown;

/** The number and the sums of the payments that match a filter. Links expire by the clock. */
export const totalsQuery = createQuery({
  read: (filter: PaymentFilter) => request('payments.totals', { filter }),
  on: ['payments.changed'],
  throttleMs: 1_000,
  everyMs: 60_000,
});

/** Limit of counting views as a share of the log's time, so that a search seldom waits for it. */
const share = 0.25;
/** The count in progress; the next one waits for it, and for a pause that depends on its time. */
let counting: Promise<unknown> = Promise.resolve();

const countInTurn = (filter: PaymentFilter) => {
  const count = counting.then(async () => {
    const startedAt = performance.now();
    const counted = await request('payments.count', { filter });
    return { counted, pauseMs: (performance.now() - startedAt) * (1 / share - 1) };
  });
  counting = count.then(({ pauseMs }) => new Promise(resolve => void window.setTimeout(resolve, pauseMs)));
  return count.then(({ counted }) => counted);
};

/** The number of payments in a view of a profile. */
const viewCountQuery = createQuery({
  read: ({ profileId, ...location }: ListLocation & { profileId: string | null }) =>
    countInTurn(
      filterOf(
        location,
        profileId,
        useClock.getState().wallClock,
        useAppState.getState().appState?.profiles ?? [],
      ),
    ),
  on: ['payments.changed'],
  throttleMs: 500,
  // Links expire and days end by the clock.
  everyMs: 60_000,
});

/** The same of the active profile; null until it is known. */
export const useViewCount = (location: ListLocation): RequestOutput<'payments.count'> | null =>
  viewCountQuery.use({ ...location, profileId: useActiveProfileId() }).value;
