import { useEffect, useRef } from 'react';
import { Label, Radio, RadioGroup } from 'react-aria-components';
import type { OperationOffer } from '../../../../shared/contract/contract.ts';
import { exponentOf } from '../../../../shared/money/currencies.ts';
import { formatMoney } from '../../../../shared/money/format-amount.ts';
import { exactAmount } from '../../../../shared/money/wire-amount.ts';
import {
  hasAmount,
  maxOperationText,
  operationTable,
  type OfferedKind,
} from '../../../../shared/operations/operation-kinds.ts';
import type { Payment } from '../../../../shared/payments/payment.ts';
import { PinBox } from '../../../components/controls/pin-box.tsx';
import { SegmentedControl } from '../../../components/controls/segmented-control.tsx';
import { SelectBox } from '../../../components/controls/select.tsx';
import { TextBox } from '../../../components/controls/text-box.tsx';
import { Note } from '../../../components/display/note.tsx';
import { clockTime } from '../../../components/display/time.tsx';
import { useLocaleChoice, useMessage, useText } from '../../../i18n/text.ts';
import { useClock } from '../../../stores/clock-store.ts';
import { useOperation, type OperationFields } from '../../../stores/payments/operation-store.ts';
import { offeredActions, type OfferedPayment } from './offered-actions.ts';
import type { OperationReading } from './operation-form.ts';
import { OperationSums } from './operation-sums.tsx';

type Props = {
  payment: Payment;
  offer: OperationOffer;
  target: OfferedPayment;
  fields: OperationFields;
  reading: OperationReading;
  /** The problems to show, by field. */
  problems: OperationReading['problems'];
};

/** How much: the whole amount or a part, which is typed and never filled in before. */
const Extent = ({ offer, target, fields, reading, problems }: Omit<Props, 'payment'>) => {
  const t = useText();
  const say = useMessage();
  const { locale } = useLocaleChoice();
  const change = useOperation(store => store.change);
  const currency = offer.currency ?? '';
  const group = useRef<HTMLDivElement>(null);
  // The first decision of the form; the dialog would focus its first text field.
  useEffect(() => group.current?.querySelector('input')?.focus(), []);
  const { returned, onTheWay } = target.balance;
  const isRest = fields.kind === 'refund' && [returned, onTheWay].some(one => (exactAmount(one) ?? 0n) > 0n);
  return (
    <>
      <div data-field="extent" ref={group}>
        <RadioGroup
          className="extent"
          value={fields.extent}
          onChange={id => change({ extent: id === 'part' ? 'part' : 'whole' })}
          isInvalid={problems.extent !== undefined}
          orientation="horizontal"
        >
          <Label>{t('operation-form.extent')}</Label>
          <div className="extent-options">
            <Radio value="whole" className="extent-option">
              <span>{t(isRest ? 'operation-form.rest' : 'operation-form.whole')}</span>
              <span className="small quiet">
                {reading.whole === null ? '–' : formatMoney(reading.whole, currency, locale)}
              </span>
            </Radio>
            <Radio value="part" className="extent-option">
              <span>{t('operation-form.part')}</span>
              <span className="small quiet">{t('operation-form.part.hint')}</span>
            </Radio>
          </div>
        </RadioGroup>
        {problems.extent === undefined ? null : <p className="problem">{say(problems.extent)}</p>}
      </div>
      {fields.extent === 'part' ? (
        <div className="money-field" data-field="amount">
          <TextBox
            label={t(
              fields.kind === 'capture' ? 'operation-form.amount.capture' : 'operation-form.amount.refund',
            )}
            value={fields.amount}
            onChange={amount => change({ amount })}
            inputClass="amount-input"
            inputMode="decimal"
            autoComplete="off"
            maxLength={40}
            placeholder={new Intl.NumberFormat(locale, {
              minimumFractionDigits: exponentOf(currency) ?? 2,
            }).format(0)}
            problem={problems.amount === undefined ? null : say(problems.amount)}
            lead={<span className="operation-currency">{currency}</span>}
            // The next step after choosing a part.
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
          />
          <p className="reading" aria-live="polite">
            {reading.words ?? ''}
          </p>
        </div>
      ) : null}
    </>
  );
};

/** The second person, who confirms with their PIN at this window. */
const Second = ({ offer, fields, problems }: Pick<Props, 'offer' | 'fields' | 'problems'>) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const from = formatMoney(offer.limits.secondPersonFrom ?? '', offer.currency ?? '', locale);
  const say = useMessage();
  const change = useOperation(store => store.change);
  const { approvers } = offer;
  if (approvers.length === 0)
    return (
      <div data-field="approver">
        <Note tone="warning">{t('operation-form.second.missing')}</Note>
      </div>
    );
  const name = approvers.find(({ id }) => id === fields.approver)?.name ?? null;
  return (
    <div className="operation-second">
      <p className="small muted">{t('operation-form.second.from', { amount: from })}</p>
      <div data-field="approver">
        <SelectBox
          label={t('operation-form.second')}
          placeholder={t('operation-form.second.choose')}
          options={approvers}
          value={fields.approver}
          onChange={approver => change({ approver, pin: '' })}
          problem={problems.approver === undefined ? null : say(problems.approver)}
        />
      </div>
      {name === null ? null : (
        <div data-field="pin">
          <PinBox
            label={t('pin.of', { name })}
            value={fields.pin}
            onChange={pin => change({ pin })}
            problem={problems.pin === undefined ? null : say(problems.pin)}
          />
        </div>
      )}
    </div>
  );
};

