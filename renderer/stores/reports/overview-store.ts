import { getLocalTimeZone } from '@internationalized/date';
import { create } from 'zustand';
import type { AppError } from '../../../shared/errors.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import type { MovedMoney, Overview } from '../../../shared/reports/overview.ts';
import { request, subscribe } from '../../ipc-client.ts';
import { spanOf, type Period, type Span } from '../../../shared/reports/periods.ts';
import { useRoute } from '../route-store.ts';
import { currentTime } from '../../i18n/time-left.ts';

/** Links created in a period and their outcomes. */
type OverviewState = {
  profileId: string | null;
  period: Period;
  /** The time span of `counted`. */
  span: Span | null;
  counted: Overview | null;
  /** What moved in the time span, by its own date. */
  moved: readonly MovedMoney[];
  /** The payments that began last, of any period. */
  latest: readonly PaymentRow[];
  problem: AppError | null;
  /** Whether the days are shown as columns or as numbers. */
  as: 'chart' | 'table';
  /** `now`: milliseconds; the period ends with its day. */
  show: (profileId: string | null, period: Period, now: number) => Promise<void>;
  showAs: (as: 'chart' | 'table') => void;
};

/** Latest payments shown. */
const latestCount = 6;

let latestRequest = 0;

export const useOverview = create<OverviewState>()((set, get) => ({
  profileId: null,
  period: '30',
  span: null,
  counted: null,
  moved: [],
  latest: [],
  problem: null,
  as: 'chart',
  show: async (profileId, period, now) => {
    latestRequest += 1;
    const requestNumber = latestRequest;
    // The old numbers stay until the new ones arrive, unless they belong to another profile or period.
    const same = get().profileId === profileId && get().period === period;
    set({
      profileId,
      period,
      problem: null,
      ...(same ? {} : { counted: null, moved: [], span: null, latest: [] }),
    });
    const span = spanOf(period, now);
    const [counted, newest, money] = await Promise.all([
      request('payments.overview', { profileId, ...span, timeZone: getLocalTimeZone() }),
      request('payments.list', { filter: { profileId }, limit: latestCount }),
      request('payments.movedMoney', { profileId, ...span }),
    ]);
    if (requestNumber !== latestRequest) return;
    if (money.ok) set({ moved: money.value.moved });
    if (newest.ok) set({ latest: newest.value.rows });
    if (counted.ok) set({ span, counted: counted.value });
    else set({ problem: counted.error });
  },
  showAs: as => set({ as }),
}));

/** Counts again, at most every two seconds, while the overview is visible. */
export const followOverview = (): (() => void) => {
  let timer: number | null = null;
  const stop = subscribe('payments.changed', () => {
    timer ??= window.setTimeout(() => {
      timer = null;
      const { profileId, period, show } = useOverview.getState();
      if (useRoute.getState().route.screen === 'overview') void show(profileId, period, currentTime());
    }, 2_000);
  });
  return () => {
    stop();
    if (timer !== null) window.clearTimeout(timer);
  };
};
