import { Sheet } from '../../components/dialog.tsx';
import { shortcutList } from '../../shortcuts.ts';
import { useText } from '../../text.ts';

/** `?`: every key of the desk. */
export const ShortcutSheet = ({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) => {
  const t = useText();
  return (
    <Sheet title={t('shortcuts.name')} isOpen={isOpen} onClose={onClose}>
      <dl className="shortcut-list">
        {shortcutList.map(([keys, says]) => (
          <div key={keys}>
            <dt>{t(says)}</dt>
            <dd>
              {keys.split(' ').map(key => (
                <kbd key={key} className="keys">
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Sheet>
  );
};
