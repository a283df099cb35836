import { create } from 'zustand';
import type { CallOutput } from '../../../shared/contract/index.ts';
import { call, subscribe } from '../../ipc-client.ts';
import { useClock } from '../clock.ts';
import { activeProfile, useDesk } from '../app-state.ts';
import { filterOf, type ListPlace } from './filters.ts';

/** How many payments stand in the views that states alone do not tell of: by the id of the saved view, or the name of the view. */
export const useViewCounts = create<Readonly<Record<string, CallOutput<'payments.count'>>>>(() => ({}));

/** Views of the rail whose days have to be counted. */
const byDay = ['today', 'unpaid-today'] as const;

const places = (): (ListPlace & { id: string })[] => [
  ...byDay.map(view => ({ id: view, view, words: '' })),
  ...(useDesk.getState().desk?.settings.views ?? []).map(({ id, words }) => ({
    id,
    view: 'all' as const,
    words,
  })),
];

/** Counting takes at most this share of the log's time, so that a search hardly ever waits for it. */
const share = 0.25;
/** Milliseconds between two counts of all views at least. */
const pause = 500;

const wait = (milliseconds: number): Promise<void> =>
  new Promise(resolve => {
    window.setTimeout(resolve, milliseconds);
  });

const countAll = async (): Promise<void> => {
  for (const { id, ...place } of places()) {
    const { desk } = useDesk.getState();
    const began = performance.now();
    const filter = filterOf(
      place,
      activeProfile({ desk })?.id ?? null,
      useClock.getState().wall,
      desk?.profiles ?? [],
    );
    const counted = await call('payments.count', { filter });
    if (counted.ok) useViewCounts.setState({ [id]: counted.value });
    await wait((performance.now() - began) * (1 / share - 1));
  }
};

/**
 * Counts again, a little at a time, when payments, the views or the profile at work change, and every minute,
 * since links run out and days end by the clock.
 */
export const followViewCounts = (): void => {
  let counting = false;
  let isStale = false;
  const count = async (): Promise<void> => {
    isStale = true;
    if (counting || useDesk.getState().desk === null) return;
    counting = true;
    while (isStale) {
      isStale = false;
      await countAll();
      await wait(pause);
    }
    counting = false;
  };
  subscribe('payments.changed', () => void count());
  useDesk.subscribe((state, before) => {
    const isOther =
      activeProfile(state)?.id !== activeProfile(before)?.id ||
      (state.desk === null) !== (before.desk === null) ||
      state.desk?.settings.views !== before.desk?.settings.views;
    if (isOther) void count();
  });
  useClock.subscribe(({ wall }, before) => {
    if (Math.floor(wall / 60_000) !== Math.floor(before.wall / 60_000)) void count();
  });
};
