import { Link } from 'react-aria-components';
import { hrefOf, type Route } from '../../routes.ts';
import { useLocaleChoice } from '../../i18n/text.ts';

/** A count that opens what it counts. `name`: what is counted, for whoever hears the number alone. */
export const NumberLink = ({ count, name, to }: { count: number; name: string; to: Route }) => {
  const { locale } = useLocaleChoice();
  const text = new Intl.NumberFormat(locale).format(count);
  // What is not there has no list.
  if (count === 0) return <span className="quiet">{text}</span>;
  return (
    <Link href={hrefOf(to)} className="number-link" aria-label={`${text} ${name}`}>
      {text}
    </Link>
  );
};
