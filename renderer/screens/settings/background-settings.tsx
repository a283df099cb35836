import { ReadOnlyLine } from '../../forms/read-only.tsx';
import { useAppState } from '../../stores/app-state-store.ts';
import { useText } from '../../i18n/text.ts';
import { SettingSwitch } from './setting-switch.tsx';

/** The console's integration in the operating system: the tray, and how it starts and closes. */
export const BackgroundSettings = () => {
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
