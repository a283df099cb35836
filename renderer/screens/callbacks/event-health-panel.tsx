import type { EventHealth } from '../../../shared/callbacks/event-health.ts';
import { DataTable } from '../../components/display/data-table.tsx';
import { Note } from '../../components/display/note.tsx';
import { Time } from '../../components/display/time.tsx';
import { useNumber, useText } from '../../i18n/text.ts';
import { eventHealthQuery } from '../../queries/callbacks.ts';
import { useAppState } from '../../stores/app-state-store.ts';

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
