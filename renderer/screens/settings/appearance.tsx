import { languages } from '../../../shared/messages/message.ts';
import { useAppState } from '../../stores/app-state-store.ts';
import { useText } from '../../i18n/text.ts';
import { useManagedSetting } from '../../use-managed.ts';
import { ManagedSetting } from '../../forms/managed.tsx';
import { SettingSwitch } from './setting-switch.tsx';
import { RadioChoice, SelectBox } from '../../components/controls/fields.tsx';

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
