import { useMemo, useState, type FormEvent } from 'react';
import { CreditCard, Info, RefreshCw } from 'lucide-react';
import { Form } from 'react-aria-components';
import type { AppError } from '../../../../shared/errors.ts';
import { amountRuleFor } from '../../../../shared/money/amount-rules.ts';
import { formatMoney } from '../../../../shared/money/format-amount.ts';
import { maxOperationText, operationReasons } from '../../../../shared/operations/operation-kinds.ts';
import { sameId } from '../../../../shared/payment-reducer/payment-id.ts';
import { readAmountEntry } from '../../../amount-reading.ts';
import { Button, IconButton } from '../../../components/controls/button.tsx';
import { CancelWaitButton } from '../../../components/controls/cancel-wait-button.tsx';
import { Sheet } from '../../../components/controls/dialog.tsx';
import { PinBox } from '../../../components/controls/pin-box.tsx';
import { SelectBox } from '../../../components/controls/select.tsx';
import { TextBox } from '../../../components/controls/text-box.tsx';
import { ErrorNote } from '../../../components/display/error-note.tsx';
import { Note } from '../../../components/display/note.tsx';
import { useAppState } from '../../../stores/app-state-store.ts';
import { usePayment } from '../../../stores/payments/payment-store.ts';
import { useSeries } from '../../../stores/payments/series-store.ts';
import { go } from '../../../stores/route-store.ts';
import { useLocaleChoice, useMessage, useText } from '../../../i18n/text.ts';
import {
  besideForm,
  blankCharge,
  chargeFields,
  chargeProblems,
  needsSecondPerson,
  nextOrder,
  refusedInForm,
  type ChargeField,
  type ChargeFields,
} from './charge-form.ts';

type OpenForm = NonNullable<ReturnType<typeof useSeries.getState>['form']>;

/** The option of a select before a person is chosen. */
const noOne = 'none';

/** Focuses the first field of the form with a problem. */
const focusFirst = (problems: Partial<Record<ChargeField, unknown>>): void => {
  const field = chargeFields.find(one => problems[one] !== undefined);
  // A select and a field for a PIN have no name.
  const place =
    field === 'approver'
      ? '.charge-second button'
      : field === 'pin'
        ? '.charge-second input[type="password"]'
        : `.charge-form [name="${field}"]`;
  document.querySelector<HTMLElement>(place)?.focus();
};

