import { Sheet } from '../../../components/controls/dialog.tsx';
import { isSingleKey, keyName } from '../../../shortcuts.ts';
import { useSingleKeys } from '../../../stores/app-state-store.ts';
import { SettingSwitch } from '../../settings/setting-switch.tsx';
import { useText } from '../../../i18n/text.ts';

/** The shortcuts and their actions, as listed in the shortcut sheet. */
export const shortcutList = [
  ['N', 'shortcut.new'],
  ['Ctrl N', 'shortcut.new-form'],
  ['D', 'shortcut.next-form'],
  ['Ctrl 1…9', 'shortcut.form'],
  ['/', 'shortcut.search'],
  ['F', 'shortcut.filter'],
  ['Ctrl K', 'shortcut.search-all'],
  ['P', 'shortcut.payments'],
  ['L', 'shortcut.look-up'],
  ['C', 'shortcut.callbacks'],
  ['O', 'shortcut.overview'],
  ['R', 'shortcut.reconciliation'],
  ['U', 'shortcut.look-up-now'],
  ['A', 'shortcut.new-link'],
  ['↑ ↓', 'shortcut.rows'],
  ['J', 'shortcut.next-row'],
  ['K', 'shortcut.previous-row'],
  ['Space', 'shortcut.select'],
  ['Ctrl A', 'shortcut.select-all'],
  ['F6', 'shortcut.regions'],
  ['Enter', 'shortcut.open'],
  ['E', 'shortcut.review.resolve'],
  ['I', 'shortcut.review.assign'],
  ['H', 'shortcut.review.snooze'],
  ['Z', 'shortcut.review.undo'],
  ['Ctrl Shift L', 'shortcut.lock'],
  ['Ctrl Enter', 'shortcut.submit'],
  ['Esc', 'shortcut.back'],
  ['?', 'shortcuts.name'],
] as const;

/** `?`: all shortcuts. */
export const ShortcutSheet = ({ onClose }: { onClose: () => void }) => {
  const t = useText();
  const singleKeys = useSingleKeys();
  return (
    <Sheet title={t('shortcuts.name')} onClose={onClose}>
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
