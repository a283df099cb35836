import { useEffect, useState } from 'react';
import { ScanSearch } from 'lucide-react';
import type { LookUpKey } from '../../../shared/payments/evidence.ts';
import { Button } from '../../components/controls/button.tsx';
import { ErrorNote } from '../../components/display/error-note.tsx';
import { Empty, Note } from '../../components/display/note.tsx';
import { Screen } from '../../components/display/screen.tsx';
import { CancelWaitButton } from '../../components/controls/cancel-wait-button.tsx';
import { SegmentedControl } from '../../components/controls/segmented-control.tsx';
import { TextBox } from '../../components/controls/text-box.tsx';
import { useActiveProfile } from '../../stores/app-state-store.ts';
import { whenReopened } from '../../stores/route-store.ts';
import { useLookUp } from '../../stores/payments/look-up-store.ts';
import { Form } from '../../forms/form.tsx';
import { useMessage, useText } from '../../i18n/text.ts';
import { Answer } from './answer.tsx';
import { Time } from '../../components/display/time.tsx';
import { request } from '../../ipc-client.ts';
import { createQuery } from '../../queries/create-query.ts';

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
