import { Link } from 'react-aria-components';
import { hrefOf, type Route } from '../../routes.ts';
import type { Figures } from '../../../shared/reports/overview.ts';
import { raisedOf } from '../../../shared/payments/outcomes.ts';
import { useNumber, useText } from '../../i18n/text.ts';

/** A count that opens its list. `name`: the accessible name, for screen readers. */
export const NumberLink = ({ count, name, to }: { count: number; name: string; to: Route }) => {
  const text = useNumber()(count);
  // A count of zero has no list.
  if (count === 0) return <span className="quiet">{text}</span>;
  return (
    <Link href={hrefOf(to)} className="number-link" aria-label={`${text} ${name}`}>
      {text}
    </Link>
  );
};

/** The share of the created links that were paid, which opens their list. `name`: what it is, and whose. */
export const ConversionLink = ({
  figures: { converted, outcomes },
  name,
  to,
  className = '',
}: {
  figures: Pick<Figures, 'converted' | 'outcomes'>;
  name: string;
  to: Route;
  className?: string;
}) => {
  const t = useText();
  const share = useNumber({ style: 'percent', maximumFractionDigits: 1 });
  const raised = raisedOf(outcomes);
  if (converted === 0) return <span className="quiet">{raised === 0 ? '–' : share(0)}</span>;
  const text = share(converted / raised);
  return (
    <Link
      className={`number-link ${className}`}
      href={hrefOf(to)}
      aria-label={`${text} ${name}: ${t('overview.conversion.text', { converted, raised })}`}
    >
      {text}
    </Link>
  );
};
