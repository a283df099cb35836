import { Link } from 'react-aria-components';
import { headOf } from '../../../shared/reports/head.ts';
import { paymentKey } from '../../../shared/payments/payment-row.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import { moneyOf } from '../../../shared/reports/payment-books.ts';
import { shownMoney } from '../../../shared/payments/shown-money.ts';
import { DataTable } from '../../components/display/data-table.tsx';
import { AlignedMoney, Time, Truncate, clockTime } from '../../components/display/values.tsx';
import { StatusBadge } from '../../components/display/status-badge.tsx';
import { useText, useLocaleChoice } from '../../i18n/text.ts';
import { hrefOf } from '../../routes.ts';
import { useClock } from '../../stores/clock-store.ts';
import { Panel } from '../../components/display/panel.tsx';
import { Button } from '../../components/controls/button.tsx';
import { useCustomer, type Customer, type CustomerCandidate } from '../../queries/customer.ts';

type Details = Pick<CustomerCandidate, 'orderNumber' | 'name' | 'email' | 'phone' | 'payments'>;

/** What a person is called in a sentence: the name, otherwise the first other detail. */
const calledOf = ({ name, email, phone, orderNumber }: Omit<Details, 'payments'>): string =>
  name ?? email ?? phone ?? orderNumber;

const Words = ({ details }: { details: Details }) => {
  const t = useText();
  const called = calledOf(details);
  const others = [details.email, details.phone].filter(text => text !== null && text !== called);
  return (
    <span className="stack gap-0 grow min-0 small">
      <span>
        <strong className="break medium">{called}</strong>{' '}
        <span className="quiet nowrap">{t('customer.count', { count: details.payments })}</span>
      </span>
      {others.map(text => (
        <Truncate key={text} className="muted" text={text ?? ''} />
      ))}
    </span>
  );
};

/** Every spelling of the customer's details, who joined it, and a button to separate it. */
export const Spellings = ({ spellings }: { spellings: Customer['spellings'] }) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const now = useClock(({ wallClock }) => Math.floor(wallClock / 60_000) * 60_000);
  const { busy, separate } = useCustomer();
  // One spelling is the head of the page.
  if (spellings.length < 2) return null;
  return (
    <Panel title={t('customer.spellings')}>
      <ul className="named-entries no-padding no-margin no-bullets spellings">
        {spellings.map(spelling => {
          const { joined, orderNumber } = spelling;
          const name = calledOf(spelling);
          return (
            <li key={orderNumber} className="line">
              <span className="stack gap-0 grow min-0">
                <Words details={spelling} />
                {joined === null ? null : (
                  <span className="tiny quiet">
                    {t('customer.joined-by', {
                      agent: joined.agent,
                      time: clockTime(joined.at, locale, now),
                    })}
                  </span>
                )}
              </span>
              {joined === null ? null : (
                <Button
                  request="customers.separate"
                  size="small"
                  isPending={busy === 'separating'}
                  onPress={() => void separate({ id: joined.id, name, orderNumber })}
                >
                  {t('customer.separate')}
                  <span className="out-of-sight"> {name}</span>
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </Panel>
  );
};

/** Other details that may be of the same person: a person decides, and can undo it. */
export const Candidates = ({
  candidates,
  profileId,
}: {
  candidates: Customer['candidates'];
  profileId: string;
}) => {
  const t = useText();
  const { busy, join } = useCustomer();
  if (candidates.length === 0) return null;
  return (
    <Panel title={t('customer.candidates')}>
      <ul className="named-entries no-padding no-margin no-bullets spellings">
        {candidates.map(candidate => {
          const { orderNumber } = candidate;
          const name = calledOf(candidate);
          return (
            <li key={orderNumber} className="line">
              <span className="stack gap-0 grow min-0">
                <Words details={candidate} />
                <Link className="tiny" href={hrefOf({ screen: 'customer', profileId, orderNumber })}>
                  {t('customer.open')}
                  <span className="out-of-sight"> {name}</span>
                </Link>
              </span>
              <Button
                request="customers.join"
                size="small"
                isPending={busy === 'joining'}
                onPress={() => void join({ name, orderNumber })}
              >
                {t('customer.join')}
                <span className="out-of-sight"> {name}</span>
              </Button>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
};

const figure = { headClass: 'figure', className: 'figure' };

/** All payments of the customer, newest first, with what went back of each. */
export const CustomerPayments = ({ rows, more }: { rows: readonly PaymentRow[]; more: boolean }) => {
  const t = useText();
  // The clock ticks; the table is drawn again when a link expires.
  useClock(({ wallClock }) => rows.filter(row => wallClock >= (row.expiresAt ?? Infinity)).length);
  const heads = (row: PaymentRow) => headOf(row, useClock.getState().wallClock);
  const withRefunds = rows.some(row => Number(moneyOf(row).refunded ?? 0) > 0);
  return (
    <section className="panel flush" aria-label={t('nav.payments')}>
      <header>
        <h2>{t('nav.payments')}</h2>
        <span className="small quiet">
          {t(more ? 'customer.count.more' : 'customer.count', { count: rows.length })}
        </span>
      </header>
      <div className="wide-frame">
        <DataTable
          className="customer-payments full to-edges collapsed small"
          rows={rows}
          keyOf={paymentKey}
          rowClass={row => (heads(row).kind.startsWith('expired') ? 'over' : '')}
          columns={{
            state: {
              head: t('column.state'),
              cell: row => <StatusBadge state={heads(row)} inList />,
            },
            amount: {
              ...figure,
              head: t('column.amount'),
              cell: row => <AlignedMoney {...shownMoney(row)} />,
            },
            ...(withRefunds
              ? {
                  refunded: {
                    ...figure,
                    head: t('column.refunded'),
                    cell: (row: PaymentRow) => {
                      const { refunded } = moneyOf(row);
                      return (
                        <AlignedMoney
                          amount={Number(refunded ?? 0) === 0 ? null : refunded}
                          currency={row.currency}
                        />
                      );
                    },
                  },
                  net: {
                    ...figure,
                    head: t('column.net'),
                    cell: (row: PaymentRow) => (
                      <AlignedMoney amount={moneyOf(row).net} currency={row.currency} />
                    ),
                  },
                }
              : {}),
            what: {
              head: t('customer.what'),
              cell: ({ profileId, orderNumber, description }) => (
                <Link
                  className="row-link tracks min-0 ink-inherit undecorated"
                  href={hrefOf({ screen: 'payment', profileId, orderNumber })}
                >
                  <Truncate text={description ?? '–'} />
                  <Truncate className="code tiny quiet" text={orderNumber} />
                </Link>
              ),
            },
            when: {
              head: t('column.when'),
              cell: row => <Time at={row.firstAt} />,
              headClass: 'figure',
              className: 'figure quiet',
            },
          }}
        />
      </div>
    </section>
  );
};
