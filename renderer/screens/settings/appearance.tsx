import { Label, Radio, RadioGroup } from 'react-aria-components';
import { languages } from '../../../shared/messages/language.ts';
import { useAppState } from '../../stores/app-state-store.ts';
import { useText } from '../../i18n/text.ts';
import { useManagedSetting } from '../../use-managed.ts';
import { ManagedSetting } from '../../forms/managed.tsx';
import { SettingSwitch } from './setting-switch.tsx';
import { SelectBox } from '../../components/controls/select.tsx';

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
      <RadioGroup
        className="field"
        value={settings.theme}
        onChange={theme => void change({ theme: themes.find(one => one === theme) ?? 'system' })}
      >
        <Label>{t('theme')}</Label>
        <div className="row gap-3 wrap">
          {themes.map(theme => (
            <Radio key={theme} value={theme} className="theme-option stack gap-2 rounded small">
              <span className={`theme-sample ${theme}`} aria-hidden="true" />
              {t(`theme.${theme}`)}
            </Radio>
          ))}
        </div>
      </RadioGroup>
      <RadioGroup
        className="field"
        value={settings.density}
        onChange={density => void change({ density: densities.find(one => one === density) ?? 'regular' })}
      >
        <Label>{t('density')}</Label>
        <div className="segments">
          {densities.map(density => (
            <Radio key={density} value={density} className="segment">
              {t(`density.${density}`)}
            </Radio>
          ))}
        </div>
      </RadioGroup>
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
