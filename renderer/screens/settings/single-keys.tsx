import { Toggle } from '../../components/controls/select.tsx';
import { useAppState, useSingleKeys } from '../../stores/app-state-store.ts';
import { useText } from '../../i18n/text.ts';

/** Single-key shortcuts can conflict with speech input and accidental key presses: the switch for them (WCAG 2.1.4). */
export const SingleKeys = () => {
  const t = useText();
  const singleKeys = useSingleKeys();
  const change = useAppState(state => state.change);
  return (
    <Toggle
      isEnabled={singleKeys}
      onChange={isEnabled => void change({ singleKeys: isEnabled })}
      hint={t('single-keys.text')}
    >
      {t('single-keys')}
    </Toggle>
  );
};
