import { ReadOnly } from '../../forms/read-only.tsx';
import { useText } from '../../i18n/text.ts';
import { AlertSettings } from './alert-settings.tsx';
import { BackgroundSettings } from './background-settings.tsx';
import { RecheckSettings } from './recheck-settings.tsx';
import { SettingSwitch } from './setting-switch.tsx';

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
