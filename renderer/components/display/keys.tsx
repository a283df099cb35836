import { useText } from '../../i18n/text.ts';
import { keyName } from '../../shortcuts.ts';

/** A shortcut beside the name of its action, as on a keyboard of the window's language. `keys`: `Ctrl Enter`. */
export const Keys = ({ keys }: { keys: string }) => {
  const t = useText();
  return (
    <kbd className="keys" aria-hidden="true">
      {keys
        .split(' ')
        .map(key => keyName(key, t))
        .join(' ')}
    </kbd>
  );
};
