import { ReadOnly } from '../../components/display/read-only.tsx';
import { useAppState } from '../../stores/app-state-store.ts';
import { useText } from '../../i18n/text.ts';
import { ManagedToggle } from './administration/managed-toggle.tsx';
import { AlertSettings } from './alert-settings.tsx';
import { BackgroundSettings } from './background-settings.tsx';
import { RecheckSettings } from './recheck-settings.tsx';

/** The automatic actions of the console, and what it shows outside its window. */
export const GeneralSettings = () => {
  const t = useText();
  const settings = useAppState(state => state.appState?.settings ?? null);
  const change = useAppState(state => state.change);
  if (!settings) return null;
  return (
    <section className="stack" aria-label={t('settings.general')}>
      <ReadOnly right="settings" of="part">
        <div className="stack">
          <section className="panel toggle-line row gap-3 wrap at-start spread">
            <ManagedToggle
              path="lookUpAutomatically"
              isEnabled={settings.lookUpAutomatically}
              onChange={lookUpAutomatically => void change({ lookUpAutomatically })}
              hint={t('automatic-look-ups.text')}
            >
              {t('automatic-look-ups')}
            </ManagedToggle>
          </section>
          <RecheckSettings />
        </div>
      </ReadOnly>
      <AlertSettings />
      <BackgroundSettings />
    </section>
  );
};
