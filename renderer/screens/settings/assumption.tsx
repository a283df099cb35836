import { Button, Tooltip, TooltipTrigger } from 'react-aria-components';
import { useText } from '../../i18n/text.ts';

/**
 * Marks a setting the interface leaves open, with the section that is silent.
 * It stands inside other widgets and must not take their trigger's place: hence `slot={null}`.
 */
export const Assumption = ({ section }: { section: string }) => {
  const t = useText();
  return (
    <TooltipTrigger delay={200}>
      <Button slot={null} className="assumption">
        {t('assumption')} {section}
      </Button>
      <Tooltip className="tooltip" offset={6}>
        {t('assumption.text', { section })}
      </Tooltip>
    </TooltipTrigger>
  );
};
