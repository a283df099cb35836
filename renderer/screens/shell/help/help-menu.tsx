import { CircleQuestionMark, Footprints, Info, Keyboard } from 'lucide-react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { openGuide } from '../../../queries/guide.ts';
import { go } from '../../../stores/route-store.ts';
import { useText } from '../../../i18n/text.ts';

/** Help: the shortcuts, the guided start, and information about the product. */
export const HelpMenu = ({ onShortcuts }: { onShortcuts: () => void }) => {
  const t = useText();
  return (
    <MenuTrigger>
      <Button className="button quiet icon-only" aria-label={t('help.name')}>
        <CircleQuestionMark size={16} aria-hidden="true" />
      </Button>
      <Popover className="popover" placement="bottom end">
        <Menu className="menu" aria-label={t('help.name')}>
          <MenuItem id="shortcuts" className="menu-item" onAction={onShortcuts}>
            <Keyboard size={16} aria-hidden="true" />
            {t('shortcuts.name')}
          </MenuItem>
          <MenuItem id="guide" className="menu-item" onAction={openGuide}>
            <Footprints size={16} aria-hidden="true" />
            {t('guide.name')}
          </MenuItem>
          <MenuItem
            id="about"
            className="menu-item"
            onAction={() => go({ screen: 'settings', section: 'about', id: null })}
          >
            <Info size={16} aria-hidden="true" />
            {t('settings.about')}
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
};
