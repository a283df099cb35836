import { FolderOpen, Play } from 'lucide-react';
import { useState } from 'react';
import { Group } from 'react-aria-components';
import { exportIntervals, type ScheduledExport } from '../../../shared/settings/scheduled-export.ts';
import { Button } from '../../components/controls/button.tsx';
import { SelectBox, Toggle } from '../../components/controls/select.tsx';
import { ErrorNote } from '../../components/display/error-note.tsx';
import { ManagedSetting } from '../../forms/managed.tsx';
import { Time } from '../../components/display/time.tsx';
import { useTask } from '../../forms/use-task.ts';
import { useText } from '../../i18n/text.ts';
import { request } from '../../ipc-client.ts';
import { useAppState } from '../../stores/app-state-store.ts';
import { useManagedSetting } from '../../use-managed.ts';
import { useWhoElse } from '../../use-rights.ts';

/** The workbook after each day or month: when, where, of which profiles, and how the last one went. */
export const ScheduledExportSection = () => {
  const t = useText();
  const appState = useAppState(state => state.appState);
  const change = useAppState(state => state.change);
  const others = useWhoElse({ right: 'settings' });
  const isManaged = useManagedSetting('scheduledExport');
  /** The chosen folder while the schedule is off. */
  const [chosen, setChosen] = useState<string | null>(null);
  const { busy, problem, setProblem, run: ask } = useTask<'choose' | 'run'>();
  if (!appState) return null;
  const { scheduledExport: stored } = appState.settings;
  const { lastRunAt, lastFile, nextRunAt, problem: lastProblem } = appState.scheduledExport;
  const isFixed = others !== null || isManaged;
  const real = appState.profiles.filter(({ kind }) => kind !== 'sandbox');
  const profiles = real.length === 0 ? appState.profiles : real;
  const folder = stored?.folder ?? chosen;
  const profileIds = stored?.profileIds ?? profiles.map(({ id }) => id);
  const save = (scheduledExport: ScheduledExport): void => {
    setProblem(null);
    void change({ scheduledExport });
  };
  const choose = (): Promise<void> =>
    ask(
      'choose',
      () => request('scheduledExport.chooseFolder', {}),
      ({ folder: next }) => {
        if (next === null) return;
        setChosen(next);
        if (stored) save({ ...stored, folder: next });
      },
    );
  const run = (): Promise<void> =>
    ask(
      'run',
      () => request('scheduledExport.run', {}),
      () => undefined,
    );
  const shownProblem = problem ?? lastProblem;
  return (
    <section className="panel stack" aria-label={t('scheduled-export')}>
      <div className="measure">
        <h2>{t('scheduled-export')}</h2>
        <p className="small muted">{t('scheduled-export.text')}</p>
      </div>
      <div className="pair">
        <div className="field">
          <span>{t('scheduled-export.folder')}</span>
          {folder === null ? null : <span className="code break">{folder}</span>}
          <div className="line">
            <Button
              request="scheduledExport.chooseFolder"
              icon={<FolderOpen size={16} />}
              isDisabled={isManaged}
              onPress={() => void choose()}
            >
              {t('scheduled-export.choose')}
            </Button>
          </div>
        </div>
        <SelectBox
          label={t('scheduled-export.every')}
          labelExtra={<ManagedSetting path="scheduledExport" />}
          isDisabled={isFixed || folder === null}
          {...(folder === null ? { hint: t('scheduled-export.folder.none') } : {})}
          options={[
            { id: 'off', name: t('scheduled-export.every.off') },
            ...exportIntervals.map(id => ({ id, name: t(`scheduled-export.every.${id}`) })),
          ]}
          value={stored?.every ?? 'off'}
          onChange={id => {
            const every = exportIntervals.find(one => one === id);
            save(every === undefined || folder === null ? null : { every, folder, profileIds });
          }}
        />
      </div>
      {stored === null ? null : (
        <>
          {profiles.length < 2 ? null : (
            <Group className="stack tight" aria-label={t('scheduled-export.profiles')}>
              {profiles.map(({ id, name }) => (
                <Toggle
                  key={id}
                  isEnabled={profileIds.includes(id)}
                  // One profile stays: without any, the schedule is off.
                  isDisabled={isFixed || (profileIds.length === 1 && profileIds[0] === id)}
                  onChange={isOn =>
                    save({
                      ...stored,
                      profileIds: isOn ? [...profileIds, id] : profileIds.filter(one => one !== id),
                    })
                  }
                >
                  {name}
                </Toggle>
              ))}
            </Group>
          )}
          <dl className="facts wide-facts">
            <div className="fact">
              <dt>{t('scheduled-export.last')}</dt>
              <dd>
                {lastFile === null || lastRunAt === null ? (
                  t('scheduled-export.last.none')
                ) : (
                  <>
                    <span className="code break">{lastFile}</span> · <Time at={lastRunAt} />
                  </>
                )}
              </dd>
            </div>
            {nextRunAt === null ? null : (
              <div className="fact">
                <dt>{t('scheduled-export.next')}</dt>
                <dd>
                  <Time at={nextRunAt} />
                </dd>
              </div>
            )}
          </dl>
          {shownProblem === null ? null : (
            <div className="stack tight">
              <p className="small">{t('scheduled-export.failed')}</p>
              <ErrorNote error={shownProblem} />
            </div>
          )}
          <div className="line">
            <Button
              request="scheduledExport.run"
              icon={<Play size={16} />}
              isPending={busy === 'run'}
              onPress={() => void run()}
            >
              {t('scheduled-export.run')}
            </Button>
          </div>
          <p className="tiny quiet">{t('scheduled-export.team')}</p>
        </>
      )}
      {stored !== null || problem === null ? null : <ErrorNote error={problem} />}
    </section>
  );
};
