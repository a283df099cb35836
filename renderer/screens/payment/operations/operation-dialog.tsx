import '../../../styles/screens/operations.css';
import { useRef, type FormEvent } from 'react';
import { Undo2 } from 'lucide-react';
import { Form } from 'react-aria-components';
import type { OperationOffer } from '../../../../shared/contract/contract.ts';
import type { Payment } from '../../../../shared/payments/payment.ts';
import { formatMoney } from '../../../../shared/money/format-amount.ts';
import type { ProfileKind } from '../../../../shared/settings/profile.ts';
import { Button } from '../../../components/controls/button.tsx';
import { CancelWaitButton } from '../../../components/controls/cancel-wait-button.tsx';
import { Sheet } from '../../../components/controls/dialog.tsx';
import { Note } from '../../../components/display/note.tsx';
import { useLocaleChoice, useText } from '../../../i18n/text.ts';
import { useOperation, type OperationFields } from '../../../stores/payments/operation-store.ts';
import type { OfferedPayment } from './offered-actions.ts';
import { hasParts, operationFields, readOperationForm } from './operation-form.ts';
import { OperationFormFields } from './operation-form-fields.tsx';
import { OperationProblem, OperationEnd } from './operation-result.tsx';
import { operationLabel } from './operation-label.ts';

const OperationForm = ({
  payment,
  offer,
  target,
  fields,
  profileKind,
}: {
  payment: Payment;
  offer: OperationOffer;
  target: OfferedPayment;
  fields: OperationFields;
  profileKind: ProfileKind | null;
}) => {
  const t = useText();
  const { locale, language } = useLocaleChoice();
  const { isSending, isTried, wantsToClose, ended, send, showProblems, stop, close } = useOperation();
  const form = useRef<HTMLFormElement>(null);
  const { amount: ordered, orderNumber } = payment;
  const reading = readOperationForm(fields, target, { offer, ordered, orderNumber, locale, language });
  const currency = offer.currency ?? '';
  const money = (wire: string): string => formatMoney(wire, currency, locale);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const first = operationFields.find(field => reading.problems[field] !== undefined);
    if (first !== undefined) {
      showProblems();
      form.current
        ?.querySelector<HTMLElement>(`[data-field="${first}"] :is(input, textarea, button)`)
        ?.focus();
      return;
    }
    if (!hasParts(fields.kind)) void send(null);
    else void send(fields.extent === 'part' ? { text: fields.amount, locale } : { whole: true });
  };
  const label = operationLabel(
    fields.kind,
    reading.amount === null ? null : money(reading.amount),
    target.cardLast4,
    t,
  );
  // What was sent, not what is left since then.
  const sent = operationLabel(
    fields.kind,
    ended === null || ended.amount === null ? null : money(ended.amount),
    target.cardLast4,
    t,
  );
  if (ended !== null) return <OperationEnd operation={ended} label={sent} />;
  const { secondPersonFrom } = offer.limits;
  return (
    <Form className="operation-form" ref={form} onSubmit={submit} validationBehavior="aria">
      <div className="operation-body">
        <OperationFormFields
          payment={payment}
          offer={offer}
          target={target}
          fields={fields}
          reading={reading}
          problems={isTried ? reading.problems : {}}
        />
      </div>
      <div className="operation-foot">
        <OperationProblem />
        <p className="operation-final small">
          <Undo2 size={16} aria-hidden="true" />
          <span>
            {t(`operation-form.final.${fields.kind}`)}{' '}
            {secondPersonFrom === null || reading.needsSecond
              ? null
              : t('operation-form.second.from', { amount: money(secondPersonFrom) })}
          </span>
        </p>
        {wantsToClose && isSending ? <Note>{t('operation-form.waiting')}</Note> : null}
        <CancelWaitButton
          isWaiting={isSending}
          description={wantsToClose ? '' : t('operation-form.waiting')}
          onCancel={stop}
        />
        <div className="operation-buttons">
          <Button
            request="operations.send"
            type="submit"
            size="large"
            variant={profileKind === 'live' ? 'live' : 'primary'}
            isPending={isSending}
          >
            {isSending ? t('operation-form.sending') : label}
          </Button>
          <Button size="large" onPress={close}>
            {t('close')}
          </Button>
        </div>
      </div>
    </Form>
  );
};

/**
 * The form of one operation after a payment: refund, cancel, collect or retry. The button says what it does. One press
 * sends one request; a refusal keeps everything that was typed.
 */
export const OperationDialog = ({
  payment,
  profileKind,
}: {
  payment: Payment;
  profileKind: ProfileKind | null;
}) => {
  const t = useText();
  const { offer, fields, close } = useOperation();
  if (offer === null || fields === null) return null;
  const target = offer.payments.find(({ paymentId }) => paymentId === fields.paymentId);
  if (!target) return null;
  return (
    <Sheet title={t(`operation-form.title.${fields.kind}`)} isOpen onClose={close} side>
      <OperationForm
        payment={payment}
        offer={offer}
        target={target}
        fields={fields}
        profileKind={profileKind}
      />
    </Sheet>
  );
};
