import type { Ref } from 'react';
import { Ban, MessageCircle, Scale } from 'lucide-react';
import type { Payment, PaymentState } from '../../../shared/payments/payment.ts';
import { StatusBadge, toneOf } from '../../components/display/status-badge.tsx';
import { Time, useTimeLeft } from '../../components/display/time.tsx';
import { useClock } from '../../stores/clock.ts';
import { useLocaleChoice, useText } from '../../i18n/text.ts';
import { basisOf, useSentence } from './sentence.ts';

/** The verdict: the state, the phone script, its evidence, and what not to do. */
export const Verdict = ({
  payment,
  state,
  canCreateLink,
  ref,
}: {
  payment: Payment;
  state: PaymentState;
  /** Whether a new link is offered next to it. */
  canCreateLink: boolean;
  ref?: Ref<HTMLElement>;
}) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const minute = useClock(({ wallClock }) => Math.floor(wallClock / 60_000) * 60_000);
  const left = useTimeLeft(payment.link?.expiresAt ?? 0);
  const sentence = useSentence(payment, state, Math.floor(left / 60_000), minute);
  return (
    <section
      ref={ref}
      tabIndex={-1}
      className={`verdict panel tone-edge tone-${toneOf[state]}`}
      aria-label={t('verdict.name')}
    >
      <output className="verdict-state">
        <StatusBadge state={state} size={28} />
        <span className="quiet small">
          {t('verdict.since')}{' '}
          <Time
            at={state === payment.state ? payment.since : (payment.link?.expiresAt ?? payment.since)}
            clock
          />
        </span>
      </output>
      <p className="verdict-script">
        <MessageCircle size={18} aria-hidden="true" />
        <span>
          <span className="out-of-sight">{t('verdict.say')} </span>
          {sentence}
        </span>
      </p>
      <p className="verdict-line small muted">
        <Scale size={14} aria-hidden="true" />
        <span>
          <strong>{t('verdict.basis')}</strong> {basisOf(payment, minute, locale, t)}
        </span>
      </p>
      <p className="verdict-line small">
        <Ban size={14} aria-hidden="true" />
        <span>
          <strong>{t('verdict.do-not')}</strong>{' '}
          {t(
            state === 'outcome-unknown' && canCreateLink
              ? 'do-not.outcome-unknown.looked-up'
              : `do-not.${state}`,
          )}
        </span>
      </p>
    </section>
  );
};