/** Another charge of a stored card: what is charged, why, and how the customer agreed. It is sent once. */
export const ChargeSheet = ({ form }: { form: OpenForm }) => {
  const t = useText();
  const say = useMessage();
  const { locale, language } = useLocaleChoice();
  const { series, firstOrder, offer } = form;
  const { busy, stopCharge, cancelWait, key } = useSeries();
  const profileId = key?.profileId ?? '';
  const profile = useAppState(app => app.appState?.profiles.find(({ id }) => id === profileId) ?? null);
  const [fields, setFields] = useState<ChargeFields>(() => blankCharge(series));
  const [touched, setTouched] = useState<readonly ChargeField[]>([]);
  const [problem, setProblem] = useState<AppError | null>(null);
  /** The order number that a rejected charge has used. */
  const [used, setUsed] = useState<string | null>(null);
  const currency = offer.currency ?? '';
  const reading = useMemo(
    () =>
      readAmountEntry(fields.amount, currency, locale, language, profile && amountRuleFor(profile, currency)),
    [fields.amount, currency, locale, language, profile],
  );
  const problems = chargeProblems(fields, reading, { offer, firstOrder, locale });
  const refused = refusedInForm(problem);
  const needsSecond = needsSecondPerson(reading, offer);
  const isSending = busy === 'charging';
  const isLive = profile?.kind === 'live';
  const card = offer.payments.find(({ paymentId }) => sameId(paymentId, series.firstPaymentId))?.cardLast4;
  const { secondPersonFrom } = offer.limits;
  const approver = offer.approvers.find(({ id }) => id === fields.approver) ?? null;

  const change = (changes: Partial<ChargeFields>): void => {
    setFields(before => ({ ...before, ...changes }));
    setProblem(null);
  };
  const shown = (field: ChargeField): string | null => {
    const message = refused[field] ?? (touched.includes(field) ? problems[field] : undefined);
    return message === undefined ? null : say(message);
  };
  const box = (field: Exclude<ChargeField, 'approver' | 'pin'>) => ({
    name: field,
    value: fields[field],
    onChange: (text: string) => change({ [field]: text }),
    onBlur: () => {
      if (fields[field] !== '' && !touched.includes(field)) setTouched([...touched, field]);
    },
    problem: shown(field),
    autoComplete: 'off',
  });

  const submit = async (insist: boolean): Promise<void> => {
    if (isSending) return;
    setTouched(chargeFields);
    if (Object.keys(problems).length > 0) return focusFirst(problems);
    setProblem(null);
    setUsed(null);
    const { amount, description, consent, reason, text, typedOrder, pin } = fields;
    const orderNumber = fields.orderNumber.trim();
    const charged = await useSeries.getState().charge({
      amount: { text: amount, locale },
      charge: { orderNumber, description: description.trim(), consent },
      reason,
      text,
      typedOrder,
      approval: needsSecond ? { agentId: fields.approver, pin } : null,
      insist,
    });
    if (charged.ok) {
      const { payment } = charged.value;
      usePayment.getState().put(charged.value);
      return go({ screen: 'payment', profileId: payment.profileId, orderNumber: payment.orderNumber });
    }
    const { error } = charged;
    const next = nextOrder(orderNumber, error, useSeries.getState().form?.series.suggestedOrder ?? null);
    if (next !== orderNumber) {
      setUsed(orderNumber);
      setFields(before => ({ ...before, orderNumber: next, pin: '' }));
    } else setFields(before => ({ ...before, pin: '' }));
    setProblem(error);
    focusFirst(refusedInForm(error));
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void submit(false);
  };

  const unshown = problem === null ? null : besideForm(problem);
  const money = reading.kind === 'read' ? formatMoney(reading.wire, currency, locale) : null;
  return (
    <Sheet title={t('charge-form.title')} isOpen onClose={stopCharge} side>
      <Form
        className="charge-form"
        onSubmit={onSubmit}
        validationBehavior="aria"
        aria-label={t('charge-form.title')}
      >
        <div className="charge-body">
          <p className="small muted break">
            {card
              ? t('charge-form.of.card', { order: firstOrder, card })
              : t('charge-form.of', { order: firstOrder })}
          </p>
          <div className="money-field">
            <TextBox
              {...box('amount')}
              label={t('charge-form.amount')}
              inputClass="amount-input"
              inputMode="decimal"
              isRequired
              lead={<span className="charge-currency">{currency}</span>}
            />
            <p className="reading" aria-live="polite">
              {reading.kind === 'read' ? reading.words : null}
            </p>
          </div>
          <TextBox {...box('description')} label={t('new.description')} maxLength={1024} isRequired />
          <TextBox
            {...box('orderNumber')}
            label={t('charge-form.order')}
            hint={used === null ? undefined : t('charge-form.used', { order: used })}
            inputClass="code"
            maxLength={255}
            isRequired
            trail={
              fields.orderNumber === series.suggestedOrder ? null : (
                <IconButton
                  name={t('new.order.use-suggested', { order: series.suggestedOrder })}
                  icon={<RefreshCw size={14} />}
                  onPress={() => change({ orderNumber: series.suggestedOrder })}
                />
              )
            }
          />
          <TextBox
            {...box('consent')}
            label={t('charge-form.consent')}
            hint={t('charge-form.consent.hint')}
            maxLength={maxOperationText}
            lines={2}
            isRequired
          />
          <div className="pair">
            <SelectBox
              label={t('operation-form.reason')}
              options={operationReasons.map(id => ({ id, name: t(`operation-reason.${id}`) }))}
              value={fields.reason}
              onChange={reason => change({ reason })}
            />
            <TextBox
              {...box('text')}
              label={t('operation-form.text')}
              labelExtra={
                fields.reason === 'other' ? null : <span className="optional">{t('optional')}</span>
              }
              maxLength={maxOperationText}
            />
          </div>
          {offer.needsOrderNumber ? (
            <TextBox
              {...box('typedOrder')}
              label={t('charge-form.typed-order')}
              hint={firstOrder}
              inputClass="code"
              maxLength={255}
              isRequired
            />
          ) : null}
          {needsSecond && secondPersonFrom !== null ? (
            <div className="stack tight charge-second">
              <p className="small muted">
                {t('operation-form.second.from', { amount: formatMoney(secondPersonFrom, currency, locale) })}
              </p>
              {offer.approvers.length === 0 ? (
                <Note tone="warning">{t('operation-form.second.missing')}</Note>
              ) : (
                <div className="pair">
                  <SelectBox
                    label={t('operation-form.second')}
                    options={[
                      ...(approver === null ? [{ id: noOne, name: t('operation-form.second.choose') }] : []),
                      ...offer.approvers,
                    ]}
                    value={approver?.id ?? noOne}
                    onChange={id => change({ approver: id === noOne ? '' : id, pin: '' })}
                    problem={shown('approver')}
                  />
                  <PinBox
                    label={approver === null ? t('charge-form.pin') : t('pin.of', { name: approver.name })}
                    value={fields.pin}
                    onChange={pin => change({ pin })}
                    problem={shown('pin')}
                  />
                </div>
              )}
            </div>
          ) : null}
        </div>
        <div className="charge-foot">
          {unshown === null ? null : (
            <ErrorNote error={unshown}>
              {unshown.code === 'operation.under-way' ? (
                <Button request="operations.send" variant="danger" onPress={() => void submit(true)}>
                  {t('charge-form.insist')}
                </Button>
              ) : used === null ? undefined : (
                <Button onPress={() => go({ screen: 'payment', profileId, orderNumber: used })}>
                  {t('charge-form.show-rejected')}
                </Button>
              )}
            </ErrorNote>
          )}
          <CancelWaitButton
            isWaiting={isSending}
            description={t('operation-form.waiting')}
            onCancel={cancelWait}
          />
          <p className="small muted charge-final">
            <Info size={16} aria-hidden="true" />
            <span>{t('charge-form.final')}</span>
          </p>
          <div className="charge-buttons">
            <Button
              request="operations.send"
              type="submit"
              variant={isLive ? 'live' : 'primary'}
              size="large"
              icon={<CreditCard size={16} />}
              isPending={isSending}
            >
              {isSending
                ? t('charge-form.sending')
                : money === null
                  ? t('charge-form.title')
                  : card
                    ? t('charge-form.submit-to', { amount: money, card })
                    : t('charge-form.submit', { amount: money })}
            </Button>
            <Button size="large" onPress={stopCharge} isDisabled={isSending}>
              {t('cancel')}
            </Button>
          </div>
        </div>
      </Form>
    </Sheet>
  );
};
