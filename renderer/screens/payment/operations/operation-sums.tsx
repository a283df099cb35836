import type { ReactNode } from 'react';
import type { OperationOffer } from '../../../../shared/contract/contract.ts';
import { formatMoney } from '../../../../shared/money/format-amount.ts';
import { exactAmount } from '../../../../shared/money/wire-amount.ts';
import { operationTable } from '../../../../shared/operations/operation-kinds.ts';
import type { Payment } from '../../../../shared/payments/payment.ts';
import { useLocaleChoice, useText } from '../../../i18n/text.ts';
import type { OperationFields } from '../../../stores/payments/operation-store.ts';
import type { OfferedPayment } from './offered-actions.ts';
import type { OperationReading } from './operation-form.ts';

const Row = ({
  name,
  isTotal = false,
  children,
}: {
  name: string;
  isTotal?: boolean;
  children: ReactNode;
}) => (
  <div className={isTotal ? 'total' : ''}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** What was paid, what went back, what this operation moves and what is left then; and the limits of the person. */
export const OperationSums = ({
  payment,
  offer,
  target: { balance },
  fields: { kind },
  reading: { whole, amount, left },
}: {
  payment: Payment;
  offer: OperationOffer;
  target: OfferedPayment;
  fields: OperationFields;
  reading: OperationReading;
}) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const money = (wire: string): string => formatMoney(wire, offer.currency ?? '', locale);
  const isSome = (wire: string | null): wire is string => wire !== null && (exactAmount(wire) ?? 0n) > 0n;
  const { needs, sign, upTo } = operationTable[kind];
  const { paid, returned, onTheWay, hasUnknownPart } = balance;
  const { perOperation, leftToday } = offer.limits;
  const limits = [
    perOperation === null ? null : t('operation.limit.one', { limit: money(perOperation) }),
    leftToday === null ? null : t('operation.limit.day', { limit: money(leftToday) }),
  ].filter(one => one !== null);
  return (
    <section className="operation-sums" aria-label={t('operation-form.sums')}>
      <dl>
        {paid !== null ? (
          <Row name={t('operation-form.paid')}>{money(paid)}</Row>
        ) : payment.amount === null || !['held', 'cancellable'].includes(needs) ? null : (
          <Row name={t('operation-form.held')}>{money(payment.amount)}</Row>
        )}
        {isSome(returned) || hasUnknownPart ? (
          <Row name={t('operation-form.returned')}>
            {!isSome(returned)
              ? t('operation-form.unknown-part.only')
              : hasUnknownPart
                ? t('operation-form.unknown-part', { amount: `−${money(returned)}` })
                : `−${money(returned)}`}
          </Row>
        ) : null}
        {isSome(onTheWay) ? <Row name={t('operation-form.on-the-way')}>{`−${money(onTheWay)}`}</Row> : null}
        <Row name={t(`operation-form.this.${kind}`)}>
          {amount === null ? '–' : `${sign === '−' ? sign : ''}${money(amount)}`}
        </Row>
        {upTo === 'left' ? (
          <Row name={t(hasUnknownPart ? 'operation-form.left.most' : 'operation-form.left')} isTotal>
            {left === null ? (whole === null ? '–' : money(whole)) : money(left)}
          </Row>
        ) : null}
      </dl>
      {limits.length === 0 ? null : <p className="tiny quiet">{limits.join(' ')}</p>}
    </section>
  );
};
