import { History } from 'lucide-react';
import { Link } from 'react-aria-components';
import { formatMoney } from '../../../shared/money/format-amount.ts';
import { readPhoneNumber } from '../../../shared/phone-number.ts';
import { TextBox } from '../../components/controls/text-box.tsx';
import { timeInSentence } from '../../components/display/time.tsx';
import { dateFormat } from '../../i18n/formatters.ts';
import { useLocaleChoice, useText } from '../../i18n/text.ts';
import { hrefOf } from '../../routes.ts';
import { useClock } from '../../stores/clock-store.ts';
import { useKnownCustomer, type KnownCustomer } from '../../queries/known-customer.ts';
import type { BoxOf } from './box-of.ts';

const Known = ({ customer, profileId }: { customer: KnownCustomer; profileId: string }) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const { orderNumber, links, paid, more, last, open } = customer;
  const now = useClock(({ wallClock }) => wallClock);
  const date = dateFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' });
  return (
    <output className="known-customer line rounded on-sunken small">
      <History size={16} aria-hidden="true" />
      <span className="grow min-0">
        {last === null
          ? t('new.known.unpaid', { count: links })
          : t(more ? 'new.known.more' : 'new.known', {
              count: paid,
              amount: last.amount === null ? '–' : formatMoney(last.amount, last.currency ?? '', locale),
              date: date.format(last.at),
            })}
        {open.map(link => (
          <Link
            key={link.orderNumber}
            className="known-open"
            href={hrefOf({ screen: 'payment', profileId, orderNumber: link.orderNumber })}
          >
            {t('new.known.open', {
              amount: link.amount === null ? '–' : formatMoney(link.amount, link.currency ?? '', locale),
              time: timeInSentence(link.at, locale, Math.max(now, link.at), t),
            })}
          </Link>
        ))}
      </span>
      <Link className="small" href={hrefOf({ screen: 'customer', profileId, orderNumber })}>
        {t('new.known.show')}
      </Link>
    </output>
  );
};

/** Name, email and phone: always there, all optional. */
export const CustomerFields = ({
  box,
  profileId,
  isSent,
  ...typed
}: {
  box: BoxOf;
  profileId: string;
  /** Whether the profile sends name and email to the gateway. */
  isSent: boolean;
  name: string;
  email: string;
  phone: string;
}) => {
  const t = useText();
  const known = useKnownCustomer(profileId, typed);
  const optional = <span className="optional quiet small">{t('optional')}</span>;
  const isEmpty = typed.name + typed.email + typed.phone === '';
  return (
    <div className="stack tight">
      <div className="customer-fields tracks gap-3 at-start">
        <TextBox
          {...box('customerName')}
          label={t('new.customer.name')}
          labelExtra={optional}
          autoComplete="off"
        />
        <TextBox
          {...box('customerEmail')}
          label={t('new.customer.email')}
          labelExtra={optional}
          type="email"
          autoComplete="off"
        />
        <TextBox
          {...box('customerPhone')}
          label={t('new.customer.phone')}
          labelExtra={optional}
          type="tel"
          isAllowed={text => readPhoneNumber(text) !== null}
          autoComplete="off"
        />
      </div>
      {isEmpty ? null : <p className="hint">{t(isSent ? 'new.customer.sent' : 'new.customer.local')}</p>}
      {known === null ? null : <Known customer={known} profileId={profileId} />}
    </div>
  );
};
