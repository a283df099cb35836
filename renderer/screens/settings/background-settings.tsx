import { ReadOnlyLine } from '../../components/display/read-only.tsx';
import { useAppState } from '../../stores/app-state-store.ts';
import { useText } from '../../i18n/text.ts';
import { useWhoElse } from '../../use-rights.ts';
import { ManagedToggle } from './administration/managed-toggle.tsx';

/** The console's integration in the operating system: the tray, and how it starts and closes. */
export const BackgroundSettings = () => {
  const t = useText();
  const settings = useAppState(state => state.appState?.settings ?? null);
  const canStartAtLogin = useAppState(state => state.appState?.canStartAtLogin ?? false);
  const change = useAppState(state => state.change);
  const others = useWhoElse({ right: 'settings' });
  if (!settings) return null;
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
    </section>
  );
};
