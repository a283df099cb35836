import { Purpose, Fact } from '../../components/display/panel.tsx';
import { placeInWords } from '../../../shared/messages/problem-place.ts';
import { useEffect, useState } from 'react';
import { CircleCheck, ShieldCheck, FolderOpen, Play, Copy } from 'lucide-react';
import { Button } from '../../components/controls/button.tsx';
import { SelectBox, Toggle } from '../../components/controls/fields.tsx';
import { ErrorNote, Note } from '../../components/display/notes.tsx';
import { ManagedSetting, ReadOnlyLine } from '../../forms/read-only.tsx';
import { Progress } from '../../components/display/progress.tsx';
import { Time } from '../../components/display/values.tsx';
import { useAppState } from '../../stores/app-state-store.ts';
import { useMaintenance } from '../../stores/payment-log/payment-log-maintenance-store.ts';
import { useMessage, useText } from '../../i18n/text.ts';
import { useManagedSetting, useWhoElse } from '../../use-rights.ts';
import { Transfer } from './administration/transfer.tsx';
import { Group } from 'react-aria-components';
import { exportIntervals, type ScheduledExport } from '../../../shared/settings/scheduled-export.ts';
import { useTask } from '../../forms/form.tsx';
import { request } from '../../ipc-client.ts';
import { useIntl } from 'react-intl';
import { RestoreQuestion } from '../payment-log/restore-question.tsx';

