import { useEffect, useState, type ReactNode } from 'react';
import { ScanSearch, ArrowRight, CircleCheck, CircleDashed, CircleX } from 'lucide-react';
import type { LookUpKey, EventOf, StatusAnswer } from '../../../shared/payments/evidence.ts';
import { Button } from '../../components/controls/button.tsx';
import { ErrorNote, Empty, Note, CancelWaitButton } from '../../components/display/notes.tsx';
import { Screen } from '../../components/display/screen.tsx';
import { TextBox } from '../../components/controls/fields.tsx';
import { SegmentedControl } from '../../components/controls/radio-choice.tsx';
import { useActiveProfile, useAppState } from '../../stores/app-state-store.ts';
import { whenReopened, go } from '../../stores/route-store.ts';
import { useLookUp } from '../../stores/payments/look-up-store.ts';
import { Form } from '../../forms/form.tsx';
import { useMessage, useText } from '../../i18n/text.ts';
import { Time, Checked } from '../../components/display/values.tsx';
import { request } from '../../ipc-client.ts';
import { createQuery } from '../../queries/create-query.ts';
import { plainText } from '../../../shared/plain-text.ts';
import type { PaymentDetail } from '../../../shared/contract/contract.ts';
import type { Payment } from '../../../shared/payments/payment.ts';
import { rowOf } from '../../../shared/payments/payment-row.ts';
import { headOf } from '../../../shared/reports/head.ts';
import { DataTable } from '../../components/display/data-table.tsx';
import { CodeBlock } from '../../components/display/code-block.tsx';
import { StatusBadge } from '../../components/display/status-badge.tsx';
import { useClock } from '../../stores/clock-store.ts';
import { paymentStatuses } from '../../../shared/payments/payment-statuses.ts';
import { compareAnswer, withVisibleBlanks, type Compared } from './compare.ts';
import { readGatewayTime } from '../../../shared/gateway-time.ts';

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

const inquiriesQuery = createQuery({
  read: (of: { profileId: string }) => request('lookUps.inquiries', of),
});

/** The latest look-ups that found no payment: stored, but not payments. Read once: use the last answer as its key. */
const Inquiries = ({ profileId }: { profileId: string }) => {
  const t = useText();
  const inquiries = inquiriesQuery.use({ profileId }).value?.inquiries ?? [];
  if (inquiries.length === 0) return null;
  return (
    <section className="panel stack tight" aria-label={t('inquiries.name')}>
      <h2>{t('inquiries.name')}</h2>
      <p className="small muted">{t('inquiries.text')}</p>
      <ul className="stack tight">
        {inquiries.map(({ id, at, agent, asked: key, problem, statuses }) => (
          <li key={id}>
            <div className="line spread wrap">
              <span className="code break">{key.value}</span>
              <span className="small quiet">
                <Time at={at} /> · {agent}
              </span>
            </div>
            <div className="small muted">
              {problem === null
                ? t('inquiries.other-order', { status: statuses.join(', ') })
                : t(`error.${problem.code}`)}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
};

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Queries the gateway about a payment that may be missing from the payment log (§4.2). */
export const LookUpScreen = ({ by, value }: { by: LookUpKey['by']; value: string }) => {
  const t = useText();
  const say = useMessage();
  const profile = useActiveProfile();
  const { isInFlight, event, file, problem, lookUp, stop } = useLookUp();
  const [key, setKey] = useState<LookUpKey>({ by, value });
  const [given, setGiven] = useState({ by, value });
  if (given.by !== by || given.value !== value) {
    setGiven({ by, value });
    setKey({ by, value });
  }
  useEffect(() => {
    const arrive = (): void => document.querySelector<HTMLElement>('[name="look-up"]')?.focus();
    arrive();
    return whenReopened(arrive);
  }, []);
  const submit = (): void => {
    if (profile && key.value.trim() !== '') void lookUp(profile.id, { ...key, value: key.value.trim() });
  };
  const refusal = problem?.fields?.find(field => field.path === 'value');
  const refused = refusal ? say(refusal.message) : null;
  return (
    <Screen title={t('nav.look-up')} label={t('nav.look-up')} lead={t('look-up.lead')}>
      <Form className="panel stack" onSubmit={submit} label={t('nav.look-up')}>
        <SegmentedControl
          label={t('look-up.by')}
          options={[
            { id: 'order-number', name: t('look-up.by-order') },
            { id: 'payment-id', name: t('payment-id') },
          ]}
          value={key.by}
          onChange={by => setKey({ ...key, by })}
        />
        <div className="ask-line tracks gap-2 at-start">
          <TextBox
            name="look-up"
            label={key.by === 'payment-id' ? t('payment-id') : t('new.order')}
            value={key.value}
            onChange={text =>
              setKey(uuid.test(text.trim()) ? { by: 'payment-id', value: text } : { ...key, value: text })
            }
            inputClass="code"
            autoComplete="off"
            hint={/\S\s+\S/.test(key.value) ? t('look-up.one-number') : undefined}
            problem={refused}
          />
          <Button
            request="payments.lookUp"
            type="submit"
            variant="primary"
            icon={ScanSearch}
            isPending={isInFlight}
          >
            {isInFlight ? t('look-up.asking') : t('look-up.now')}
          </Button>
        </div>
        <CancelWaitButton isWaiting={isInFlight} description={t('waiting-for.look-up')} onCancel={stop} />
        {key.by === 'order-number' ? <Note>{t('look-up.assumption')}</Note> : null}
      </Form>
      {problem?.code === 'gateway.cancelled' ? (
        <Note>{t('waiting-for.look-up.stopped')}</Note>
      ) : problem && refused === null ? (
        <ErrorNote error={problem}>
          {problem.details?.['kept'] === true ? (
            <span className="small quiet">{t('look-up.stored')}</span>
          ) : null}
        </ErrorNote>
      ) : null}
      {event === null ? (
        problem === null && !isInFlight ? (
          <Empty icon={<ScanSearch size={28} />} title={t('look-up.empty')}>
            {t('look-up.empty.text')}
          </Empty>
        ) : null
      ) : (
        <Answer event={event} file={file} />
      )}
      {profile ? (
        <Inquiries key={`${event?.id ?? ''} ${problem?.code ?? ''}`} profileId={profile.id} />
      ) : null}
    </Screen>
  );
};
