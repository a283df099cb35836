import { Choice, Toggle } from '../../components/controls/select.tsx';
import { useDesk } from '../../stores/app-state.ts';
import { useLocaleChoice, useText } from '../../i18n/text.ts';

const halfHours = Array.from(
  { length: 48 },
  (_, index) => `${String(Math.floor(index / 2)).padStart(2, '0')}:${index % 2 === 0 ? '00' : '30'}`,
);
/** What quiet hours begin with. */
const night = { from: '20:00', until: '07:00' };

/** What the operating system shows of the desk: the tray, the badge, notifications and when they are silent. */
export const OutsideSettings = () => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const settings = useDesk(state => state.desk?.settings ?? null);
  const canStartAtLogin = useDesk(state => state.desk?.canStartAtLogin ?? false);
  const change = useDesk(state => state.change);
  if (!settings) return null;
  const { notifications } = settings;
  const { quiet } = notifications;
  const clock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });
  const options = (kept: string) =>
    [...new Set([...halfHours, kept])]
      .toSorted()
      .map(time => ({ id: time, name: clock.format(new Date(`1970-01-01T${time}:00Z`)) }));
  const hour = (name: 'from' | 'until') =>
    quiet === null ? null : (
      <Choice
        label={t(`outside.quiet.${name}`)}
        options={options(quiet[name])}
        value={quiet[name]}
        onChange={time =>
          void change({ notifications: { ...notifications, quiet: { ...quiet, [name]: time } } })
        }
      />
    );
  return (
    <section className="panel stack" aria-label={t('outside.name')}>
      <h2>{t('outside.name')}</h2>
      <Toggle isOn={settings.tray} onChange={tray => void change({ tray })} hint={t('outside.tray.text')}>
        {t('outside.tray')}
      </Toggle>
      {settings.tray ? (
        <Toggle
          isOn={settings.stayOpen}
          onChange={stayOpen => void change({ stayOpen })}
          hint={t('outside.stay-open.text')}
        >
          {t('outside.stay-open')}
        </Toggle>
      ) : null}
      {canStartAtLogin ? (
        <Toggle
          isOn={settings.startAtLogin}
          onChange={startAtLogin => void change({ startAtLogin })}
          hint={t('outside.start.text')}
        >
          {t('outside.start')}
        </Toggle>
      ) : null}
      <Toggle
        isOn={notifications.enabled}
        onChange={enabled => void change({ notifications: { ...notifications, enabled } })}
        hint={t('outside.notifications.text')}
      >
        {t('outside.notifications')}
      </Toggle>
      {notifications.enabled ? (
        <>
          <Toggle
            isOn={quiet !== null}
            onChange={isOn =>
              void change({ notifications: { ...notifications, quiet: isOn ? night : null } })
            }
            hint={t('outside.quiet.text')}
          >
            {t('outside.quiet')}
          </Toggle>
          {quiet === null ? null : (
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
