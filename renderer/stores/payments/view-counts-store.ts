import { create } from 'zustand';
import type { RequestOutput } from '../../../shared/contract/contract.ts';
import { request, subscribe } from '../../ipc-client.ts';
import { useClock } from '../clock-store.ts';
import { activeProfile, useAppState } from '../app-state-store.ts';
import { filterOf, type ListLocation } from './filters.ts';

/**
 * The number of payments in the views that state counts do not cover: by the id of the saved view, or the name of the
 * view.
 */
export const useViewCounts = create<Readonly<Record<string, RequestOutput<'payments.count'>>>>(() => ({}));

/** Views of the rail that depend on the day. */
const byDay = ['today', 'unpaid-today'] as const;

const places = (): (ListLocation & { id: string })[] => [
  ...byDay.map(view => ({ id: view, view, words: '' })),
  ...(useAppState.getState().appState?.settings.views ?? []).map(({ id, words }) => ({
    id,
    view: 'all' as const,
    words,
  })),
];

/** Limit of counting as a share of the log's time, so that a search seldom waits for it. */
const share = 0.25;
/** Minimum interval between two counts of all views, milliseconds. */
const pause = 500;

const wait = (milliseconds: number): Promise<void> =>
  new Promise(resolve => {
    window.setTimeout(resolve, milliseconds);
  });

const countAll = async (): Promise<void> => {
  for (const { id, ...location } of places()) {
    const { appState: app } = useAppState.getState();
    const startedAt = performance.now();
    const filter = filterOf(
      location,
      activeProfile({ appState: app })?.id ?? null,
      useClock.getState().wallClock,
      app?.profiles ?? [],
    );
    const counted = await request('payments.count', { filter });
    if (counted.ok) useViewCounts.setState({ [id]: counted.value });
    await wait((performance.now() - startedAt) * (1 / share - 1));
  }
};

/**
 * Counts again in small steps when payments, the views or the active profile change, and every minute, since links
 * expire and days end by the clock.
 */
export const followViewCounts = (): void => {
  let counting = false;
  let isStale = false;
  const count = async (): Promise<void> => {
    isStale = true;
    if (counting || useAppState.getState().appState === null) return;
    counting = true;
    while (isStale) {
      isStale = false;
      await countAll();
      await wait(pause);
    }
    counting = false;
  };
  subscribe('payments.changed', () => void count());
  useAppState.subscribe((state, before) => {
    const isOther =
      activeProfile(state)?.id !== activeProfile(before)?.id ||
      (state.appState === null) !== (before.appState === null) ||
      state.appState?.settings.views !== before.appState?.settings.views;
    if (isOther) void count();
  });
  useClock.subscribe(({ wallClock }, before) => {
    if (Math.floor(wallClock / 60_000) !== Math.floor(before.wallClock / 60_000)) void count();
  });
};
