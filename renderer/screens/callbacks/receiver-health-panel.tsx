import { useState } from 'react';
import { Send } from 'lucide-react';
import type { ReceiverHealth, RequestOutput } from '../../../shared/contract/contract.ts';
import { Button } from '../../components/controls/button.tsx';
import { Copyable } from '../../components/controls/copyable.tsx';
import { ErrorNote, Note } from '../../components/display/notes.tsx';
import { Time } from '../../components/display/values.tsx';
import { useAppState } from '../../stores/app-state-store.ts';
import { useTask } from '../../forms/form.tsx';
import { useNumber, useText } from '../../i18n/text.ts';
import type { EventHealth } from '../../../shared/callbacks/event-health.ts';
import { DataTable } from '../../components/display/data-table.tsx';
import { eventHealthQuery } from '../../queries/callbacks.ts';
import { request } from '../../ipc-client.ts';
import { useWhoElse } from '../../use-rights.ts';

const ProfileEvents = ({ health }: { health: EventHealth }) => {
  const t = useText();
  const number = useNumber();
  const profile = useAppState(
    state => state.appState?.profiles.find(({ id }) => id === health.profileId) ?? null,
  );
  if (!profile) return null;
  const hasRefund = health.types.some(({ type }) => type === 'refund');
  return (
    <section className="stack tight" aria-label={profile.name}>
      <h3>{profile.name}</h3>
      {health.types.length === 0 ? (
        <p className="small quiet">{t('events.none')}</p>
      ) : (
        <DataTable
          className="counts"
          rows={health.types}
          keyOf={({ type }) => type}
          columns={{
            type: {
              head: t('events.type'),
              cell: ({ type }) => type || '–',
              isName: true,
              className: 'code',
            },
            count: {
              head: t('events.count'),
              cell: ({ count }) => `${number(count)}${health.more ? '+' : ''}`,
              className: 'figures',
            },
            last: { head: t('events.last'), cell: ({ lastAt }) => <Time at={lastAt} clock /> },
          }}
        />
      )}
      {health.isRefundKnown && !hasRefund ? (
        <Note tone="warning">{t(health.more ? 'events.no-refund.recent' : 'events.no-refund')}</Note>
      ) : null}
    </section>
  );
};

/** Which types of callbacks came for each profile, and when the last one did. */
export const EventHealthPanel = () => {
  const t = useText();
  const profiles = eventHealthQuery.use('types').value?.profiles ?? [];
  if (profiles.length === 0) return null;
  return (
    <section className="panel stack" aria-label={t('events.name')}>
      <header className="stack tight">
        <h2>{t('events.name')}</h2>
        <p className="small muted measure">{t('events.text')}</p>
      </header>
      {profiles.map(health => (
        <ProfileEvents key={health.profileId} health={health} />
      ))}
    </section>
  );
};

const mega = 1024 * 1024;
/** Threshold of the warning, as a share of the quarantine's limit. */
const almostFullRatio = 0.8;

/** Shown when the quarantine is full or nearly full, with the remedy. */
const Quarantine = ({ health }: { health: ReceiverHealth }) => {
  const t = useText();
  const { isBusy, problem, send } = useTask();
  const { callbacks, maxCallbacks, bytes, maxBytes, full, refused } = health.quarantine;
  if (!full && callbacks < maxCallbacks * almostFullRatio && bytes < maxBytes * almostFullRatio) return null;
  return (
    <Note tone="warning">
      <div className="stack tight">
        <strong>{t(full ? 'quarantine.full' : 'quarantine.nearly')}</strong>
        <span>
          {t('quarantine.text', {
            callbacks,
            maxCallbacks,
            refused,
            used: bytes / mega,
            room: maxBytes / mega,
          })}
        </span>
        <span>{t('quarantine.genuine')}</span>
        <span>{t('quarantine.forged')}</span>
        <span>{t('quarantine.then')}</span>
        <div className="line wrap">
          <Button
            request="receiver.resetQuarantine"
            isPending={isBusy}
            onPress={() => void send(() => request('receiver.resetQuarantine', {}))}
          >
            {t('quarantine.room')}
          </Button>
        </div>
        {problem ? <ErrorNote error={problem} /> : null}
      </div>
    </Note>
  );
};

