import { plainText } from '../../../shared/plain-text.ts';
import { ArrowRight, CircleCheck, CircleDashed, CircleX } from 'lucide-react';
import type { ReactNode } from 'react';
import type { PaymentDetail } from '../../../shared/contract/contract.ts';
import type { EventOf, StatusAnswer } from '../../../shared/payments/evidence.ts';
import type { Payment } from '../../../shared/payments/payment.ts';
import { rowOf } from '../../../shared/payments/payment-row.ts';
import { headOf } from '../../../shared/reports/head.ts';
import { Button } from '../../components/controls/button.tsx';
import { DataTable } from '../../components/display/data-table.tsx';
import { CodeBlock } from '../../components/display/code-block.tsx';
import { StatusBadge } from '../../components/display/status-badge.tsx';
import { Checked, Time } from '../../components/display/time.tsx';
import { useClock } from '../../stores/clock-store.ts';
import { go } from '../../stores/route-store.ts';
import { useText } from '../../i18n/text.ts';
import { paymentStatuses } from '../../../shared/payments/payment-statuses.ts';
import { compareAnswer, withVisibleBlanks, type Compared } from './compare.ts';
import { readGatewayTime } from '../../../shared/gateway-time.ts';
import { useAppState } from '../../stores/app-state-store.ts';

/**
 * A time as the gateway wrote it, and as local time: read in the profile's zone, which is marked as an assumption
 * (§2.5).
 */
const GatewayTime = ({ text, profileId }: { text: string; profileId: string }) => {
  const t = useText();
  const zone = useAppState(
    state => state.appState?.profiles.find(({ id }) => id === profileId)?.gatewayZone ?? 'UTC',
  );
  const at = readGatewayTime(text, zone);
  return (
    <span className="small quiet">
      {at === null ? null : (
        <>
          <Time at={at} clock />
          {' · '}
        </>
      )}
      {at === null
        ? t('look-up.gateway-time', { time: text })
        : t('look-up.gateway-time.zone', { time: text, zone })}
    </span>
  );
};

const marks: Readonly<Record<Compared['verdict'], ReactNode>> = {
  equal: <CircleCheck size={14} aria-hidden="true" />,
  differs: <CircleX size={14} aria-hidden="true" />,
  'only-theirs': <CircleDashed size={14} aria-hidden="true" />,
  'only-ours': <CircleDashed size={14} aria-hidden="true" />,
  neither: null,
};

/** Customer details are often only in our record, or typed by the payer: a difference is no alarm. */
const weightOf = (row: Compared): string =>
  row.verdict === 'differs' && row.field.startsWith('customer') ? 'aside' : row.verdict;

const exact = (value: string | null): string => (value === null ? '–' : withVisibleBlanks(value));

const Comparison = ({
  answer,
  payment,
  profileId,
}: {
  answer: StatusAnswer;
  payment: Payment | null;
  profileId: string;
}) => {
  const t = useText();
  const extra = Object.entries(answer.extra);
  const documented = paymentStatuses.find(one => one === answer.status);
  return (
    <section className="panel" aria-label={t('look-up.answer')}>
      <header className="line spread">
        <h2>
          {t('look-up.status')} <code className="big-code">{answer.status}</code>
        </h2>
        {answer.date === null ? null : <GatewayTime text={answer.date} profileId={profileId} />}
      </header>
      <p className="small">{t(`status-means.${documented ?? 'other'}`)}</p>
      {documented === undefined ? null : <p className="tiny quiet">{t('look-up.status.assumed')}</p>}
      {answer.reason === null ? null : (
        <p className="small">
          {t('reason', { reason: plainText(answer.reason) })}{' '}
          <span className="quiet">({t('attempt.not-aloud')})</span>
        </p>
      )}
      <DataTable
        className="compare"
        rows={compareAnswer(answer, payment)}
        keyOf={({ field }) => field}
        rowClass={weightOf}
        columns={{
          field: { head: t('field'), cell: ({ field }) => t(`compare.${field}`), isName: true },
          theirs: {
            head: t('compare.theirs'),
            cell: ({ received }) => exact(received),
            className: 'code break',
          },
          ours: { head: t('compare.ours'), cell: ({ recorded }) => exact(recorded), className: 'code break' },
          comparison: {
            head: t('comparison'),
            cell: row => (
              <span className={`compare-mark inline-line quiet nowrap ${weightOf(row)}`}>
                {marks[row.verdict]}
                {t(`compare.is-${row.verdict}`)}
              </span>
            ),
          },
        }}
      />
      {extra.length > 0 ? (
        <>
          <h3 className="below-3">{t('look-up.extra')}</h3>
          <dl className="flag-values row gap-1-4 wrap below-2 small">
            {extra.map(([name, value]) => (
              <div key={name}>
                <dt className="code">{name}</dt>
                <dd className="code break">{value}</dd>
              </div>
            ))}
          </dl>
        </>
      ) : null}
    </section>
  );
};

/** The gateway's answer next to the payment log's record. */
export const Answer = ({
  event,
  file,
}: {
  event: EventOf<'status.observed'>;
  file: PaymentDetail | null;
}) => {
  const t = useText();
  const { answers, answer } = event.body;
  const payment = file?.payment ?? null;
  const wallClock = useClock(clock => clock.wallClock);
  return (
    <div className="stack">
      <div className="line spread wrap">
        <span className="line wrap">
          <Checked at={event.happenedAt} />
          {payment === null ? (
            <span className="small muted">{t('look-up.unknown-here')}</span>
          ) : (
            <>
              <span className="small muted">{t('look-up.here')}</span>{' '}
              <StatusBadge state={headOf(rowOf(payment), wallClock)} />
            </>
          )}
        </span>
        {payment === null ? null : (
          <Button
            icon={ArrowRight}
            onPress={() =>
              go({ screen: 'payment', profileId: payment.profileId, orderNumber: payment.orderNumber })
            }
          >
            {t('payment.open')}
          </Button>
        )}
      </div>
      {answers.map((one, index) => (
        <Comparison
          // Attempts of one answer keep their order.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          profileId={event.profileId}
          answer={one}
          payment={payment}
        />
      ))}
      {answer === null ? null : <CodeBlock name={`HTTP ${answer.httpStatus ?? '–'}`} text={answer.body} />}
    </div>
  );
};
