import { Button, Tooltip, TooltipTrigger } from 'react-aria-components';
import { useText } from '../../i18n/text.ts';
import { useAppState } from '../../stores/app-state-store.ts';

/** How far the list of payments is while it is made; nothing once it is whole. */
export const ListMark = () => {
  const t = useText();
  const list = useAppState(state => state.appState?.log.list ?? null);
  if (list === null || list.progress.done >= list.progress.total) return null;
  return (
    <TooltipTrigger delay={400}>
      <Button className="health off">
        <span className="health-dot" aria-hidden="true" />
        <output>{t('list.making', list.progress)}</output>
      </Button>
      <Tooltip className="tooltip" offset={6}>
        {list.remade ? t('list.remade', { at: list.remade.at }) : t('list.making.title')}
      </Tooltip>
    </TooltipTrigger>
  );
};