/** Lets the sandbox send a signed callback to the receiver, and shows the result. */
const TestCallback = () => {
  const t = useText();
  const number = useNumber({ maximumFractionDigits: 1 });
  const { isBusy, problem, send } = useTask();
  const [tested, setTested] = useState<RequestOutput<'receiver.test'> | null>(null);
  const ms = tested ? number(tested.durationMs) : '';
  return (
    <div className="stack tight">
      <div className="line">
        <Button
          request="receiver.test"
          variant="quiet"
          icon={Send}
          isPending={isBusy}
          onPress={() => {
            setTested(null);
            void send(() => request('receiver.test', {}), setTested);
          }}
        >
          {t('receiver.test')}
        </Button>
      </div>
      {problem ? <ErrorNote error={problem} /> : null}
      {tested ? (
        <output>
          <Note tone={tested.stored && tested.verified && tested.httpStatus === 200 ? 'info' : 'warning'}>
            {t(
              tested.httpStatus === null
                ? 'receiver.test.silent'
                : !tested.stored
                  ? 'receiver.test.lost'
                  : tested.verified
                    ? 'receiver.test.good'
                    : 'receiver.test.unverified',
              { order: tested.orderNumber, ms, status: tested.httpStatus ?? 0 },
            )}
          </Note>
        </output>
      ) : null}
    </div>
  );
};

/** The receiver's state, and the addresses to enter in the gateway's dashboard. */
export const ReceiverHealthPanel = ({ health }: { health: ReceiverHealth }) => {
  const t = useText();
  const profiles = useAppState(state => state.appState?.profiles ?? []);
  const number = useNumber({ maximumFractionDigits: 1 });
  const setsUp = useWhoElse({ right: 'settings' }) === null;
  return (
    <section className="panel stack tight" aria-label={t('receiver.name')}>
      <header className="line spread">
        <h2>{t('receiver.name')}</h2>
        <span className={`health ${health.problem ? 'bad' : health.listening ? 'on' : 'off'}`}>
          <span className="health-dot" aria-hidden="true" />
          {health.problem ? t('receiver.bad') : health.listening ? t('receiver.on') : t('receiver.off')}
        </span>
      </header>
      {health.problem ? <ErrorNote error={health.problem} /> : null}
      <Quarantine health={health} />
      <dl className="numbers tracks gap-2 small">
        <div>
          <dt>{t('receiver.received')}</dt>
          <dd>{number(health.received)}</dd>
        </div>
        <div>
          <dt>{t('receiver.unverified')}</dt>
          <dd>{number(health.unverified)}</dd>
        </div>
        <div>
          <dt>{t('receiver.answer')}</dt>
          <dd>
            {health.answerMs === null ? '–' : t('milliseconds', { ms: number(health.answerMs.median) })}
          </dd>
        </div>
        <div>
          <dt>{t('receiver.last')}</dt>
          <dd>{health.lastAt === null ? '–' : <Time at={health.lastAt} />}</dd>
        </div>
      </dl>
      {health.refused.map(({ reason, count, lastAt }) => (
        <p key={reason} className="small">
          {t('receiver.refused', { count, reason: t(`receiver.refused.${reason}`) })} <Time at={lastAt} />
        </p>
      ))}
      {health.quarantine.by === null ? null : (
        <p className="small quiet">
          {t('quarantine.cleared', { by: health.quarantine.by })} <Time at={health.quarantine.since} />
        </p>
      )}
      {health.addresses.map(address => (
        <Copyable
          key={address.profileId}
          name={t('receiver.address', {
            profile: profiles.find(profile => profile.id === address.profileId)?.name ?? address.profileId,
          })}
          text={address.url}
        />
      ))}
      <TestCallback />
      {health.addresses.length === 0 && setsUp ? <p className="small quiet">{t('receiver.none')}</p> : null}
    </section>
  );
};
