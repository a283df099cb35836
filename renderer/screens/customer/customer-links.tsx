import { inLine } from '../../../shared/plain-text.ts';
import { useState } from 'react';
import { Check, Copy, RotateCcw } from 'lucide-react';
import { Link } from 'react-aria-components';
import type { AppError } from '../../../shared/errors.ts';
import { isLinkLive } from '../../../shared/payments/link.ts';
import { paymentKey } from '../../../shared/payments/payment-row.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import { shownMoney } from '../../../shared/payments/shown-money.ts';
import { Button } from '../../components/controls/button.tsx';
import { Money } from '../../components/display/money-text.tsx';
import { StatusBadge } from '../../components/display/status-badge.tsx';
import { Countdown, Time } from '../../components/display/time.tsx';
import { Truncate } from '../../components/display/truncate.tsx';
import { useText } from '../../i18n/text.ts';
import { hrefOf } from '../../routes.ts';
import { useHead } from '../../hooks/use-head.ts';
import { useClock } from '../../stores/clock-store.ts';
import { useCustomer } from '../../queries/customer.ts';
import { go } from '../../stores/route-store.ts';
import { DuplicateQuestion } from '../new-payment/duplicate-question.tsx';
import { linksOf } from './relevant-payment.ts';

const CustomerLink = ({ row }: { row: PaymentRow }) => {
  const t = useText();
  const { busy, done, copyLink, createLink } = useCustomer();
  const head = useHead(row);
  const isLive = useClock(({ wallClock }) => isLinkLive(row, wallClock));
  const { profileId, orderNumber } = row;
  const isCopied = done?.kind === 'copied' && done.orderNumber === orderNumber;
  const open = (): void => go({ screen: 'payment', profileId, orderNumber });
  const [question, setQuestion] = useState<AppError | null>(null);
  const newLink = async (allowSameIntent: boolean): Promise<void> => {
    setQuestion(null);
    const created = await createLink(row, allowSameIntent);
    setQuestion(created.question);
    if (created.hasLink) open();
  };
  return (
    <li className="customer-link tracks gap-1-4 small">
      <StatusBadge state={head} />
      <Money {...shownMoney(row)} />
      <span className="customer-link-words stack gap-0 min-0">
        <Truncate text={row.description ?? orderNumber} />
        <span className="tiny quiet">
          {isLive && row.expiresAt !== null ? (
            <>
              {t('link.works-for')} <Countdown expiresAt={row.expiresAt} />
            </>
          ) : (
            <>
              {t('state.expired')} <Time at={row.expiresAt ?? row.since} />
            </>
          )}
        </span>
      </span>
      <span className="customer-link-actions row gap-2 wrap">
        {isLive ? (
          <Button
            request="payments.shareLink"
            size="small"
            icon={isCopied ? <Check size={14} /> : <Copy size={14} />}
            isPending={busy === 'copying'}
            onPress={() => void copyLink(row)}
          >
            {t(isCopied ? 'copied' : 'link.copy')}
            <span className="out-of-sight"> {inLine(orderNumber)}</span>
          </Button>
        ) : (
          <Button
            request="payments.create"
            size="small"
            variant="primary"
            icon={<RotateCcw size={14} />}
            isPending={busy === 'linking'}
            onPress={() => void newLink(false)}
          >
            {t('customer.new-link')}
            <span className="out-of-sight"> {inLine(orderNumber)}</span>
          </Button>
        )}
        <Link className="button plain small" href={hrefOf({ screen: 'payment', profileId, orderNumber })}>
          {t('payment.open')}
          <span className="out-of-sight"> {inLine(orderNumber)}</span>
        </Link>
      </span>
      {question === null ? null : (
        <DuplicateQuestion
          error={question}
          profileId={profileId}
          onAllow={() => void newLink(true)}
          onClose={() => setQuestion(null)}
        />
      )}
    </li>
  );
};

/** The links that the customer can pay now, and the last one if it has expired: the first thing a caller needs. */
export const CustomerLinks = ({ rows }: { rows: readonly PaymentRow[] }) => {
  const t = useText();
  const second = useClock(({ wallClock }) => Math.floor(wallClock / 1000) * 1000);
  const shown = linksOf(rows, second);
  const isCopied = useCustomer(({ done }) => done?.kind === 'copied');
  if (shown.length === 0) return null;
  return (
    <section className="panel flush" aria-label={t('open-links.name')}>
      <header>
        <h2>{t('open-links.name')}</h2>
      </header>
      <ul className="customer-links">
        {shown.map(row => (
          <CustomerLink key={paymentKey(row)} row={row} />
        ))}
      </ul>
      <output className="out-of-sight">{isCopied ? t('link-shared.copy') : ''}</output>
    </section>
  );
};
