import { settingDescriptors, type SwitchSetting } from '../../../shared/settings/descriptors.ts';
import { useText } from '../../i18n/text.ts';
import { useAppState } from '../../stores/app-state-store.ts';
import { useWhoElse } from '../../use-rights.ts';
import { ManagedToggle } from './administration/managed-toggle.tsx';

/** The switch of a setting: its name, what it does, who may change it, and whether the policy fixes it. */
export const SettingSwitch = ({ name }: { name: SwitchSetting }) => {
  const t = useText();
  const isEnabled = useAppState(({ appState }) => appState?.settings[name] ?? false);
  const change = useAppState(state => state.change);
  const others = useWhoElse({ right: 'settings' });
  const { label, hint, right } = settingDescriptors[name];
  return (
    <ManagedToggle
      path={name}
      isEnabled={isEnabled}
      isDisabled={right === 'settings' && others !== null}
      onChange={isOn => void change({ [name]: isOn })}
      hint={t(hint)}
    >
      {t(label)}
    </ManagedToggle>
  );
};
