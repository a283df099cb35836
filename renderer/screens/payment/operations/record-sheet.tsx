import '../../../styles/screens/operations.css';
import { useEffect, useRef, useState } from 'react';
import { getLocalTimeZone, today, type CalendarDate } from '@internationalized/date';
import { ClipboardPen } from 'lucide-react';
import { msg, type Message } from '../../../../shared/messages/message.ts';
import { formatMoney } from '../../../../shared/money/format-amount.ts';
import { maxOperationText } from '../../../../shared/operations/operation-kinds.ts';
import { readPart } from '../../../../shared/operations/rules.ts';
import type { RecordedOutcome } from '../../../../shared/payments/payment-kinds.ts';
import type { Payment } from '../../../../shared/payments/payment.ts';
import {
  outcomesOf,
  recordableMovements,
  recordedKinds,
  wholeOf,
} from '../../../../shared/payment-reducer/recordable-movements.ts';
import { wireInWords } from '../../../amount-reading.ts';
import { Button } from '../../../components/controls/button.tsx';
import { Sheet } from '../../../components/controls/dialog.tsx';
import { SelectBox, TextBox } from '../../../components/controls/fields.tsx';
import { ErrorNote } from '../../../components/display/notes.tsx';
import { clockTime } from '../../../components/display/values.tsx';
import { paymentChoices } from './payment-choices.ts';
import { focusField } from '../../../focus.ts';
import { Form, useTask } from '../../../forms/form.tsx';
import { useLocaleChoice, useMessage, useText } from '../../../i18n/text.ts';
import { useClock } from '../../../stores/clock-store.ts';
import { usePayment } from '../../../queries/payment.ts';
import { AmountBox, ExtentBox, type Extent, DayBox } from './boxes.tsx';

/** The fields in the order of the form. */
const recordFields = ['movement', 'paymentId', 'outcome', 'extent', 'amount', 'day', 'text'] as const;
type RecordField = (typeof recordFields)[number];
type Problems = Partial<Record<RecordField, Message>>;

/**
 * What a person saw in the provider's dashboard about a refund, a cancellation or a chargeback: what it is about, what
 * happened, how much, when, and how they know it. Nothing is sent.
 */
