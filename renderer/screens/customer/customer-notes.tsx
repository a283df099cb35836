import { inLine } from '../../../shared/plain-text.ts';
import { Link } from 'react-aria-components';
import { clockTime } from '../../components/display/time.tsx';
import { useLocaleChoice, useText } from '../../i18n/text.ts';
import { hrefOf } from '../../routes.ts';
import { useClock } from '../../stores/clock-store.ts';
import type { Customer } from '../../queries/customer.ts';

/** The notes of all of the customer's payments, newest first. */
export const CustomerNotes = ({ notes, profileId }: { notes: Customer['notes']; profileId: string }) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const now = useClock(({ wallClock }) => Math.floor(wallClock / 60_000) * 60_000);
  if (notes.length === 0) return null;
  return (
    <section className="panel" aria-label={t('customer.notes')}>
      <header>
        <h2>{t('customer.notes')}</h2>
      </header>
      <ul className="named-entries no-padding no-margin no-bullets spellings">
        {notes.map(({ orderNumber, text, agent, at }) => (
          <li key={`${orderNumber} ${at} ${agent}`} className="customer-note small">
            <p className="break">{text}</p>
            <p className="tiny quiet">
              {agent}, {clockTime(at, locale, now)} ·{' '}
              <Link className="code break" href={hrefOf({ screen: 'payment', profileId, orderNumber })}>
                {inLine(orderNumber)}
              </Link>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
};
