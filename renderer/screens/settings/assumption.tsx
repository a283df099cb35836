import { Button, Tooltip, TooltipTrigger } from 'react-aria-components';
import { useText } from '../../text.ts';

/** Marks a setting the interface leaves open, with the section that is silent. */
export const Assumption = ({ section }: { section: string }) => {
  const t = useText();
  return (
    <TooltipTrigger delay={200}>
      <Button className="assumption">
        {t('assumption')} {section}
      </Button>
      <Tooltip className="tooltip" offset={6}>
        {t('assumption.text', { section })}
      </Tooltip>
    </TooltipTrigger>
  );
};
