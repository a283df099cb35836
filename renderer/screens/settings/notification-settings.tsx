import { SelectBox, Toggle } from '../../components/controls/select.tsx';
import { ReadOnlyLine } from '../../components/display/read-only.tsx';
import { useAppState } from '../../stores/app-state-store.ts';
import { clockParts } from '../../i18n/formatters.ts';
import { useLocaleChoice, useText } from '../../i18n/text.ts';
import { useManagedSetting } from '../../managed-settings.ts';
import { useWhoElse } from '../../rights.ts';
import { ManagedToggle } from './administration/managed-toggle.tsx';

const halfHours = Array.from(
  { length: 48 },
  (_, index) => `${String(Math.floor(index / 2)).padStart(2, '0')}:${index % 2 === 0 ? '00' : '30'}`,
);
/** The initial quiet hours. */
const night = { from: '20:00', until: '07:00' };

/** The console's integration in the operating system: the tray, the badge, notifications and quiet hours. */
export const NotificationSettings = () => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const settings = useAppState(state => state.appState?.settings ?? null);
  const canStartAtLogin = useAppState(state => state.appState?.canStartAtLogin ?? false);
  const change = useAppState(state => state.change);
  const others = useWhoElse('settings');
  const areHoursManaged = useManagedSetting('notifications.quietHours');
  if (!settings) return null;
  const { notifications } = settings;
  const { quietHours } = notifications;
  const clock = new Intl.DateTimeFormat(locale, { ...clockParts(locale), timeZone: 'UTC' });
  const options = (stored: string) =>
    [...new Set([...halfHours, stored])]
      .toSorted()
      .map(time => ({ id: time, name: clock.format(new Date(`1970-01-01T${time}:00Z`)) }));
  const hour = (name: 'from' | 'until') =>
    quietHours === null ? null : (
      <SelectBox
        label={t(`background.quiet.${name}`)}
        isDisabled={areHoursManaged}
        options={options(quietHours[name])}
        value={quietHours[name]}
        onChange={time =>
          void change({ notifications: { ...notifications, quietHours: { ...quietHours, [name]: time } } })
        }
      />
    );
  return (
    <section className="panel stack" aria-label={t('background.name')}>
      <h2>{t('background.name')}</h2>
      <ReadOnlyLine right="settings" of="part" />
      <ManagedToggle
        path="tray"
        isEnabled={settings.tray}
        isDisabled={others !== null}
        onChange={tray => void change({ tray })}
        hint={t('background.tray.text')}
      >
        {t('background.tray')}
      </ManagedToggle>
      {settings.tray ? (
        <ManagedToggle
          path="stayOpen"
          isEnabled={settings.stayOpen}
          isDisabled={others !== null}
          onChange={stayOpen => void change({ stayOpen })}
          hint={t('background.stay-open.text')}
        >
          {t('background.stay-open')}
        </ManagedToggle>
      ) : null}
      {canStartAtLogin ? (
        <ManagedToggle
          path="startAtLogin"
          isEnabled={settings.startAtLogin}
          isDisabled={others !== null}
          onChange={startAtLogin => void change({ startAtLogin })}
          hint={t('background.start.text')}
        >
          {t('background.start')}
        </ManagedToggle>
      ) : null}
      <Toggle
        isEnabled={settings.outcomeSound}
        onChange={outcomeSound => void change({ outcomeSound })}
        hint={t('background.sound.text')}
      >
        {t('background.sound')}
      </Toggle>
      <ManagedToggle
        path="notifications.enabled"
        isEnabled={notifications.enabled}
        onChange={enabled => void change({ notifications: { ...notifications, enabled } })}
        hint={t('background.notifications.text')}
      >
        {t('background.notifications')}
      </ManagedToggle>
      {notifications.enabled ? (
        <>
          <ManagedToggle
            path="notifications.quietHours"
            isEnabled={quietHours !== null}
            onChange={isEnabled =>
              void change({ notifications: { ...notifications, quietHours: isEnabled ? night : null } })
            }
            hint={t('background.quiet.text')}
          >
            {t('background.quiet')}
          </ManagedToggle>
          {quietHours === null ? null : (
            <div className="pair">
              {hour('from')}
              {hour('until')}
            </div>
          )}
        </>
      ) : null}
    </section>
  );
};
