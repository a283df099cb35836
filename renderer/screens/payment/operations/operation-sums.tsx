import type { ReactNode } from 'react';
import type { BegunOperation } from '../../../../shared/contract/contract.ts';
import { formatMoney } from '../../../../shared/money/format-amount.ts';
import { exactAmount } from '../../../../shared/money/wire-amount.ts';
import {
  hasAmount,
  operationTable,
  type OperationKind,
} from '../../../../shared/operations/operation-kinds.ts';
import { useLocaleChoice, useText } from '../../../i18n/text.ts';
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

/**
 * What was paid, what went back, what this operation moves and what is left then; and the limits of the person. A
 * charge has the limits alone: its money is that of another payment.
 */
export const OperationSums = ({
  ordered,
  begun,
  kind,
  reading: { whole, amount, left },
}: {
  /** The payment's amount, wire form. */
  ordered: string | null;
  begun: BegunOperation;
  kind: OperationKind;
  reading: OperationReading;
}) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const money = (wire: string): string => formatMoney(wire, begun.currency ?? '', locale);
  const isSome = (wire: string | null): wire is string => wire !== null && (exactAmount(wire) ?? 0n) > 0n;
  const { paid, returned, onTheWay, hasUnknownPart } = begun.balance;
  const { perOperation, leftToday } = begun.limits;
  const limits = [
    perOperation === null ? null : t('operation.limit.one', { limit: money(perOperation) }),
    leftToday === null ? null : t('operation.limit.day', { limit: money(leftToday) }),
  ].filter(one => one !== null);
  const remark = limits.length === 0 ? null : <p className="tiny quiet">{limits.join(' ')}</p>;
  if (hasAmount(kind, 'order')) return remark;
  const { needs, sign, upTo } = operationTable[kind];
  const isHeld = paid === null && (needs === 'held' || needs === 'cancellable');
  return (
    <section
      className="operation-sums tracks gap-2 lined rounded on-sunken small"
      aria-label={t('operation-form.sums')}
    >
      <dl>
        {paid === null ? null : <Row name={t('operation-form.paid')}>{money(paid)}</Row>}
        {isHeld && ordered !== null ? <Row name={t('operation-form.held')}>{money(ordered)}</Row> : null}
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
      {remark}
    </section>
  );
};
