import { plainText } from '../../../shared/plain-text.ts';
import type { Attempt, Payment } from '../../../shared/payments/payment.ts';
import { Time } from '../../components/display/time.tsx';
import { useText } from '../../i18n/text.ts';

const AttemptFacts = ({ attempt, index }: { attempt: Attempt; index: number }) => {
  const t = useText();
  const details = [
    attempt.cardLast4 === null ? null : `•••• ${attempt.cardLast4}`,
    attempt.rrn === null ? null : `RRN ${attempt.rrn}`,
    attempt.approvalCode === null ? null : t('attempt.approval', { code: attempt.approvalCode }),
  ].filter(Boolean);
  return (
    <li className="ruled pad-block-2">
      <div className="line spread">
        <strong className="small">
          {t(attempt.instalment ? 'facts.instalment' : 'attempt.name', { number: index + 1 })}
        </strong>
        <span className={`outcome tiny bold ${attempt.outcome}`}>{t(`outcome.${attempt.outcome}`)}</span>
      </div>
      <div className="tiny code break quiet">{attempt.paymentId}</div>
      {attempt.reason === null ? null : (
        <div className="small">
          {t('reason', { reason: plainText(attempt.reason) })}{' '}
          <span className="quiet">({t('attempt.not-aloud')})</span>
        </div>
      )}
      <div className="small quiet">
        {details.length > 0 ? `${details.join(' · ')} · ` : ''}
        <Time at={attempt.lastAt} />
      </div>
    </li>
  );
};

/** Every attempt of the payer, with its reason. */
export const Attempts = ({ payment }: { payment: Payment }) => {
  const t = useText();
  if (payment.attempts.length === 0) return null;
  return (
    <section className="panel" aria-label={t('attempts.name')}>
      <header>
        <h2>{t('attempts.name')}</h2>
      </header>
      <ol className="stack tight">
        {payment.attempts.map((attempt, index) => (
          <AttemptFacts key={attempt.paymentId} attempt={attempt} index={index} />
        ))}
      </ol>
    </section>
  );
};
