import type { Ref } from 'react';
import { ArrowRight, Ban, Check, CheckCheck } from 'lucide-react';
import { ownCustomer } from '../../../shared/merchant-texts/own-customer.ts';
import type { Event } from '../../../shared/payments/evidence.ts';
import { isPaidOtherwise } from '../../../shared/payments/expired.ts';
import { isLinkLive } from '../../../shared/payments/link.ts';
import { formatMoney } from '../../../shared/money/format-amount.ts';
import type { Payment, PaymentState } from '../../../shared/payments/payment.ts';
import { rowOf } from '../../../shared/payments/payment-row.ts';
import { sameMoney, shownMoney } from '../../../shared/payments/shown-money.ts';
import { isAtRest, reconcile } from '../../../shared/reports/reconcile.ts';
import { isSetAside } from '../../../shared/review/review.ts';
import {
  Money,
  clockTime,
  Countdown,
  Duration,
  Time,
  useTimeLeft,
} from '../../components/display/values.tsx';
import { StatusBadge, useHead } from '../../components/display/status-badge.tsx';
import { useClock } from '../../stores/clock-store.ts';
import { useLocaleChoice, useText } from '../../i18n/text.ts';
import { contradictionOf } from './contradiction.ts';
import { basisName, basisOf, useSentence } from './sentence.ts';
import { Sources } from './sources.tsx';

/** The missing information about the payment, since when, and the next step; nothing if it is complete. */
const NextStep = ({
  payment,
  now,
  isContradiction,
}: {
  payment: Payment;
  now: number;
  /** The contradiction has been named above. */
  isContradiction: boolean;
}) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const [mostSevere] = reconcile({ ...payment, expiresAt: payment.link?.expiresAt ?? null }, now);
  if (!mostSevere || isAtRest(mostSevere.cause) || isSetAside(payment.review, now)) return null;
  return (
    <p className="verdict-row">
      <ArrowRight size={16} aria-hidden="true" />
      <span>
        {isPaidOtherwise(payment.state, payment) ? (
          <strong>
            {t('next.other-amount', {
              paid: formatMoney(payment.paidAmount ?? '', payment.paidCurrency ?? '', locale),
              asked: formatMoney(payment.amount ?? '', payment.currency ?? '', locale),
            })}
          </strong>
        ) : isContradiction ? (
          <strong>{t('next.contradiction')}</strong>
        ) : (
          <>
            {t(`cause.${mostSevere.cause}.text`)}{' '}
            {now - mostSevere.since < 60_000 ? null : (
              <>
                {t('missing.since')} <Duration at={mostSevere.since} />
                {' · '}
              </>
            )}
            <strong>{t(`next.${mostSevere.action}`)}</strong>
          </>
        )}
      </span>
    </p>
  );
};

/** The verdict: amount, state and customer, the phone script, what not to do, and the evidence behind it. */
export const Verdict = ({
  payment,
  events,
  state,
  canCreateLink,
  ref,
}: {
  payment: Payment;
  events: readonly Event[];
  state: PaymentState;
  /** Whether a new link is offered next to it. */
  canCreateLink: boolean;
  ref?: Ref<HTMLElement>;
}) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const minute = useClock(({ wallClock }) => Math.floor(wallClock / 60_000) * 60_000);
  const left = useTimeLeft(payment.link?.expiresAt ?? 0);
  const isUsable = useClock(({ wallClock }) => isLinkLive(payment, wallClock));
  const row = rowOf(payment);
  const head = useHead(row);
  const sentence = useSentence(row, head, Math.floor(left / 60_000));
  const contradiction = contradictionOf(payment, state);
  const resolved = payment.review?.resolved ?? null;
  const customer = ownCustomer(payment)?.name;
  const shown = shownMoney(payment);
  const whole = shown.amount === null ? null : formatMoney(shown.amount, shown.currency ?? '', locale);
  const part =
    head.part?.amount && whole !== null && !sameMoney(head.part, shown)
      ? t('head.part', { part: formatMoney(head.part.amount, head.part.currency ?? '', locale), whole })
      : null;
  return (
    <section ref={ref} tabIndex={-1} className={`verdict tone-${head.tone}`} aria-label={t('verdict.name')}>
      <div className="verdict-head">
        <div className="row gap-0-2 wrap at-baseline min-0">
          <h2 className="verdict-money">
            <Money {...head.money} size="large" />
          </h2>
          {payment.amount === null || sameMoney(shown, payment) ? null : (
            <span className="small muted">
              {t('verdict.asked', { amount: formatMoney(payment.amount, payment.currency ?? '', locale) })}
            </span>
          )}
        </div>
        <output className="verdict-state">
          <StatusBadge state={head} size={24} />
        </output>
        <span className="verdict-what row gap-0-2 wrap at-baseline min-0 muted">
          {customer ? <strong className="break">{customer}</strong> : null}
          <span className="break">{payment.description}</span>
        </span>
        <span className="verdict-since muted text-end small">
          {isUsable && payment.link !== null ? (
            <>
              {t('link.works-for')} <Countdown expiresAt={payment.link.expiresAt} announces />
            </>
          ) : (
            <>
              {part === null ? null : `${part} · `}
              {t('verdict.since')} <Time at={head.since} clock />
            </>
          )}
        </span>
      </div>
      <div className="verdict-body">
        <p className="verdict-eyebrow quiet tiny medium">{t('verdict.say')}</p>
        <p className="verdict-script">{sentence}</p>
        {resolved === null ? null : (
          <p className="verdict-do-not line muted">
            <CheckCheck size={16} aria-hidden="true" />
            <span>
              <strong className="break">
                {t('verdict.resolved', {
                  agent: resolved.agent,
                  time: clockTime(resolved.at, locale, minute),
                  reason: t(`resolution.${resolved.reason}`),
                })}
              </strong>
              {resolved.text === '' ? null : <span className="break"> · {resolved.text}</span>}
            </span>
          </p>
        )}
        <p className="verdict-do-not line muted">
          <Ban size={16} aria-hidden="true" />
          <span>
            <strong>{t('verdict.do-not')}</strong>{' '}
            {t(
              head.kind === 'outcome-unknown' && canCreateLink
                ? 'do-not.outcome-unknown.looked-up'
                : head.doNot,
            )}
          </span>
        </p>
      </div>
      <Sources events={events} payment={payment}>
        <h2 className="verdict-key">{t(basisName(payment, head.kind))}</h2>
        {head.tone === 'good' ? (
          <Check size={16} aria-hidden="true" className="verdict-check ink-good" />
        ) : null}
        <span>
          {contradiction === null
            ? basisOf(payment, minute, locale, t)
            : t(`basis.contradiction.${contradiction}`)}{' '}
          {payment.state === 'paid-unconfirmed'
            ? t(payment.basis?.kind === 'look-up' ? 'verdict.missing.callback' : 'verdict.missing.look-up')
            : null}
        </span>
      </Sources>
      <NextStep payment={payment} now={minute} isContradiction={contradiction !== null} />
    </section>
  );
};
