import { Button, Tooltip, TooltipTrigger } from 'react-aria-components';
import { useText } from '../../../i18n/text.ts';

/**
 * Marks a setting that the interface leaves open, with the section. It is inside other widgets and must not replace
 * their trigger: hence `slot={null}`.
 */
export const Assumption = ({ section }: { section: string }) => {
  const t = useText();
  return (
    <TooltipTrigger delay={200}>
      <Button slot={null} className="assumption rounded-s ink-warn bold nowrap">
        {t('assumption')} {section}
      </Button>
      <Tooltip className="tooltip" offset={6}>
        {t('assumption.text', { section })}
      </Tooltip>
    </TooltipTrigger>
  );
};
