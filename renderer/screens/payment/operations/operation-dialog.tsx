import '../../../styles/screens/operations.css';
import { useEffect, useRef } from 'react';
import { Undo2 } from 'lucide-react';
import type { BegunOperation } from '../../../../shared/contract/contract.ts';
import { amountRuleFor } from '../../../../shared/money/amount-rules.ts';
import { formatMoney } from '../../../../shared/money/format-amount.ts';
import type { OperationProblems } from '../../../../shared/operations/rules.ts';
import type { ProfileView } from '../../../../shared/settings/profile.ts';
import type { Payment } from '../../../../shared/payments/payment.ts';
import { Button } from '../../../components/controls/button.tsx';
import { CancelWaitButton } from '../../../components/controls/cancel-wait-button.tsx';
import { Sheet } from '../../../components/controls/dialog.tsx';
import { ErrorNote } from '../../../components/display/error-note.tsx';
import { Note } from '../../../components/display/note.tsx';
import { focusField } from '../../../focus.ts';
import { Form } from '../../../forms/form.tsx';
import { useLocaleChoice, useText } from '../../../i18n/text.ts';
import { useOperation, type OperationForm } from '../../../stores/payments/operation-store.ts';
import { usePayment } from '../../../queries/payment.ts';
import { go } from '../../../stores/route-store.ts';
import { besideForm, firstProblem, readOperationForm, refusedInForm } from './operation-form.ts';
import { OperationFormFields } from './operation-form-fields.tsx';
import { OperationProblem, OperationEnd } from './operation-result.tsx';
import { operationLabel } from './operation-label.ts';

const OpenForm = ({
  payment,
  form,
  profile,
}: {
  payment: Payment;
  form: OperationForm & { begun: BegunOperation };
  profile: ProfileView | null;
}) => {
  const t = useText();
  const { locale, language } = useLocaleChoice();
  const { isSending, isTried, wantsToClose, ended, problem, send, showProblems, stop, close } =
    useOperation();
  const element = useRef<HTMLFormElement>(null);
  const { kind, begun } = form;
  const currency = begun.currency ?? '';
  const reading = readOperationForm(form, {
    ordered: payment.amount,
    rule: profile && amountRuleFor(profile, currency),
    locale,
    language,
  });
  const refused = refusedInForm(form, problem);
  const money = (wire: string): string => formatMoney(wire, currency, locale);
  const focusFirst = (problems: OperationProblems): void => {
    const field = firstProblem(problems);
    if (field !== null) focusField(element.current, field);
  };
  const refusedField = firstProblem(refused);
  useEffect(() => {
    if (refusedField !== null && !isSending) focusField(element.current, refusedField);
  }, [refusedField, isSending]);
  const submit = async (): Promise<void> => {
    showProblems();
    if (firstProblem(reading.problems) !== null) return focusFirst(reading.problems);
    const charged = await send(locale);
    if (charged === null) return;
    usePayment.getState().put(charged);
    const { profileId, orderNumber } = charged.payment;
    go({ screen: 'payment', profileId, orderNumber });
  };
  const labelOf = (amount: string | null): string =>
    operationLabel(kind, amount === null ? null : money(amount), begun.cardLast4, t);
  // What was sent, not what is left since then.
  if (ended !== null) return <OperationEnd operation={ended} label={labelOf(ended.amount)} />;
  const { secondPersonFrom } = begun.limits;
  return (
    <Form className="operation-form" element={element} onSubmit={() => void submit()}>
      <div className="operation-body">
        <OperationFormFields
          payment={payment}
          form={form}
          reading={reading}
          problems={isTried ? { ...reading.problems, ...refused } : refused}
        />
      </div>
      <div className="operation-foot stack gap-3 line-above">
        <OperationProblem problem={problem && besideForm(problem)} />
        <p className="operation-final row gap-2 muted small">
          <Undo2 size={16} aria-hidden="true" />
          <span>
            {t(`operation-form.final.${kind}`)}{' '}
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
        <div className="operation-buttons row gap-2">
          <Button
            request="operations.send"
            type="submit"
            size="large"
            variant={profile?.kind === 'live' ? 'live' : 'primary'}
            isPending={isSending}
          >
            {isSending ? t('operation-form.sending') : labelOf(reading.amount)}
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
 * The form of one operation after a payment: refund, cancel, collect, retry, or charge a stored card again. The button
 * says what it does. One press sends one request; a refusal keeps everything that was typed.
 */
export const OperationDialog = ({ payment, profile }: { payment: Payment; profile: ProfileView | null }) => {
  const t = useText();
  const { form, problem, close } = useOperation();
  if (form === null) return null;
  const { begun } = form;
  return (
    <Sheet title={t(`operation-form.title.${form.kind}`)} isOpen onClose={close} side>
      {begun === null ? (
        <div className="operation-body">{problem === null ? null : <ErrorNote error={problem} />}</div>
      ) : (
        <OpenForm payment={payment} form={{ ...form, begun }} profile={profile} />
      )}
    </Sheet>
  );
};
