import { Sheet } from '../../../components/controls/dialog.tsx';
import { isSingleKey, keyName } from '../../../shortcuts.ts';
import { shortcutList } from './shortcut-list.ts';
import { useSingleKeys } from '../../../stores/app-state-store.ts';
import { SettingSwitch } from '../../settings/setting-switch.tsx';
import { useText } from '../../../i18n/text.ts';

/** `?`: all shortcuts. */
export const ShortcutSheet = ({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) => {
  const t = useText();
  const singleKeys = useSingleKeys();
  return (
    <Sheet title={t('shortcuts.name')} isOpen={isOpen} onClose={onClose}>
      <SettingSwitch name="singleKeys" />
      <dl className="shortcut-list below-3">
        {shortcutList.map(([keys, description]) => (
          <div key={keys}>
            <dt>
              {t(description)}
              {isSingleKey(keys) && !singleKeys ? (
                <span className="quiet"> {t('single-keys.off')}</span>
              ) : null}
            </dt>
            <dd>
              {keys.split(' ').map(key => (
                <kbd key={key} className="keys">
                  {keyName(key, t)}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Sheet>
  );
};
