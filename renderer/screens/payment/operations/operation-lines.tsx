import '../../../styles/screens/operations.css';
import { CircleCheck, CircleHelp, CircleX, Clock3, ScanSearch } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatMoney } from '../../../../shared/money/format-amount.ts';
import type { OperationState } from '../../../../shared/operations/operation-kinds.ts';
import type { Operation } from '../../../../shared/operations/operation.ts';
import { plainText } from '../../../../shared/plain-text.ts';
import { Button } from '../../../components/controls/button.tsx';
import { clockTime, spokenTime } from '../../../components/display/time.tsx';
import { useLocaleChoice, useText, type Translate } from '../../../i18n/text.ts';
import { useClock } from '../../../stores/clock-store.ts';
import { usePayment } from '../../../stores/payments/payment-store.ts';

/** Shape and colour of a state; the words are always beside it. */
const marks: Readonly<
  Record<OperationState, { tone: 'wait' | 'good' | 'bad' | 'warn' | 'end'; icon: ReactNode }>
> = {
  unknown: { tone: 'warn', icon: <CircleHelp size={16} aria-hidden="true" /> },
  accepted: { tone: 'wait', icon: <Clock3 size={16} aria-hidden="true" /> },
  waiting: { tone: 'wait', icon: <Clock3 size={16} aria-hidden="true" /> },
  'one-of': { tone: 'warn', icon: <CircleHelp size={16} aria-hidden="true" /> },
  done: { tone: 'good', icon: <CircleCheck size={16} aria-hidden="true" /> },
  failed: { tone: 'bad', icon: <CircleX size={16} aria-hidden="true" /> },
  refused: { tone: 'bad', icon: <CircleX size={16} aria-hidden="true" /> },
  'not-sent': { tone: 'end', icon: <CircleX size={16} aria-hidden="true" /> },
};

/** The state of an operation in words, with the time since when. */
const stateOf = ({ kind, state }: Operation, time: string, t: Translate): string =>
  state === 'unknown'
    ? t('operation-line.state.unknown')
    : state === 'accepted' && kind !== 'refund'
      ? t('operation-line.state.accepted.other', { time })
      : t(`operation-line.state.${state}`, { time });

const Line = ({ operation }: { operation: Operation }) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const now = useClock(({ wallClock }) => Math.floor(wallClock / 60_000) * 60_000);
  const { busy, lookUp } = usePayment();
  const { kind, amount, currency, state, provenBy, message, reason, text, agent, approvedBy } = operation;
  const time = spokenTime(operation.at, locale, now, t);
  const money = amount === null ? '' : formatMoney(amount, currency, locale);
  const { tone, icon } = marks[state];
  const details = [
    t(`operation-reason.${reason}`),
    text,
    agent,
    approvedBy === null ? '' : t('operation.approved-by', { name: approvedBy }),
  ].filter(part => part !== '');
  return (
    <li className={`operation-line of-${tone}`}>
      <span className="operation-mark">{icon}</span>
      <div className="operation-words">
        <strong>{t(`operation-line.${kind}`, { amount: money, time })}</strong>
        <span className="operation-state">
          {stateOf(operation, clockTime(operation.since, locale, now), t)}
          {state === 'done' && provenBy !== null ? ` · ${t(`operation-line.by.${provenBy}`)}` : ''}
        </span>
        {state === 'unknown' ? <span>{t('operation-line.unknown.text')}</span> : null}
        {state === 'one-of' ? <span>{t('operation-line.one-of.text')}</span> : null}
        {message === null || state === 'unknown' ? null : (
          <span className="break">
            {t('reason', { reason: plainText(message) })}{' '}
            {kind === 'void' && state === 'failed' ? t('operation-line.void-failed') : null}
          </span>
        )}
        <span className="quiet break">{details.join(' · ')}</span>
      </div>
      {state === 'unknown' || state === 'one-of' ? (
        <Button
          request="payments.lookUp"
          size="small"
          icon={<ScanSearch size={14} />}
          isPending={busy === 'look-up'}
          onPress={() => void lookUp()}
        >
          {t('look-up.now')}
        </Button>
      ) : null}
    </li>
  );
};

/** What was requested after the payment, newest first, each with its result as far as the evidence shows it. */
export const OperationLines = ({ operations }: { operations: readonly Operation[] }) => {
  const t = useText();
  return (
    <section className="panel" aria-label={t('operation-line.name')}>
      <header>
        <h2>{t('operation-line.name')}</h2>
      </header>
      <ol className="operation-lines small">
        {operations.toReversed().map(operation => (
          <Line key={operation.intent} operation={operation} />
        ))}
      </ol>
    </section>
  );
};
