import type { ReactNode } from 'react';
import { Link } from 'react-aria-components';
import { SingleKey } from '../../components/controls/single-key.tsx';
import { Truncate } from '../../components/display/truncate.tsx';
import { hrefOf, type Route } from '../../routes.ts';
import { useNumber } from '../../i18n/text.ts';

/** One destination of the navigation, with its count. */
export const RailItem = ({
  to,
  isCurrent,
  icon,
  name,
  detail = null,
  keys,
  count,
  more = false,
  alert = false,
}: {
  to: Route;
  isCurrent: boolean;
  icon: ReactNode;
  name: string;
  /** What the icon means, for a screen reader. */
  detail?: string | null;
  keys?: string;
  count?: number | undefined;
  /** The count is a lower bound. */
  more?: boolean | undefined;
  alert?: boolean;
}) => {
  const number = useNumber({ notation: 'compact' });
  return (
    <Link
      href={hrefOf(to)}
      className="rail-item focus-inside"
      {...(isCurrent ? { 'aria-current': 'page' } : {})}
    >
      <span className="rail-icon centred quiet" aria-hidden="true">
        {icon}
      </span>
      <Truncate className="rail-name grow" text={name} />
      {detail === null ? null : <span className="out-of-sight"> ({detail})</span>}
      {count !== undefined && count > 0 ? (
        <span className={`rail-count quiet tiny tabular ${alert ? 'alert' : ''}`}>
          {number(count)}
          {more ? '+' : ''}
        </span>
      ) : null}
      {keys === undefined ? null : <SingleKey>{keys}</SingleKey>}
    </Link>
  );
};
