import '../../../styles/screens/operations.css';
import { useEffect, useRef } from 'react';
import { Undo2, Check, ScanSearch, TriangleAlert } from 'lucide-react';
import type { BegunOperation, OpenOperation } from '../../../../shared/contract/contract.ts';
import { amountRuleFor } from '../../../../shared/money/amount-rules.ts';
import { formatMoney } from '../../../../shared/money/format-amount.ts';
import type { OperationProblems } from '../../../../shared/operations/rules.ts';
import type { ProfileView } from '../../../../shared/settings/profile.ts';
import type { Payment } from '../../../../shared/payments/payment.ts';
import { Button } from '../../../components/controls/button.tsx';
import { CancelWaitButton, ErrorNote, Note } from '../../../components/display/notes.tsx';
import { Sheet } from '../../../components/controls/dialog.tsx';
import { focusField, showFocusedField } from '../../../focus.ts';
import { Form } from '../../../forms/form.tsx';
import { useLocaleChoice, useText, useMessage } from '../../../i18n/text.ts';
import { useOperation, type OperationForm } from '../../../stores/payments/operation-store.ts';
import { usePayment } from '../../../queries/payment.ts';
import { go } from '../../../stores/route-store.ts';
import { besideForm, firstProblem, readOperationForm, refusedInForm } from './operation-form.ts';
import { OperationFormFields } from './operation-form-fields.tsx';
import { operationLabel } from './operation-label.ts';
import { Checkbox } from 'react-aria-components';
import type { AppError } from '../../../../shared/errors.ts';
import { plainText } from '../../../../shared/plain-text.ts';
import type { Operation } from '../../../../shared/operations/operation.ts';
import { clockTime } from '../../../components/display/values.tsx';
import { useClock } from '../../../stores/clock-store.ts';

/** What has no result yet, by whom and since when, and the decision to send nevertheless. */
const OpenOnes = ({ open, currency }: { open: readonly OpenOperation[]; currency: string }) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const now = useClock(({ wallClock }) => Math.floor(wallClock / 60_000) * 60_000);
  const { insists, insist, isSending } = useOperation();
  return (
    <div className="stack tight">
      <ul className="small problem-list" aria-label={t('operation-form.open')}>
        {open.map(({ id, kind, amount, agent, at }) => (
          <li key={id}>
            {[
              t(`operation.${kind}`),
              ...(amount === null ? [] : [formatMoney(amount, currency, locale)]),
              agent ?? t('ledger.not-here'),
              clockTime(at, locale, now),
            ].join(' · ')}
          </li>
        ))}
      </ul>
      <Checkbox className="checkbox" isSelected={insists} isDisabled={isSending} onChange={insist}>
        <span className="checkbox-box" aria-hidden="true">
          <Check size={12} />
        </span>
        <span className="tracks">
          <strong className="medium">{t('operation-form.insist')}</strong>
          <span className="small muted">{t('operation-form.insist.text')}</span>
        </span>
      </Checkbox>
    </div>
  );
};

/** Why the operation was not carried out. While another one has no result, it can be sent by a decision. */
const OperationProblem = ({ problem }: { problem: AppError | null }) => {
  const t = useText();
  const say = useMessage();
  const { form, insists } = useOperation();
  if (problem === null || form === null) return null;
  // The codes of the status check before it would speak of a request that may have arrived.
  if (problem.message.key === 'operation.look-up-failed')
    return (
      <div className="note error" role="alert">
        <TriangleAlert size={16} aria-hidden="true" />
        <div className="stack tight">
          <p className="bold">{say(problem.message)}</p>
          <p className="small muted">
            {t(`error.${problem.code}`)} {problem.hint ? say(problem.hint) : null}
          </p>
        </div>
      </div>
    );
  // The note has this step already.
  const { hint, ...withoutHint } = problem;
  const { profileId, usedOrder, begun } = form;
  const open = problem.code === 'operation.under-way' || insists ? (begun?.open ?? []) : [];
  return (
    <ErrorNote error={hint?.key === 'operation.under-way.hint' ? withoutHint : problem}>
      {open.length > 0 ? <OpenOnes open={open} currency={begun?.currency ?? ''} /> : null}
      {usedOrder === null ? null : (
        <Button onPress={() => go({ screen: 'payment', profileId, orderNumber: usedOrder })}>
          {t('charge-form.show-rejected')}
        </Button>
      )}
    </ErrorNote>
  );
};

/** The end of an operation that is no success: its result is unknown, or it failed. Nothing more is sent from here. */
const OperationEnd = ({ operation, label }: { operation: Operation; label: string }) => {
  const t = useText();
  const { hasStopped, close } = useOperation();
  const lookUp = usePayment(store => store.lookUp);
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus(), []);
  const isUnknown = operation.state === 'unknown';
  const text = isUnknown
    ? t(hasStopped ? 'operation-form.stopped' : 'operation-form.unknown.text')
    : operation.kind === 'void'
      ? t('operation-line.void-failed')
      : null;
  return (
    <div className="operation-form">
      <div className="operation-body">
        <p className="break">
          <strong>{label}</strong>
        </p>
        <div className="note warning" role="alert">
          <TriangleAlert size={16} aria-hidden="true" />
          <div className="stack tight">
            <p className="bold">{t(isUnknown ? 'operation-form.unknown' : 'operation-form.failed')}</p>
            {text === null ? null : <p className="small muted">{text}</p>}
            {operation.message === null || isUnknown ? null : (
              <p className="small muted break">{t('reason', { reason: plainText(operation.message) })}</p>
            )}
          </div>
        </div>
      </div>
      <div className="operation-foot stack gap-3 line-above">
        <div className="operation-buttons row gap-2">
          {isUnknown ? (
            <Button
              request="payments.lookUp"
              variant="primary"
              size="large"
              ref={first}
              icon={ScanSearch}
              onPress={() => {
                close();
                void lookUp();
              }}
            >
              {t('look-up.now')}
            </Button>
          ) : null}
          <Button size="large" onPress={close} {...(isUnknown ? {} : { ref: first })}>
            {t('close')}
          </Button>
        </div>
      </div>
    </div>
  );
};

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
  // The message below takes room from the fields.
  useEffect(showFocusedField, [problem]);
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
  // What was sent, not what is left since then; of a cancellation, which sends no amount, what it moves.
  if (ended !== null) {
    const moved = payment.movements.find(({ intent }) => intent === ended.intent);
    return <OperationEnd operation={ended} label={labelOf(ended.amount ?? moved?.amount ?? null)} />;
  }
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
    <Sheet title={t(`operation-form.title.${form.kind}`)} onClose={close} side>
      {begun === null ? (
        <div className="operation-body">{problem === null ? null : <ErrorNote error={problem} />}</div>
      ) : (
        <OpenForm payment={payment} form={{ ...form, begun }} profile={profile} />
      )}
    </Sheet>
  );
};
