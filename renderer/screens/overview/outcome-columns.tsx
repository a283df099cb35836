import { outcomeStates, type Outcome, type OutcomeCounts } from '../../../shared/payments/outcomes.ts';
import type { PaymentState } from '../../../shared/payments/payment.ts';
import type { Route } from '../../routes.ts';
import { useText } from '../../i18n/text.ts';
import { NumberLink } from './number-link.tsx';

/** The groups of links in the order of every bar and table. */
const inOrder: readonly Outcome[] = ['paid', 'returned', 'not-paid', 'expired', 'open', 'unclear'];

/** The groups to show: links with an unknown result are rare, and have their group only where there are any. */
export const shownOutcomes = (counts: OutcomeCounts): readonly Outcome[] =>
  inOrder.filter(outcome => outcome !== 'unclear' || counts.unclear > 0);

/** The head of each group's column. `of`: the counts of all rows together. */
export const OutcomeHeads = ({ of }: { of: OutcomeCounts }) => {
  const t = useText();
  return shownOutcomes(of).map(outcome => (
    <th key={outcome} scope="col">
      {t(`overview.outcome.${outcome}`)}
    </th>
  ));
};

/** One row's number of each group, which opens its list. `all`: the counts of all rows together. */
export const OutcomeCells = ({
  all,
  of,
  name,
  list,
}: {
  all: OutcomeCounts;
  of: OutcomeCounts;
  /** The row's name, for screen readers. */
  name: string;
  list: (states: readonly PaymentState[]) => Route;
}) => {
  const t = useText();
  return shownOutcomes(all).map(outcome => (
    <td key={outcome}>
      <NumberLink
        count={of[outcome]}
        name={`${t(`overview.outcome.${outcome}`)}, ${name}`}
        to={list(outcomeStates[outcome])}
      />
    </td>
  ));
};
