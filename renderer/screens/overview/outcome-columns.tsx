import { outcomeStates, type Outcome, type OutcomeCounts } from '../../../shared/payments/outcomes.ts';
import type { PaymentState } from '../../../shared/payments/payment.ts';
import type { Route } from '../../routes.ts';
import type { Translate } from '../../i18n/text.ts';
import type { Column } from '../../components/display/data-table.tsx';
import { NumberLink } from './number-link.tsx';

/** The groups of links in the order of every bar and table. */
const inOrder: readonly Outcome[] = ['paid', 'returned', 'not-paid', 'expired', 'open', 'unclear'];

/** The groups to show: links with an unknown result are rare, and have their group only where there are any. */
export const shownOutcomes = (counts: OutcomeCounts): readonly Outcome[] =>
  inOrder.filter(outcome => outcome !== 'unclear' || counts.unclear > 0);

/**
 * A column for each group, whose numbers open their lists. `all`: the counts of all rows together; `shown`: a row's
 * counts, its name for screen readers, and its lists.
 */
export const outcomeColumns = <Row,>(
  t: Translate,
  all: OutcomeCounts,
  shown: (row: Row) => {
    of: OutcomeCounts;
    name: string;
    list: (states: readonly PaymentState[]) => Route;
  },
): Readonly<Record<string, Column<Row>>> =>
  Object.fromEntries(
    shownOutcomes(all).map((outcome): [string, Column<Row>] => {
      const head = t(`overview.outcome.${outcome}`);
      return [
        `outcome-${outcome}`,
        {
          head,
          cell: row => {
            const { of, name, list } = shown(row);
            return (
              <NumberLink count={of[outcome]} name={`${head}, ${name}`} to={list(outcomeStates[outcome])} />
            );
          },
        },
      ];
    }),
  );
