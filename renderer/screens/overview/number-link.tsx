import { Link } from 'react-aria-components';
import { hrefOf, type Route } from '../../routes.ts';
import { useNumber } from '../../i18n/text.ts';

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
