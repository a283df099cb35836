import { ReadOnly, ReadOnlyLine, ManagedSetting } from '../../forms/read-only.tsx';
import { useText, useLocaleChoice, dateFormat } from '../../i18n/text.ts';
import { SettingSwitch } from './setting-switch.tsx';
import { useAppState } from '../../stores/app-state-store.ts';
import { useState } from 'react';
import { defaultRecheckDays, readRecheckDays } from '../../../shared/settings/recheck-days.ts';
import { TextBox, SelectBox, Toggle } from '../../components/controls/fields.tsx';
import { RadioChoice } from '../../components/controls/radio-choice.tsx';
import { useManagedSetting, useWhoElse, useSelf } from '../../use-rights.ts';
import { ManagedToggle } from './administration/managed-toggle.tsx';
import '../../styles/screens/alerts.css';
import {
  alertKinds,
  alertPlaces,
  expiringChoices,
  outcomeScopes,
  type AlertChoices,
  type QuietHours,
} from '../../../shared/alerts/alert.ts';
import { clockParts } from '../../../shared/messages/clock-parts.ts';
import { hasRight } from '../../../shared/agents/roles.ts';
import { PageError } from '../../components/display/notes.tsx';
import { chooseAlerts, useChoiceProblem } from '../../queries/alerts.ts';
import { languages } from '../../../shared/messages/message.ts';

const themes = ['system', 'light', 'dark', 'contrast'] as const;
const densities = ['compact', 'regular', 'roomy'] as const;
const choices = ['system', ...languages] as const;

/** Theme, density and language; each takes effect immediately. */
export const Appearance = () => {
  const t = useText();
  const settings = useAppState(state => state.appState?.settings ?? null);
  const change = useAppState(state => state.change);
  const isLanguageManaged = useManagedSetting('language');
  if (!settings) return null;
  return (
    <section className="panel stack" aria-label={t('settings.appearance')}>
      <RadioChoice
        className="field"
        optionClass="theme-option lined pointer stack gap-2 rounded small"
        box="row gap-3 wrap"
        label={t('theme')}
        options={themes.map(id => ({
          id,
          name: (
            <>
              <span className={`theme-sample rounded-s ${id}`} aria-hidden="true" />
              {t(`theme.${id}`)}
            </>
          ),
        }))}
        value={settings.theme}
        onChange={theme => void change({ theme })}
      />
      <RadioChoice
        className="field"
        optionClass="segment"
        box="segments"
        label={t('density')}
        options={densities.map(id => ({ id, name: t(`density.${id}`) }))}
        value={settings.density}
        onChange={density => void change({ density })}
      />
      <div className="pair">
        <SelectBox
          label={t('language')}
          labelExtra={<ManagedSetting path="language" />}
          isDisabled={isLanguageManaged}
          options={choices.map(language => ({ id: language, name: t(`language.${language}`) }))}
          value={settings.language}
          onChange={language => void change({ language })}
        />
      </div>
      <SettingSwitch name="waitingRail" />
      <SettingSwitch name="singleKeys" />
    </section>
  );
};

const halfHours = Array.from(
  { length: 48 },
  (_, index) => `${String(Math.floor(index / 2)).padStart(2, '0')}:${index % 2 === 0 ? '00' : '30'}`,
);
/** The initial quiet hours. */
const night = { from: '20:00', until: '07:00' };

/** Where the signed-in person sees each kind of alert. */
const Places = ({ choices }: { choices: AlertChoices }) => {
  const t = useText();
  const self = useSelf();
  const mayExport = self !== null && hasRight(self.role, 'export');
  return (
    <div className="alert-choices tracks to-top">
      {alertKinds
        .filter(kind => kind !== 'export-failed' || mayExport)
        .map(kind => (
          <SelectBox
            key={kind}
            label={t(`alert-choice.${kind}`)}
            options={alertPlaces.map(place => ({ id: place, name: t(`alert-choice.place.${place}`) }))}
            value={choices.places[kind]}
            onChange={place =>
              void chooseAlerts({ ...choices, places: { ...choices.places, [kind]: place } })
            }
            {...(kind === 'callbacks-overdue' ? { hint: t('alert-choice.callbacks-overdue.text') } : {})}
          />
        ))}
      <SelectBox
        label={t('alert-choice.outcomes-of')}
        options={outcomeScopes.map(scope => ({ id: scope, name: t(`alert-choice.outcomes-of.${scope}`) }))}
        value={choices.outcomesOf}
        onChange={outcomesOf => void chooseAlerts({ ...choices, outcomesOf })}
      />
      <SelectBox
        label={t('alert-choice.expiring')}
        options={expiringChoices.map(count => ({
          id: String(count),
          name: t('alert-choice.expiring.minutes', { count }),
        }))}
        value={String(choices.expiringMinutes)}
        onChange={chosen => {
          const expiringMinutes = expiringChoices.find(minutes => String(minutes) === chosen);
          if (expiringMinutes !== undefined) void chooseAlerts({ ...choices, expiringMinutes });
        }}
      />
    </div>
  );
};

