import type { MessageKey } from '../../../../shared/messages/message.ts';
import { Sheet } from '../../../components/controls/dialog.tsx';
import { isSingleKey, keyName } from '../../../shortcuts.ts';
import { useSingleKeys } from '../../../stores/app-state-store.ts';
import { SettingSwitch } from '../../settings/setting-switch.tsx';
import { useText } from '../../../i18n/text.ts';

type Place = 'window' | 'list' | 'payment' | 'review';

/** The shortcuts and their actions, as listed in the shortcut sheet, by where they act. A key of a screen comes before the same one of the window. */
const shortcuts: Readonly<Record<Place, readonly (readonly [keys: string, description: MessageKey])[]>> = {
  window: [
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
    ['F6', 'shortcut.regions'],
    ['Ctrl Shift L', 'shortcut.lock'],
    ['Ctrl Enter', 'shortcut.submit'],
    ['Esc', 'shortcut.back'],
    ['?', 'shortcuts.name'],
  ],
  list: [
    ['↑ ↓', 'shortcut.rows'],
    ['J', 'shortcut.next-row'],
    ['K', 'shortcut.previous-row'],
    ['Space', 'shortcut.select'],
    ['Ctrl A', 'shortcut.select-all'],
    ['Enter', 'shortcut.open'],
  ],
  payment: [
    ['C', 'link.copy'],
    ['Q', 'link.qr'],
    ['S', 'link.spell'],
    ['U', 'shortcut.look-up-now'],
    ['A', 'shortcut.new-link'],
  ],
  review: [
    ['E', 'shortcut.review.resolve'],
    ['I', 'shortcut.review.assign'],
    ['H', 'shortcut.review.snooze'],
    ['U', 'shortcut.look-up-now'],
    ['Z', 'shortcut.review.undo'],
    ['R', 'shortcut.review.refresh'],
  ],
};

const places: readonly (readonly [Place, MessageKey])[] = [
  ['window', 'shortcuts.window'],
  ['list', 'shortcuts.list'],
  ['payment', 'shortcuts.payment'],
  ['review', 'nav.reconciliation'],
];

export const shortcutList = places.flatMap(([place]) => shortcuts[place]);

/** `?`: all shortcuts. */
export const ShortcutSheet = ({ onClose }: { onClose: () => void }) => {
  const t = useText();
  const singleKeys = useSingleKeys();
  return (
    <Sheet title={t('shortcuts.name')} onClose={onClose}>
      <SettingSwitch name="singleKeys" />
      {places.map(([place, name]) => (
        <section key={place} className="below-3">
          <h3 className="small medium">{t(name)}</h3>
          <dl className="shortcut-list">
            {shortcuts[place].map(([keys, description]) => (
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
        </section>
      ))}
    </Sheet>
  );
};
