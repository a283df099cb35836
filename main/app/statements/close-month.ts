import type { MonthView } from '../../../shared/contract/statement-requests.ts';
import type { Amount, Books } from '../../../shared/reports/payment-books.ts';
import { reducePayment } from '../../../shared/payment-reducer/reduce.ts';
import { decimalOf } from '../../../shared/money/signed-amount.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import { changedFigures } from '../scheduled-export/changed-figures.ts';
import type { MonthComparison } from './compare-month.ts';
import { monthPeriod } from './month-movements.ts';

const textOf = (amount: Amount | null | undefined, currency: string): string => {
  if (amount == null) return decimalOf(0n, currency);
  return amount.kind === 'minor'
    ? decimalOf(amount.minor, currency)
    : amount.kind === 'text'
      ? amount.text
      : '?';
};

const netOf = (books: Books | null, currency: string): string => textOf(books?.net, currency);

/** The last closing of a month, and what later evidence changed in it; null if it is not closed. */
export const closedMonth = async (
  log: PaymentLog,
  profileId: string,
  { month, zone, book, statements }: MonthComparison,
): Promise<MonthView['closed']> => {
  const closing = book.closings.findLast(one => one.month === month);
  if (!closing) return null;
  const { positions, at, agent, figures, counts, files } = closing;
  const changes = await changedFigures(log, profileId, [monthPeriod(month, closing.zone)], {
    positions,
    since: at,
  });
  const known = new Set(files);
  return {
    at,
    agent,
    figures,
    counts,
    changes: await Promise.all(
      changes.map(async ({ row, before, now }) => {
        const currency = row.currency ?? '';
        const events = await log.events(profileId, row.orderNumber);
        const last = reducePayment(events)
          .movements.toSorted((one, other) => one.since - other.since)
          .at(-1);
        const begun = events.find(({ id }) => id === last?.events[0]);
        return {
          orderNumber: row.orderNumber,
          currency,
          before: netOf(before, currency),
          now: netOf(now, currency),
          agent: last?.recordedBy ?? begun?.agent ?? 'console',
          at: last?.since ?? row.lastAt,
        };
      }),
    ),
    isOtherStatements:
      zone !== closing.zone ||
      statements.length !== files.length ||
      book.decisions.some(decided => decided.at > at) ||
      book.statements.some(
        ({ statement, sha256 }) => statements.some(one => one.statement === statement) && !known.has(sha256),
      ),
  };
};