/** The hours without desktop notifications. `hours`: those that apply. */
const Quiet = ({ choices, hours }: { choices: AlertChoices; hours: QuietHours }) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const isManaged = useManagedSetting('notifications.quietHours');
  const clock = dateFormat(locale, { ...clockParts, timeZone: 'UTC' });
  const choose = (quietHours: QuietHours): void => void chooseAlerts({ ...choices, quietHours });
  const options = (stored: string) =>
    [...new Set([...halfHours, stored])]
      .toSorted()
      .map(time => ({ id: time, name: clock.format(new Date(`1970-01-01T${time}:00Z`)) }));
  return (
    <>
      <Toggle
        isEnabled={hours !== null}
        isDisabled={isManaged}
        onChange={isEnabled => choose(isEnabled ? night : null)}
        hint={t('alert-choice.quiet.text')}
        mark={<ManagedSetting path="notifications.quietHours" />}
      >
        {t('alert-choice.quiet')}
      </Toggle>
      {hours === null ? null : (
        <div className="pair">
          {(['from', 'until'] as const).map(name => (
            <SelectBox
              key={name}
              label={t(`background.quiet.${name}`)}
              isDisabled={isManaged}
              options={options(hours[name])}
              value={hours[name]}
              onChange={time => choose({ ...hours, [name]: time })}
            />
          ))}
        </div>
      )}
    </>
  );
};

/** Alerts: the choices of the signed-in person, and what applies to everyone at this computer. */
const AlertSettings = () => {
  const t = useText();
  const appState = useAppState(state => state.appState);
  const change = useAppState(state => state.change);
  const { problem } = useChoiceProblem();
  const isManaged = useManagedSetting('notifications.quietHours');
  if (!appState) return null;
  const { settings, alertChoices: choices } = appState;
  const { notifications } = settings;
  const own = choices.quietHours;
  return (
    <section className="panel stack" aria-label={t('alert.name')}>
      <h2>{t('alert.name')}</h2>
      <p className="small quiet">{t('alert-choice.text')}</p>
      <PageError error={problem} />
      <Places choices={choices} />
      {notifications.enabled ? (
        <Quiet choices={choices} hours={own === 'computer' || isManaged ? notifications.quietHours : own} />
      ) : null}
      <h3>{t('alert-choice.computer')}</h3>
      <ManagedToggle
        path="notifications.enabled"
        isEnabled={notifications.enabled}
        onChange={enabled => void change({ notifications: { ...notifications, enabled } })}
        hint={t('background.notifications.text')}
      >
        {t('background.notifications')}
      </ManagedToggle>
      {notifications.enabled ? (
        <ManagedToggle
          path="notifications.showDetails"
          isEnabled={notifications.showDetails}
          onChange={showDetails => void change({ notifications: { ...notifications, showDetails } })}
          hint={t('alert-choice.details.text')}
        >
          {t('alert-choice.details')}
        </ManagedToggle>
      ) : null}
      <SettingSwitch name="outcomeSound" />
    </section>
  );
};

const textOf = (days: readonly number[]): string => days.join(', ');

/** The days after which paid payments are checked again. */
const RecheckSettings = () => {
  const t = useText();
  const days = useAppState(state => state.appState?.settings.recheckPaidDays ?? defaultRecheckDays);
  const change = useAppState(state => state.change);
  const others = useWhoElse({ right: 'settings' });
  const isManaged = useManagedSetting('recheckPaidDays');
  /** The text while it is typed; null: as stored. */
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? textOf(days);
  const read = readRecheckDays(text);
  const save = (): void => {
    if (read === null) return;
    setTyped(null);
    if (textOf(read) !== textOf(days)) void change({ recheckPaidDays: read });
  };
  return (
    <section className="panel stack">
      <ManagedToggle
        path="recheckPaidDays"
        isEnabled={days.length > 0}
        isDisabled={others !== null}
        onChange={isOn => {
          setTyped(null);
          void change({ recheckPaidDays: isOn ? [...defaultRecheckDays] : [] });
        }}
        hint={t('recheck-paid.text')}
      >
        {t('recheck-paid')}
      </ManagedToggle>
      {days.length === 0 ? null : (
        <div className="pair">
          <TextBox
            label={t('recheck-paid.days')}
            hint={t('recheck-paid.days.hint')}
            problem={read === null ? t('recheck-paid.days.problem') : null}
            value={text}
            isDisabled={others !== null || isManaged}
            onChange={setTyped}
            onBlur={save}
            onKeyDown={event => {
              if (event.key === 'Enter') save();
            }}
          />
        </div>
      )}
    </section>
  );
};

/** The console's integration in the operating system: the tray, and how it starts and closes. */
const BackgroundSettings = () => {
  const t = useText();
  const hasTray = useAppState(state => state.appState?.settings.tray ?? false);
  const canStartAtLogin = useAppState(state => state.appState?.canStartAtLogin ?? false);
  return (
    <section className="panel stack" aria-label={t('background.name')}>
      <h2>{t('background.name')}</h2>
      <ReadOnlyLine right="settings" of="part" />
      <SettingSwitch name="tray" />
      {hasTray ? <SettingSwitch name="stayOpen" /> : null}
      {canStartAtLogin ? <SettingSwitch name="startAtLogin" /> : null}
    </section>
  );
};

/** The automatic actions of the console, and what it shows outside its window. */
export const GeneralSettings = () => {
  const t = useText();
  return (
    <section className="stack" aria-label={t('settings.general')}>
      <AlertSettings />
      <BackgroundSettings />
      <ReadOnly right="settings" of="part">
        <div className="stack">
          <section className="panel toggle-line row gap-3 wrap at-start spread">
            <SettingSwitch name="lookUpAutomatically" />
          </section>
          <RecheckSettings />
        </div>
      </ReadOnly>
    </section>
  );
};