/** Copies of the log: manual, daily, and restored after a check. */
const Copies = () => {
  const t = useText();
  const intl = useIntl();
  const { running, copies, done, readCopies, backUp, checkCopy } = useMaintenance();
  useEffect(() => void readCopies(), [readCopies]);
  const megabytes = (bytes: number): string =>
    intl.formatNumber(Math.max(0.1, bytes / 1_000_000), {
      style: 'unit',
      unit: 'megabyte',
      maximumFractionDigits: 1,
    });
  return (
    <div className="panel stack">
      <Purpose title={t('data.copies')} text={t('data.copies.text')}>
        <div className="line wrap">
          <Button
            request="log.checkCopy"
            icon={FolderOpen}
            isPending={running?.job === 'check'}
            onPress={() => void checkCopy(null)}
          >
            {t('data.restore.file')}
          </Button>
          <Button
            request="log.backUp"
            icon={Copy}
            isPending={running?.job === 'copy'}
            onPress={() => void backUp()}
          >
            {t('data.back-up')}
          </Button>
        </div>
      </Purpose>
      {running?.job === 'copy' ? (
        <Progress name={t('data.copying')} done={running.done} total={running.total} />
      ) : null}
      {running?.job === 'check' ? (
        <Progress name={t('data.checking')} done={running.done} total={running.total} />
      ) : null}
      <output>
        {done ? (
          <p className="line ink-good medium break">
            <CircleCheck size={16} aria-hidden="true" />
            {t(`data.done.${done.what}`, { name: done.name })}
          </p>
        ) : null}
      </output>
      {copies === null || copies.copies.length === 0 ? (
        <p className="small quiet">{t('data.copies.none')}</p>
      ) : (
        <ul className="copy-list tracks no-bullets no-padding no-margin" aria-label={t('data.copies.daily')}>
          {copies.copies.map(copy => (
            <li key={copy.name} className="line spread">
              <span className="line">
                <Time at={copy.at} />
                <span className="small quiet figures">{megabytes(copy.bytes)}</span>
              </span>
              <Button request="log.checkCopy" variant="quiet" onPress={() => void checkCopy(copy.name)}>
                {t('data.restore')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {copies ? <p className="tiny quiet code break">{copies.folder}</p> : null}
      <RestoreQuestion />
    </div>
  );
};

/** The workbook after each day or month: when, where, of which profiles, and how the last one went. */
const ScheduledExportSection = () => {
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
  const run = (): Promise<void> => ask('run', () => request('scheduledExport.run', {}));
  const shownProblem = problem ?? lastProblem;
  return (
    <section className="panel stack" aria-label={t('scheduled-export')}>
      <Purpose title={t('scheduled-export')} text={t('scheduled-export.text')} />
      <div className="pair">
        <div className="field">
          <span>{t('scheduled-export.folder')}</span>
          {folder === null ? null : <span className="code break">{folder}</span>}
          <div className="line">
            <Button
              request="scheduledExport.chooseFolder"
              icon={FolderOpen}
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
            <Fact name={t('scheduled-export.last')}>
              {lastFile === null || lastRunAt === null ? (
                t('scheduled-export.last.none')
              ) : (
                <>
                  <span className="code break">{lastFile}</span> · <Time at={lastRunAt} />
                </>
              )}
            </Fact>
            {nextRunAt === null ? null : (
              <Fact name={t('scheduled-export.next')}>
                <Time at={nextRunAt} />
              </Fact>
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
              icon={Play}
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

const retentions = ['0', '30', '90', '365', '730'] as const;

/** The payment log: its location, whether its chain is intact, its copies, and the retention of customer details. */
export const Data = () => {
  const t = useText();
  const say = useMessage();
  const appState = useAppState(state => state.appState);
  const change = useAppState(state => state.change);
  const others = useWhoElse({ right: 'settings' });
  const isRetentionManaged = useManagedSetting('retentionDays');
  const { running, report, problem, listen, verify, rebuild } = useMaintenance();
  useEffect(() => listen(), [listen]);
  if (!appState) return null;
  const days = String(appState.settings.retentionDays);
  const teamDays = appState.sharing?.retentionDays ?? null;
  const offered = retentions.some(one => one === days) ? retentions : [...retentions, days];
  const { checked, recordedAhead, head, dailyTaskProblem } = appState.log;
  return (
    <section className="stack" aria-label={t('settings.data')}>
      <div className="panel stack">
        <dl className="facts wide-facts">
          <Fact name={t('data.file')} className="code break">
            {appState.log.file}
          </Fact>
          <Fact name={t('data.payments')}>{t('data.payments.count', { count: appState.log.payments })}</Fact>
          <Fact name={t('data.checked')}>
            {checked === null ? (
              t('data.checked.not-yet')
            ) : (
              <>
                {t('data.checked.found', { count: checked.problems })} <Time at={checked.at} />
              </>
            )}
          </Fact>
          <Fact name={t('data.head')}>
            {head === null ? (
              t('data.head.none')
            ) : (
              <>
                <Time at={head.at} /> · {t('data.head.key')} <span className="code">{head.key}</span>
              </>
            )}
          </Fact>
        </dl>
        {recordedAhead === null ? null : (
          <Note tone="warning">
            <p>{t('data.recorded-ahead', { at: recordedAhead })}</p>
          </Note>
        )}
        {dailyTaskProblem ? (
          <div className="stack tight">
            <p className="small">{t('data.maintenance-problem')}</p>
            <ErrorNote error={dailyTaskProblem} />
          </div>
        ) : null}
        <ReadOnlyLine right="settings" of="part" />
        <div className="pair">
          <SelectBox
            isDisabled={others !== null || isRetentionManaged}
            labelExtra={<ManagedSetting path="retentionDays" />}
            label={t('data.retention')}
            hint={t('data.retention.hint')}
            options={offered.map(one => ({ id: one, name: t('data.retention.days', { days: Number(one) }) }))}
            value={days}
            onChange={chosen => void change({ retentionDays: Number(chosen) })}
          />
        </div>
        {teamDays === null ? null : (
          <p className="small measure">{t('data.retention.team', { days: teamDays })}</p>
        )}
      </div>
      <div className="panel stack">
        <Purpose title={t('data.verify')} text={t('data.verify.text')}>
          <Button icon={ShieldCheck} isPending={running?.job === 'verify'} onPress={() => void verify()}>
            {running?.job === 'verify' ? t('data.verifying') : t('data.verify.do')}
          </Button>
        </Purpose>
        {running?.job === 'verify' ? (
          <Progress name={t('data.verifying')} done={running.done} total={running.total} />
        ) : null}
        <output>
          {report === null ? null : report.problems.length === 0 ? (
            <p className="line ink-good medium">
              <CircleCheck size={16} aria-hidden="true" />
              {t('data.verified', { events: report.events, payments: report.payments })}{' '}
              <Time at={report.at} />
            </p>
          ) : (
            <Note tone="warning">
              <p>{t('data.broken', { count: report.problems.length })}</p>
              <ul className="problem-list">
                {report.problems.map(one => (
                  <li key={`${say(placeInWords(one.at))} ${one.message.key}`}>
                    <strong>{say(placeInWords(one.at))}</strong> {say(one.message)}
                  </li>
                ))}
              </ul>
            </Note>
          )}
        </output>
        <div className="stack tight">
          <p className="small">{t('data.rebuild.text')}</p>
          <div className="line">
            <Button
              request="log.rebuild"
              isPending={running?.job === 'verify'}
              onPress={() => void rebuild()}
            >
              {t('data.rebuild')}
            </Button>
          </div>
        </div>
        <p className="tiny quiet">{t('data.chain')}</p>
      </div>
      <Copies />
      <ScheduledExportSection />
      {problem ? <ErrorNote error={problem} /> : null}
      <Transfer />
    </section>
  );
};
