/* A native checkbox would take the focus and the keys from the grid. */
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import { Check, Minus } from 'lucide-react';

/** Whether rows are selected: all, none, or some of them. */
export type Selected = boolean | 'mixed';

/** How many of some rows are selected, as the state of their common checkbox. */
export const selectedOf = (count: number, total: number): Selected =>
  count === 0 ? false : count === total ? true : 'mixed';

const Mark = ({ selected }: { selected: Selected }) =>
  selected === false ? null : selected === 'mixed' ? <Minus size={12} /> : <Check size={12} />;

/** The checkbox of a row in a grid, which has the focus: the cell handles the click, and Space does the same. */
export const RowCheckbox = ({ name, isChosen }: { name: string; isChosen: boolean }) => (
  // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the grid has the focus
  <span
    role="checkbox"
    aria-checked={isChosen}
    aria-label={name}
    className={`select-box centred rounded-s ${isChosen ? 'some' : ''}`}
  >
    <Mark selected={isChosen} />
  </span>
);

/** The checkbox of several rows, for the mouse only: the grid's own keys do the same. */
export const RowsCheckbox = ({
  className,
  name,
  selected,
  onPress,
}: {
  className: string;
  name: string;
  selected: Selected;
  onPress: () => void;
}) => (
  <button
    type="button"
    role="checkbox"
    aria-checked={selected}
    aria-label={name}
    title={name}
    className={className}
    tabIndex={-1}
    onClick={onPress}
  >
    <span className={`select-box centred rounded-s ${selected === false ? '' : 'some'}`} aria-hidden="true">
      <Mark selected={selected} />
    </span>
  </button>
);
