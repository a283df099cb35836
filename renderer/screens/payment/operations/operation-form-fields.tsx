import { ownCustomer } from '../../../../shared/merchant-texts/own-customer.ts';
import { inLine } from '../../../../shared/plain-text.ts';
import { useEffect, useRef } from 'react';
import { RefreshCw } from 'lucide-react';
import type { BegunOperation } from '../../../../shared/contract/contract.ts';
import { formatMoney } from '../../../../shared/money/format-amount.ts';
import { exactAmount } from '../../../../shared/money/wire-amount.ts';
import {
  hasAmount,
  maxOperationText,
  operationTable,
} from '../../../../shared/operations/operation-kinds.ts';
import type { OperationField, OperationProblems } from '../../../../shared/operations/rules.ts';
import type { Payment } from '../../../../shared/payments/payment.ts';
import { IconButton } from '../../../components/controls/button.tsx';
import { isByArrow } from '../../../focus.ts';
import { PinBox, SelectBox, TextBox } from '../../../components/controls/fields.tsx';
import { SegmentedControl } from '../../../components/controls/radio-choice.tsx';
import { Note } from '../../../components/display/notes.tsx';
import { clockTime } from '../../../components/display/values.tsx';
import { useLocaleChoice, useMessage, useText } from '../../../i18n/text.ts';
import { useClock } from '../../../stores/clock-store.ts';
import {
  useOperation,
  type OperationFields,
  type OperationForm,
} from '../../../stores/payments/operation-store.ts';
import { AmountBox, ExtentBox } from './boxes.tsx';
import { offeredActions } from './offered-actions.ts';
import { paymentChoices } from './payment-choices.ts';
import type { OperationReading } from './operation-form.ts';
import { OperationSums } from './operation-sums.tsx';

type Props = {
  payment: Payment;
  form: OperationForm & { begun: BegunOperation };
  reading: OperationReading;
  /** The problems to show, by field. */
  problems: OperationProblems;
};

/** The texts of a field's box, and its problem. */
const useBox = ({ form: { fields }, problems }: Pick<Props, 'form' | 'problems'>) => {
  const say = useMessage();
  const change = useOperation(store => store.change);
  const problemOf = (field: OperationField): string | null => {
    const problem = problems[field];
    return problem === undefined ? null : say(problem);
  };
  return {
    problemOf,
    boxOf: (field: OperationField & keyof Omit<OperationFields, 'extent' | 'reason' | 'approver'>) => ({
      'data-field': field,
      value: fields[field],
      onChange: (text: string) => change({ [field]: text }),
      problem: problemOf(field),
      autoComplete: 'off' as const,
    }),
  };
};

/** The amount of a refund, a collection or a charge. */
const TypedAmount = (props: Omit<Props, 'payment'>) => {
  const t = useText();
  const { boxOf } = useBox(props);
  const { kind, begun } = props.form;
  return hasAmount(kind, 'none') ? null : (
    <AmountBox
      {...boxOf('amount')}
      label={t(`operation-form.amount.${kind}`)}
      currency={begun.currency ?? ''}
      words={props.reading.words}
    />
  );
};

/** How much: the whole amount or a part, which is typed. */
const Extent = (props: Omit<Props, 'payment'>) => {
  const { form, reading } = props;
  const { kind, fields, begun } = form;
  const t = useText();
  const { locale } = useLocaleChoice();
  const { problemOf } = useBox(props);
  const change = useOperation(store => store.change);
  const { returned, onTheWay } = begun.balance;
  const isRest =
    operationTable[kind].upTo === 'left' && [returned, onTheWay].some(one => (exactAmount(one) ?? 0n) > 0n);
  return (
    <ExtentBox
      value={fields.extent}
      onChange={extent => change({ extent })}
      whole={{
        name: t(isRest ? 'operation-form.rest' : 'operation-form.whole'),
        amount: reading.whole === null ? '–' : formatMoney(reading.whole, begun.currency ?? '', locale),
      }}
      problem={problemOf('extent')}
      isFirst
    >
      <TypedAmount {...props} />
    </ExtentBox>
  );
};

