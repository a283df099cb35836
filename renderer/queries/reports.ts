import { getLocalTimeZone } from '@internationalized/date';
import { dayAt, startOf } from '../../shared/days.ts';
import { ok } from '../../shared/errors.ts';
import type { PaymentRow } from '../../shared/payments/payment.ts';
import { spanOf, type Period, type Span } from '../../shared/reports/periods.ts';
import { currentTime } from '../i18n/time-left.ts';
import { request } from '../ipc-client.ts';
import { createQuery } from './create-query.ts';
import { withMoved, type CurrencyMoney } from '../stores/reports/moved-money.ts';

/** Latest payments shown. */
const latestCount = 6;

/** Links created in a period and their outcomes. */
type CountedPeriod = {
  span: Span;
  elsewhere: number;
  /** The currency with most links first; money by the date on which it moved. */
  currencies: readonly CurrencyMoney[];
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
      request('payments.movedMoney', { profileId, ...span, timeZone: getLocalTimeZone() }),
    ]);
    if (!counted.ok) return counted;
    if (!money.ok) return money;
    const latest = newest.ok ? newest.value.rows : (present?.latest ?? []);
    const { elsewhere, currencies } = counted.value;
    return ok({ span, elsewhere, currencies: withMoved(currencies, money.value, span), latest });
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