export const RecordSheet = ({
  payment,
  movement: given,
  onClose,
}: {
  payment: Payment;
  /** What it is about, if that is known already. */
  movement: string | null;
  onClose: () => void;
}) => {
  const t = useText();
  const say = useMessage();
  const { locale, language } = useLocaleChoice();
  const now = useClock(({ wallClock }) => Math.floor(wallClock / 60_000) * 60_000);
  const record = usePayment(store => store.record);
  const form = useRef<HTMLFormElement>(null);
  const [about, setAbout] = useState(given);
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [chosenOutcome, setOutcome] = useState<RecordedOutcome | null>(null);
  const [chosenExtent, setExtent] = useState<Extent | null>(null);
  const [amount, setAmount] = useState('');
  const [day, setDay] = useState<CalendarDate | null>(() => today(getLocalTimeZone()));
  const [text, setText] = useState('');
  const [isTried, setTried] = useState(false);
  const { isBusy, problem: error, problemOf: refused, send } = useTask();

  const currency = payment.currency ?? '';
  // The dialog would focus its first text field.
  useEffect(() => focusField(form.current, 'movement'), []);
  const money = (wire: string): string => formatMoney(wire, currency, locale);
  const listed = recordableMovements(payment);
  const movement = listed.find(({ id }) => id === about) ?? null;
  const kind = movement?.kind ?? recordedKinds.find(one => one === about) ?? null;
  const paymentId =
    movement?.paymentId ??
    chosenId ??
    (payment.paymentIds.length === 1 ? payment.paymentIds[0] : null) ??
    null;
  const outcomes = kind === null ? [] : outcomesOf(kind, movement !== null);
  const outcome = outcomes.length === 1 ? (outcomes[0] ?? null) : chosenOutcome;
  const hasAmount = outcome === 'carried-out';
  const known = movement?.amount ?? null;
  const whole = known ?? (kind && paymentId ? wholeOf(payment, kind, paymentId) : null);
  // What was requested here has its amount already.
  const extent = chosenExtent ?? (known === null ? null : 'whole');
  const most = paymentId === null ? null : wholeOf(payment, 'chargeback', paymentId);
  const part =
    extent === 'part' && most !== null
      ? readPart({ text: amount, locale }, { currency, payment: most, most, money })
      : null;

  const problems: Problems = {
    ...(kind === null && { movement: msg('record.movement.choose') }),
    ...(kind !== null && paymentId === null && { paymentId: msg('record.movement.choose') }),
    ...(outcome === null && { outcome: msg('record.outcome.missing') }),
    ...(hasAmount && extent === null && { extent: msg('operation-form.missing.extent') }),
    ...(hasAmount && extent !== null && most === null && { extent: msg('operation.no.amount-unknown') }),
    ...(hasAmount && part?.ok === false && { amount: part.error.fields?.[0]?.message ?? part.error.message }),
    ...(day === null && { day: msg('record.day.missing') }),
    ...(day !== null && day.compare(today(getLocalTimeZone())) > 0 && { day: msg('record.day.future') }),
    ...(text.trim() === '' && { text: msg('record.text.missing') }),
  };
  const problemOf = (field: RecordField): string | null => {
    const problem = isTried ? problems[field] : undefined;
    return refused(field) ?? (problem === undefined ? null : say(problem));
  };
  const refusedField = recordFields.find(field => refused(field) !== null) ?? null;
  useEffect(() => {
    if (refusedField !== null && !isBusy) focusField(form.current, refusedField);
  }, [refusedField, isBusy]);
  const choose = (id: string): void => {
    setAbout(id);
    setOutcome(null);
    setExtent(null);
    setAmount('');
  };

  const submit = (): void => {
    setTried(true);
    const first = recordFields.find(field => problems[field] !== undefined);
    if (first !== undefined) return focusField(form.current, first);
    if (kind === null || paymentId === null || outcome === null || day === null) return;
    const seen: Parameters<typeof record>[0] = {
      paymentId,
      movement: movement?.id ?? null,
      kind,
      outcome,
      amount: !hasAmount
        ? null
        : extent === 'part'
          ? { text: amount, locale }
          : known === null
            ? { whole: true }
            : null,
      day: day.toString(),
      text,
    };
    void send(() => record(seen), onClose);
  };
  return (
    <Sheet title={t('record.title')} onClose={onClose} side>
      <Form className="operation-form" element={form} onSubmit={submit}>
        <div className="operation-body">
          <p className="small muted break">
            {[payment.customer?.name, payment.orderNumber].filter(Boolean).join(' · ')}
          </p>
          <p className="small muted">{t('record.intro')}</p>
          <SelectBox
            field="movement"
            label={t('record.movement')}
            placeholder={t('record.movement.choose')}
            options={[
              ...listed.map(one => ({
                id: one.id,
                name: [
                  t(`operation.${one.kind}`),
                  ...(one.amount === null ? [t('ledger.unknown')] : [money(one.amount)]),
                  clockTime(one.at, locale, now),
                  t(`movement.fate.${one.fate}`),
                ].join(' · '),
              })),
              ...recordedKinds.map(id => ({ id, name: t(`record.other.${id}`) })),
            ]}
            value={about}
            onChange={choose}
            problem={problemOf('movement')}
          />
          {movement === null && payment.paymentIds.length > 1 ? (
            <SelectBox
              field="paymentId"
              label={t('operation-form.payment')}
              placeholder={t('record.movement.choose')}
              options={paymentChoices(
                payment,
                payment.attempts.map(one => one.paymentId),
                locale,
                now,
              )}
              value={chosenId}
              onChange={setChosenId}
              problem={problemOf('paymentId')}
            />
          ) : null}
          {outcomes.length > 1 ? (
            <SelectBox
              field="outcome"
              label={t('record.outcome')}
              placeholder={t('record.outcome.missing')}
              options={outcomes.map(id => ({ id, name: t(`record.outcome.${id}`) }))}
              value={outcome}
              onChange={setOutcome}
              problem={problemOf('outcome')}
            />
          ) : null}
          {hasAmount ? (
            <ExtentBox
              value={extent}
              onChange={setExtent}
              whole={{
                name: t(
                  known === null
                    ? kind === 'refund'
                      ? 'operation-form.rest'
                      : 'operation-form.whole'
                    : 'record.known',
                ),
                amount: whole === null ? '–' : money(whole),
              }}
              problem={problemOf('extent')}
            >
              <AmountBox
                label={t('record.amount')}
                currency={currency}
                value={amount}
                onChange={setAmount}
                words={part?.ok ? wireInWords(part.value, currency, language) : null}
                problem={problemOf('amount')}
              />
            </ExtentBox>
          ) : null}
          <DayBox
            field="day"
            label={t('record.day')}
            value={day}
            onChange={setDay}
            problem={problemOf('day')}
          />
          <TextBox
            data-field="text"
            label={t('record.text')}
            hint={t('record.text.hint')}
            value={text}
            onChange={setText}
            lines={2}
            maxLength={maxOperationText}
            isRequired
            problem={problemOf('text')}
          />
        </div>
        <div className="operation-foot stack gap-3 line-above">
          {error !== null && refusedField === null ? <ErrorNote error={error} /> : null}
          <p className="operation-final row gap-2 muted small">
            <ClipboardPen size={16} aria-hidden="true" />
            <span>{t('record.final')}</span>
          </p>
          <div className="operation-buttons row gap-2">
            <Button
              request="movements.record"
              type="submit"
              size="large"
              variant="primary"
              isPending={isBusy}
            >
              {t('record.submit')}
            </Button>
            <Button size="large" onPress={onClose}>
              {t('close')}
            </Button>
          </div>
        </div>
      </Form>
    </Sheet>
  );
};
