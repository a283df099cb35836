import { Purpose } from '../../../components/display/panel.tsx';
import '../../../styles/screens/people.css';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { activityGroupNames } from '../../../../shared/activity/activity.ts';
import { activityInWords } from '../../../../shared/activity-in-words.ts';
import type { ActivityFilter, ActivityRow } from '../../../../shared/contract/contract.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { Button } from '../../../components/controls/button.tsx';
import { SelectBox } from '../../../components/controls/fields.tsx';
import { DataTable } from '../../../components/display/data-table.tsx';
import { ErrorNote, Note } from '../../../components/display/notes.tsx';
import { RefusalNote } from '../../../forms/read-only.tsx';
import { Time } from '../../../components/display/values.tsx';
import { useAppState } from '../../../stores/app-state-store.ts';
import { agentName, useMessage, useText } from '../../../i18n/text.ts';
import { request } from '../../../ipc-client.ts';
import { activityQuery } from '../../../queries/settings.ts';
import { useRefusal } from '../../../use-rights.ts';

const everyone = '';

const Filters = ({
  rows,
  filter,
  onChange,
}: {
  rows: readonly ActivityRow[];
  filter: ActivityFilter;
  onChange: (filter: ActivityFilter) => void;
}) => {
  const t = useText();
  const team = useAppState(state => state.appState?.agents ?? []);
  // People who have left the team are still in the list.
  const names = new Set([
    ...team.map(({ name }) => name),
    ...rows.map(({ agent }) => agent).filter(agent => agent !== 'console'),
    ...(filter.person === null ? [] : [filter.person]),
  ]);
  return (
    <div className="pair">
      <SelectBox
        label={t('activity.filter.person')}
        options={[
          { id: everyone, name: t('activity.filter.everyone') },
          ...[...names].map(name => ({ id: name, name })),
        ]}
        value={filter.person ?? everyone}
        onChange={person => onChange({ ...filter, person: person === everyone ? null : person })}
      />
      <SelectBox
        label={t('activity.filter.kind')}
        options={[
          { id: everyone, name: t('activity.filter.all') },
          ...activityGroupNames.map(group => ({ id: group, name: t(`activity.group.${group}`) })),
        ]}
        value={filter.group ?? everyone}
        onChange={chosen =>
          onChange({ ...filter, group: activityGroupNames.find(one => one === chosen) ?? null })
        }
      />
    </div>
  );
};

/** Who signed in, exported, erased or changed something. */
export const Activity = () => {
  const t = useText();
  const say = useMessage();
  const refusal = useRefusal({ request: 'activity.list' });
  const [filter, setFilter] = useState<ActivityFilter>({ person: null, group: null });
  const { value, problem: unread } = activityQuery.use(refusal === null ? filter : null);
  const { rows = null, earlier = null, waiting = 0 } = value ?? {};
  const [failed, setFailed] = useState<AppError | null>(null);
  /** The last export: the number of its lines. */
  const [written, setWritten] = useState<number | null>(null);
  const problem = failed ?? unread;
  const choose = (chosen: ActivityFilter): void => {
    setFilter(chosen);
    setFailed(null);
    setWritten(null);
  };
  const readMore = async (): Promise<void> => {
    if (earlier === null) return;
    const page = await request('activity.list', { ...filter, before: earlier });
    setFailed(page.ok ? null : page.error);
    if (page.ok)
      activityQuery.update(filter, present =>
        present?.earlier === earlier
          ? { ...present, rows: [...present.rows, ...page.value.rows], earlier: page.value.earlier }
          : present,
      );
  };
  const save = async (): Promise<void> => {
    const saved = await request('activity.export', filter);
    setFailed(saved.ok ? null : saved.error);
    if (!saved.ok || saved.value.file === null) return;
    await activityQuery.read(filter);
    setWritten(saved.value.written);
  };
  return (
    <section className="stack" aria-label={t('settings.activity')}>
      <section className="panel stack">
        <Purpose title={t('settings.activity')} text={t('activity.text')}>
          <Button request="activity.export" icon={Download} onPress={() => void save()}>
            {t('activity.export')}
          </Button>
        </Purpose>
        <RefusalNote request="activity.list" />
        {problem ? <ErrorNote error={problem} /> : null}
        <output>
          {written === null ? null : <p className="small">{t('activity.export.done', { count: written })}</p>}
        </output>
        {waiting > 0 ? <Note tone="warning">{t('activity.waiting', { count: waiting })}</Note> : null}
        {refusal === null && rows !== null ? (
          <>
            <Filters rows={rows} filter={filter} onChange={choose} />
            {rows.length === 0 ? (
              <p className="muted">{t('activity.empty')}</p>
            ) : (
              <DataTable
                className="activity-table full collapsed small"
                rows={rows}
                keyOf={({ id }) => id}
                columns={{
                  time: { head: t('activity.column.time'), cell: ({ at }) => <Time at={at} clock /> },
                  person: {
                    head: t('activity.column.person'),
                    cell: ({ agent }) => agentName(agent, t),
                    className: 'break',
                  },
                  details: {
                    head: t('activity.column.details'),
                    cell: ({ action, details }) => say(activityInWords(action, details)),
                    className: 'break',
                  },
                }}
              />
            )}
            {earlier === null ? null : (
              <div className="line">
                <Button onPress={() => void readMore()}>{t('activity.more')}</Button>
              </div>
            )}
          </>
        ) : null}
      </section>
    </section>
  );
};
