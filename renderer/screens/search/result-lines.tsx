import { inLine } from '../../../shared/plain-text.ts';
import { UserRound } from 'lucide-react';
import { ownCustomer } from '../../../shared/merchant-texts/own-customer.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import { Money } from '../../components/display/money-text.tsx';
import { StatusBadge } from '../../components/display/status-badge.tsx';
import { Truncate } from '../../components/display/truncate.tsx';
import { useText } from '../../i18n/text.ts';
import { useHead } from '../../hooks/use-head.ts';
import type { CustomerHit, PaymentHit } from '../../queries/search-results.ts';
import { usePaymentAnswer } from '../payments/use-payment-answer.ts';

/** Marks a result that was found by a word similar to the typed one. */
const Similar = () => {
  const t = useText();
  return <span className="tag">{t('results.similar')}</span>;
};

const Answer = ({ row }: { row: PaymentRow }) => (
  <span className="result-answer">{usePaymentAnswer(row)}</span>
);

/** A found payment; `withAnswer`: it is the only one, with what to say about it. */
export const PaymentLine = ({
  hit: { row, isApproximate },
  withAnswer,
}: {
  hit: PaymentHit;
  withAnswer: boolean;
}) => {
  const head = useHead(row);
  return (
    <>
      <StatusBadge state={head} inList />
      <span className="clip code" title={inLine(row.orderNumber)}>
        {inLine(row.orderNumber)}
      </span>
      <Truncate className="quiet result-who" text={ownCustomer(row)?.name || row.description || ''} />
      <span className="line result-end">
        {isApproximate ? <Similar /> : null}
        <Money {...head.money} />
      </span>
      {withAnswer ? <Answer row={row} /> : null}
    </>
  );
};

/** A found customer, as the merchant typed the details. */
export const CustomerLine = ({
  customer: { name, email, phone, orderNumber, payments, isApproximate },
}: {
  customer: CustomerHit;
}) => {
  const t = useText();
  const [first, ...further] = [name, email, phone].filter(text => text !== null);
  return (
    <>
      <UserRound size={16} aria-hidden="true" className="quiet" />
      <Truncate text={first ?? orderNumber} />
      <Truncate className="quiet result-who" text={further.join(' · ')} />
      <span className="line result-end">
        {isApproximate ? <Similar /> : null}
        <span className="small quiet">{t('results.payments', { count: payments })}</span>
      </span>
    </>
  );
};
