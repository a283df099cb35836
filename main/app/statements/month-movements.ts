import { CalendarDate } from '@internationalized/date';
import { dayAt, wholeDays } from '../../../shared/days.ts';
import type { Period } from '../../../shared/reports/payment-books.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import { movementsOf, type Movement } from '../../statements/movements.ts';

/** Rows of one read of the log. */
const rowsAtOnce = 500;
/** Days by which a statement may be late, or a callback early. */
const marginMs = 45 * 86_400_000;

/** A month of a zone; milliseconds, half-open. */
export const monthPeriod = (month: string, zone: string): Period => {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const first = new CalendarDate(year, number, 1);
  const [from, until] = wholeDays(first, first.add({ months: 1 }).subtract({ days: 1 }), zone);
  return { from, until };
};

/** The movements that a statement of these days may contain. A callback may have been read much later than its payment. */
export const readMovements = async (
  log: PaymentLog,
  profileId: string,
  from: number,
  until: number,
  zone: string,
): Promise<Movement[]> => {
  const movements: Movement[] = [];
  const dayOf = (at: number): string => dayAt(at, zone).toString();
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<PaymentLog['moved']>> = await log.moved(
      profileId,
      from - marginMs,
      until,
      cursor,
      rowsAtOnce,
    );
    for (const row of page.rows) movements.push(...movementsOf(row, dayOf));
    cursor = page.next;
  } while (cursor !== null);
  return movements;
};