/** The new order of a charge: how much and what for, its number, and how the customer agreed. */
const Charge = (props: Omit<Props, 'payment'>) => {
  const { fields, suggestedOrder, usedOrder } = props.form;
  const t = useText();
  const { boxOf } = useBox(props);
  const change = useOperation(store => store.change);
  return (
    <>
      <TypedAmount {...props} />
      <TextBox {...boxOf('description')} label={t('new.description')} maxLength={1024} isRequired />
      <TextBox
        {...boxOf('orderNumber')}
        label={t('charge-form.order')}
        hint={usedOrder === null ? undefined : t('charge-form.used', { order: usedOrder })}
        inputClass="code"
        maxLength={255}
        isRequired
        trail={
          fields.orderNumber === suggestedOrder ? null : (
            <IconButton
              name={t('new.order.use-suggested', { order: suggestedOrder })}
              icon={<RefreshCw size={14} />}
              onPress={() => change({ orderNumber: suggestedOrder })}
            />
          )
        }
      />
      <TextBox
        {...boxOf('consent')}
        label={t('charge-form.consent')}
        hint={t('charge-form.consent.hint')}
        maxLength={maxOperationText}
        lines={2}
        isRequired
      />
    </>
  );
};

/** The second person, who confirms with their PIN at this window. */
const Second = ({ form, problems }: Pick<Props, 'form' | 'problems'>) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const { problemOf } = useBox({ form, problems });
  const change = useOperation(store => store.change);
  const { fields, begun } = form;
  const { approvers, limits, currency } = begun;
  const [first, ...others] = approvers;
  const only = others.length === 0 && fields.approver === null ? (first?.id ?? null) : null;
  // There is no other choice.
  useEffect(() => {
    if (only !== null) change({ approver: only });
  }, [only, change]);
  const from = formatMoney(limits.secondPersonFrom ?? '', currency ?? '', locale);
  if (approvers.length === 0)
    return (
      <div data-field="approver" tabIndex={-1}>
        <Note tone="warning">{t('operation-form.second.missing')}</Note>
      </div>
    );
  const name = approvers.find(({ id }) => id === fields.approver)?.name ?? null;
  return (
    <div className="operation-second tracks to-top">
      <p className="small muted">{t('operation-form.second.from', { amount: from })}</p>
      <SelectBox
        field="approver"
        label={t('operation-form.second')}
        placeholder={t('operation-form.second.choose')}
        options={approvers}
        value={fields.approver}
        onChange={approver => change({ approver, pin: '' })}
        problem={problemOf('approver')}
      />
      {name === null ? null : (
        <PinBox
          data-field="pin"
          label={t('pin.of', { name })}
          value={fields.pin}
          onChange={pin => change({ pin })}
          problem={problemOf('pin')}
        />
      )}
    </div>
  );
};

