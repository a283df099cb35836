import { useEffect, useRef } from 'react';
import { Check, ScanSearch, TriangleAlert } from 'lucide-react';
import { Checkbox } from 'react-aria-components';
import type { OpenOperation } from '../../../../shared/contract/contract.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { formatMoney } from '../../../../shared/money/format-amount.ts';
import { plainText } from '../../../../shared/plain-text.ts';
import type { Operation } from '../../../../shared/operations/operation.ts';
import { Button } from '../../../components/controls/button.tsx';
import { ErrorNote } from '../../../components/display/error-note.tsx';
import { clockTime } from '../../../components/display/time.tsx';
import { useLocaleChoice, useMessage, useText } from '../../../i18n/text.ts';
import { go } from '../../../stores/route-store.ts';
import { useClock } from '../../../stores/clock-store.ts';
import { useOperation } from '../../../stores/payments/operation-store.ts';
import { usePayment } from '../../../queries/payment.ts';

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
export const OperationProblem = ({ problem }: { problem: AppError | null }) => {
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
export const OperationEnd = ({ operation, label }: { operation: Operation; label: string }) => {
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
              icon={<ScanSearch size={16} />}
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
