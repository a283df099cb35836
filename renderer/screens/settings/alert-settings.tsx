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
import { SelectBox, Toggle } from '../../components/controls/select.tsx';
import { ManagedSetting } from '../../forms/managed.tsx';
import { ErrorNote } from '../../components/display/error-note.tsx';
import { dateFormat } from '../../i18n/formatters.ts';
import { useLocaleChoice, useText } from '../../i18n/text.ts';
import { chooseAlerts, useChoiceProblem } from '../../queries/alerts.ts';
import { useAppState } from '../../stores/app-state-store.ts';
import { useManagedSetting } from '../../use-managed.ts';
import { useSelf } from '../../use-rights.ts';
import { ManagedToggle } from './administration/managed-toggle.tsx';
import { SettingSwitch } from './setting-switch.tsx';

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
    <div className="alert-choices">
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
export const AlertSettings = () => {
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
      {problem ? <ErrorNote error={problem} /> : null}
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
