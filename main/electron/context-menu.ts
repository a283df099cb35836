import { Menu, type ContextMenuParams, type MenuItemConstructorOptions, type WebContents } from 'electron';
import { msg } from '../../shared/messages/message.ts';
import type { FormatMessage } from '../../shared/messages/format-message.ts';
import type { LoadTexts } from './message-box-texts.ts';

/** The menu of a right click: Electron brings none. */

/** Limit of a selected text that is offered as search words, characters; and of its part in the menu. */
const maxWords = 100;
const maxShown = 24;

type Clicked = Pick<
  ContextMenuParams,
  | 'isEditable'
  | 'selectionText'
  | 'editFlags'
  | 'misspelledWord'
  | 'dictionarySuggestions'
  | 'formControlType'
>;

/**
 * The menu of a right click: corrections of a misspelt word, cut, copy and paste where they do something, and a search
 * for the selected text. Empty where nothing can be done. A password is never copied or searched for.
 */
export const contextMenuTemplate = (
  clicked: Clicked,
  format: FormatMessage,
  actions: { replaceMisspelling: (word: string) => void; search: (words: string) => void },
): MenuItemConstructorOptions[] => {
  const { isEditable, editFlags } = clicked;
  const isPassword = clicked.formControlType === 'input-password';
  const words = isPassword ? '' : clicked.selectionText.replaceAll(/\s+/g, ' ').trim();
  const item = (
    role: 'cut' | 'copy' | 'paste' | 'selectAll',
    enabled: boolean,
  ): MenuItemConstructorOptions => ({
    role,
    label: format(msg(`menu.${role}`)),
    enabled,
  });
  const separator: MenuItemConstructorOptions = { type: 'separator' };
  const corrections = clicked.misspelledWord === '' ? [] : clicked.dictionarySuggestions;
  const shown = words.length > maxShown ? `${words.slice(0, maxShown - 1)}…` : words;
  const groups: MenuItemConstructorOptions[][] = [
    corrections.map(word => ({ label: word, click: () => actions.replaceMisspelling(word) })),
    isEditable
      ? [
          item('cut', editFlags.canCut && !isPassword),
          item('copy', editFlags.canCopy && !isPassword),
          item('paste', editFlags.canPaste),
          item('selectAll', editFlags.canSelectAll),
        ]
      : words === ''
        ? []
        : [item('copy', editFlags.canCopy)],
    words === '' || words.length > maxWords
      ? []
      : [{ label: format(msg('menu.search-for', { words: shown })), click: () => actions.search(words) }],
  ];
  return groups
    .filter(group => group.length > 0)
    .flatMap((group, at) => (at === 0 ? group : [separator, ...group]));
};

/** Shows that menu on a right click. `search`: opens the list of payments with these words. */
export const connectContextMenu = (
  contents: WebContents,
  loadTexts: LoadTexts,
  search: (words: string) => void,
): void => {
  contents.on('context-menu', (_event, clicked) => {
    void loadTexts().then(format => {
      if (contents.isDestroyed()) return;
      const template = contextMenuTemplate(clicked, format, {
        replaceMisspelling: word => contents.replaceMisspelling(word),
        search,
      });
      if (template.length > 0) Menu.buildFromTemplate(template).popup();
    });
  });
};