/** What the operation is about, and another operation or payment of the order instead. */
const Subject = ({ payment, form }: Pick<Props, 'payment' | 'form'>) => {
  const t = useText();
  const say = useMessage();
  const { locale } = useLocaleChoice();
  const { offer, choose } = useOperation();
  const now = useClock(({ wallClock }) => Math.floor(wallClock / 60_000) * 60_000);
  const { kind, paymentId, orderNumber, begun } = form;
  if (hasAmount(kind, 'order'))
    return (
      <p className="small muted break">
        {[
          ownCustomer(payment)?.name,
          begun.cardLast4
            ? t('charge-form.of.card', { order: orderNumber, card: begun.cardLast4 })
            : t('charge-form.of', { order: orderNumber }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
    );
  const all = offer === null ? [] : offeredActions(offer);
  const actions = all.filter(({ payments }) => payments.length > 0);
  const noVoid = all.find(one => one.kind === 'void')?.refusal ?? null;
  const paymentsOf = (of: typeof kind) => actions.find(one => one.kind === of)?.payments ?? [];
  const targets = paymentsOf(kind);
  return (
    <>
      <p className="small muted break">{[payment.customer?.name, orderNumber].filter(Boolean).join(' · ')}</p>
      {actions.length > 1 ? (
        <SegmentedControl
          label={t('operation-form.kind')}
          options={actions.map(one => ({ id: one.kind, name: t(`operation-form.title.${one.kind}`) }))}
          value={kind}
          onChange={wanted => {
            const ids = paymentsOf(wanted).map(one => one.paymentId);
            void choose(wanted, ids.includes(paymentId) ? paymentId : (ids[0] ?? paymentId));
          }}
        />
      ) : null}
      {kind === 'void' && paymentsOf('refund').length > 0 ? (
        <p className="small muted">{t('operation-form.cancel-first')}</p>
      ) : null}
      {kind === 'refund' && noVoid !== null ? <p className="small muted">{say(noVoid)}</p> : null}
      {targets.length > 1 ? (
        <SelectBox
          label={t('operation-form.payment')}
          options={paymentChoices(
            payment,
            targets.map(one => one.paymentId),
            locale,
            now,
          )}
          value={paymentId}
          onChange={id => void choose(kind, id)}
        />
      ) : null}
    </>
  );
};

/** Everything that is chosen and typed for an operation. */
export const OperationFormFields = (props: Props) => {
  const { payment, form, reading, problems } = props;
  const { kind, fields, begun, orderNumber } = form;
  const t = useText();
  const say = useMessage();
  const { locale } = useLocaleChoice();
  const { boxOf, problemOf } = useBox(props);
  const change = useOperation(store => store.change);
  const reason = useRef<HTMLDivElement>(null);
  const isWhole = hasAmount(kind, 'none');
  useEffect(() => {
    if (isWhole && !isByArrow()) reason.current?.querySelector('button')?.focus();
  }, [isWhole]);
  const now = useClock(({ wallClock }) => Math.floor(wallClock / 60_000) * 60_000);
  const { voidUntil, refusal, balance, open } = begun;
  const { onTheWay } = balance;
  return (
    <>
      <Subject payment={payment} form={form} />
      {refusal === null ? null : <Note tone="warning">{say(refusal)}</Note>}
      {open[0] && onTheWay !== null && (exactAmount(onTheWay) ?? 0n) > 0n ? (
        <Note tone="warning">
          {t('operation-form.may-be', {
            amount: formatMoney(onTheWay, begun.currency ?? '', locale),
            time: clockTime(open[0].at, locale, now),
          })}
        </Note>
      ) : null}
      {hasAmount(kind, 'part') ? <Extent key={kind} {...props} /> : null}
      {hasAmount(kind, 'order') ? <Charge {...props} /> : null}
      <OperationSums ordered={payment.amount} begun={begun} kind={kind} reading={reading} />
      {isWhole && problems.extent !== undefined ? (
        <p className="problem" role="alert" data-field="extent" tabIndex={-1}>
          {say(problems.extent)}
        </p>
      ) : null}
      {balance.hasUnknownPart && !hasAmount(kind, 'order') ? (
        <Note tone="warning">{t('operation-form.left-unknown')}</Note>
      ) : null}
      {operationTable[kind].needs === 'cancellable' && voidUntil !== null ? (
        <p className="small muted">
          {t('operation.cancel-until', { time: clockTime(voidUntil - 60_000, locale, now) })}
        </p>
      ) : null}
      <div data-field="reason" ref={reason}>
        <SelectBox
          label={t('operation-form.reason')}
          placeholder={t('reason.choose')}
          options={operationTable[kind].reasons.map(id => ({ id, name: t(`operation-reason.${id}`) }))}
          value={fields.reason}
          onChange={chosen => change({ reason: chosen })}
          problem={problemOf('reason')}
        />
      </div>
      <TextBox
        {...boxOf('text')}
        label={t('operation-form.text')}
        labelExtra={fields.reason === 'other' ? null : <span className="tiny quiet">{t('optional')}</span>}
        lines={2}
        maxLength={maxOperationText}
        hint={t('operation-form.text.hint')}
      />
      {begun.needsOrderNumber ? (
        <TextBox
          {...boxOf('typedOrder')}
          label={t('operation-form.order')}
          labelExtra={<span className="code small">{inLine(orderNumber)}</span>}
          isAllowed={text => text === orderNumber}
          inputClass="code"
          spellCheck="false"
          maxLength={255}
        />
      ) : null}
      {reading.needsSecond ? <Second form={form} problems={problems} /> : null}
    </>
  );
};
