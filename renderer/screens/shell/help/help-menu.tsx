import { CircleQuestionMark, Footprints, Info, Keyboard } from 'lucide-react';
import { ActionMenu } from '../../../components/controls/action-menu.tsx';
import { openGuide } from '../../../queries/guide.ts';
import { go } from '../../../stores/route-store.ts';
import { useText } from '../../../i18n/text.ts';

/** Help: the shortcuts, the guided start, and information about the product. */
export const HelpMenu = ({ onShortcuts }: { onShortcuts: () => void }) => {
  const t = useText();
  return (
    <ActionMenu
      label={t('help.name')}
      icon={CircleQuestionMark}
      className="quiet"
      actions={[
        { id: 'shortcuts', name: t('shortcuts.name'), icon: Keyboard, act: onShortcuts },
        { id: 'guide', name: t('guide.name'), icon: Footprints, act: openGuide },
        {
          id: 'about',
          name: t('settings.about'),
          icon: Info,
          act: () => go({ screen: 'settings', section: 'about', id: null }),
        },
      ]}
    />
  );
};
