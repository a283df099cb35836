import { History, UserRound } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Link } from 'react-aria-components';
import { formatMoney } from '../../../shared/money/format-amount.ts';
import { completePhoneNumber, readPhoneNumber } from '../../../shared/phone-number.ts';
import { withoutUnseen } from '../../../shared/plain-text.ts';
import { Button } from '../../components/controls/button.tsx';
import { TextBox } from '../../components/controls/fields.tsx';
import { timeInSentence } from '../../components/display/values.tsx';
import { dateFormat, useLocaleChoice, useText } from '../../i18n/text.ts';
import { hrefOf } from '../../routes.ts';
import { useClock } from '../../stores/clock-store.ts';
import {
  useKnownCustomer,
  useProposedCustomers,
  type KnownCustomer,
  type ProposedCustomer,
} from '../../queries/known-customer.ts';
import type { BoxOf } from './box-of.ts';

const Known = ({ customer, profileId }: { customer: KnownCustomer; profileId: string }) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const { orderNumber, links, paid, more, last, open } = customer;
  const now = useClock(({ wallClock }) => wallClock);
  const date = dateFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' });
  return (
    <output className="known-customer lined line rounded on-sunken small">
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
            className="known-open block"
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

/** Known customers that the typed detail may mean, each with the newest payment. */
const Proposals = ({
  customers,
  onFill,
}: {
  customers: readonly ProposedCustomer[];
  onFill: (customer: ProposedCustomer) => void;
}) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const date = dateFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' });
  return (
    <ul className="line wrap gap-1" aria-label={t('new.proposals')}>
      {customers.map((customer, index) => {
        const { orderNumber, name, email, phone, newest } = customer;
        const { amount, currency, at } = newest;
        const last = amount === null ? '' : `${formatMoney(amount, currency ?? '', locale)}, `;
        return (
          <li key={orderNumber}>
            <Button
              size="small"
              icon={UserRound}
              {...(index === 0 && { keys: '↓' })}
              onPress={() => onFill(customer)}
            >
              {[name, email ?? phone, `${last}${date.format(at)}`].filter(Boolean).join(' · ')}
            </Button>
          </li>
        );
      })}
    </ul>
  );
};

/** Name, email and phone: always there, all optional. */
export const CustomerFields = ({
  box,
  profileId,
  merchantPhone,
  isSent,
  ...typed
}: {
  box: BoxOf;
  profileId: string;
  /** Decides the country of a number without one. */
  merchantPhone: string;
  /** Whether the profile sends name and email to the gateway. */
  isSent: boolean;
  name: string;
  email: string;
  phone: string;
}) => {
  const t = useText();
  const complete = (text: string): string => completePhoneNumber(withoutUnseen(text), merchantPhone);
  const phone = complete(typed.phone);
  const isCompleted = phone !== withoutUnseen(typed.phone);
  const known = useKnownCustomer(profileId, { ...typed, phone });
  const optional = <span className="optional quiet small">{t('optional')}</span>;
  const proposals = useProposedCustomers(profileId, typed);
  const fill = ({ name, email, phone }: ProposedCustomer): void => {
    box('customerName').onChange(name ?? '');
    box('customerEmail').onChange(email ?? '');
    box('customerPhone').onChange(phone ?? '');
  };
  const onKeyDown: NonNullable<ComponentProps<typeof TextBox>['onKeyDown']> = event => {
    if (event.key === 'ArrowDown' && proposals[0]) fill(proposals[0]);
    else event.continuePropagation();
  };
  return (
    <div className="stack tight">
      <div className="customer-fields tracks gap-3 at-start">
        <TextBox
          {...box('customerName')}
          onKeyDown={onKeyDown}
          label={t('new.customer.name')}
          labelExtra={optional}
          autoComplete="off"
        />
        <TextBox
          {...box('customerEmail')}
          onKeyDown={onKeyDown}
          label={t('new.customer.email')}
          labelExtra={optional}
          type="email"
          autoComplete="off"
        />
        <TextBox
          {...box('customerPhone')}
          onKeyDown={onKeyDown}
          label={t('new.customer.phone')}
          labelExtra={optional}
          type="tel"
          hint={isCompleted ? t('new.phone.read', { number: phone }) : undefined}
          onBlur={() => {
            if (isCompleted) box('customerPhone').onChange(phone);
            box('customerPhone').onBlur();
          }}
          isAllowed={text => readPhoneNumber(complete(text)) !== null}
          autoComplete="off"
        />
      </div>
      <div className="below-customer stack tight">
        {proposals.length === 0 ? null : <Proposals customers={proposals} onFill={fill} />}
        {known === null ? null : <Known customer={known} profileId={profileId} />}
        {proposals.length > 0 || known !== null ? null : (
          <p className="hint">{t(isSent ? 'new.customer.sent' : 'new.customer.local')}</p>
        )}
      </div>
    </div>
  );
};