/** Everything that is chosen and typed for an operation. */
export const OperationFormFields = (props: Props) => {
  const { payment, offer, target, fields, reading, problems } = props;
  const t = useText();
  const say = useMessage();
  const { locale } = useLocaleChoice();
  const change = useOperation(store => store.change);
  const all = offeredActions(offer);
  const actions = all.filter(({ payments }) => payments.length > 0);
  const noVoid = all.find(({ kind }) => kind === 'void')?.refusal ?? null;
  const targets = actions.find(({ kind }) => kind === fields.kind)?.payments ?? [];
  const choose = (kind: OfferedKind): void => {
    const payments = actions.find(one => one.kind === kind)?.payments ?? [];
    const stays = payments.some(({ paymentId }) => paymentId === fields.paymentId);
    const paymentId = stays ? fields.paymentId : (payments[0]?.paymentId ?? fields.paymentId);
    const reason =
      fields.reason !== null && operationTable[kind].reasons.includes(fields.reason) ? fields.reason : null;
    change({ kind, paymentId, extent: null, reason });
  };
  const reason = useRef<HTMLDivElement>(null);
  const isWhole = !hasAmount(fields.kind, 'part');
  useEffect(() => {
    if (isWhole) reason.current?.querySelector('button')?.focus();
  }, [isWhole]);
  const now = useClock(({ wallClock }) => Math.floor(wallClock / 60_000) * 60_000);
  const { voidUntil } = target;
  const money = (wire: string | null): string =>
    wire === null ? '–' : formatMoney(wire, offer.currency ?? '', locale);
  return (
    <>
      <p className="small muted break">
        {[payment.customer?.name, payment.orderNumber].filter(Boolean).join(' · ')}
      </p>
      {actions.length > 1 ? (
        <SegmentedControl
          label={t('operation-form.kind')}
          options={actions.map(({ kind }) => ({ id: kind, name: t(`operation-form.title.${kind}`) }))}
          value={fields.kind}
          onChange={choose}
        />
      ) : null}
      {fields.kind === 'refund' && noVoid !== null ? <p className="small muted">{say(noVoid)}</p> : null}
      {targets.length > 1 ? (
        <SelectBox
          label={t('operation-form.payment')}
          options={targets.map(({ paymentId, cardLast4, balance }) => ({
            id: paymentId,
            name: [cardLast4 === null ? paymentId : `•••• ${cardLast4}`, money(balance.paid)].join(' · '),
          }))}
          value={fields.paymentId}
          onChange={paymentId => change({ paymentId, extent: null })}
        />
      ) : null}
      {hasAmount(fields.kind, 'part') ? <Extent key={fields.kind} {...props} /> : null}
      <OperationSums payment={payment} offer={offer} target={target} fields={fields} reading={reading} />
      {isWhole && problems.extent !== undefined ? (
        <p className="problem" role="alert">
          {say(problems.extent)}
        </p>
      ) : null}
      {target.balance.hasUnknownPart ? <Note tone="warning">{t('operation-form.left-unknown')}</Note> : null}
      {fields.kind === 'void' && voidUntil !== null ? (
        <p className="small muted">
          {t('operation.cancel-until', { time: clockTime(voidUntil - 60_000, locale, now) })}
        </p>
      ) : null}
      <div data-field="reason" ref={reason}>
        <SelectBox
          label={t('operation-form.reason')}
          placeholder={t('operation-form.reason.choose')}
          options={operationTable[fields.kind].reasons.map(id => ({ id, name: t(`operation-reason.${id}`) }))}
          value={fields.reason}
          onChange={reason => change({ reason })}
          problem={problems.reason === undefined ? null : say(problems.reason)}
        />
      </div>
      <div data-field="text">
        <TextBox
          label={t('operation-form.text')}
          {...(fields.reason === 'other'
            ? {}
            : { labelExtra: <span className="tiny quiet">{t('optional')}</span> })}
          value={fields.text}
          onChange={text => change({ text })}
          lines={2}
          maxLength={maxOperationText}
          hint={t('operation-form.text.hint')}
          problem={problems.text === undefined ? null : say(problems.text)}
        />
      </div>
      {offer.needsOrderNumber ? (
        <div data-field="typedOrder">
          <TextBox
            label={t('operation-form.order')}
            labelExtra={<span className="code small">{payment.orderNumber}</span>}
            value={fields.typedOrder}
            onChange={typedOrder => change({ typedOrder })}
            isAllowed={text => text === payment.orderNumber}
            inputClass="code"
            autoComplete="off"
            spellCheck="false"
            maxLength={255}
            problem={problems.typedOrder === undefined ? null : say(problems.typedOrder)}
          />
        </div>
      ) : null}
      {reading.needsSecond ? <Second offer={offer} fields={fields} problems={problems} /> : null}
    </>
  );
};
