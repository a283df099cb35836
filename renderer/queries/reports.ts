import { getLocalTimeZone } from '@internationalized/date';
import { dayAt, startOf } from '../../shared/days.ts';
import { ok } from '../../shared/errors.ts';
import type { PaymentRow } from '../../shared/payments/payment.ts';
import type { MovedMoney, Overview } from '../../shared/reports/overview.ts';
import { spanOf, type Period, type Span } from '../../shared/reports/periods.ts';
import { currentTime } from '../i18n/time-left.ts';
import { request } from '../ipc-client.ts';
import { createQuery } from './create-query.ts';

/** Latest payments shown. */
const latestCount = 6;

/** Links created in a period and their outcomes. */
type CountedPeriod = {
  span: Span;
  counted: Overview;
  /** What moved in the time span, by its own date. */
  moved: readonly MovedMoney[];
  /** The payments that began last, of any period. */
  latest: readonly PaymentRow[];
};

/** The overview of a period; it ends with the present day. Links expire and days end by the clock. */
export const overviewQuery = createQuery({
  read: async (
    { profileId, period }: { profileId: string | null; period: Period },
    present: CountedPeriod | null,
  ) => {
    const span = spanOf(period, currentTime());
    const [counted, newest, money] = await Promise.all([
      request('payments.overview', { profileId, ...span, timeZone: getLocalTimeZone() }),
      request('payments.list', { filter: { profileId }, limit: latestCount }),
      request('payments.movedMoney', { profileId, ...span }),
    ]);
    if (!counted.ok) return counted;
    const moved = money.ok ? money.value.moved : (present?.moved ?? []);
    const latest = newest.ok ? newest.value.rows : (present?.latest ?? []);
    return ok({ span, counted: counted.value, moved, latest });
  },
  on: ['payments.changed'],
  throttleMs: 2_000,
  everyMs: 60_000,
});

/** The handover note, as of its creation. */
export const handoverNoteQuery = createQuery({
  read: ({ profileId }: { profileId: string | null }) =>
    request('payments.handoverNote', { profileId, since: startOf(dayAt(currentTime())) }),
});
