import { ListChecks, ScanSearch, X } from 'lucide-react';
import { Toolbar } from 'react-aria-components';
import { maxPerJob } from '../../../shared/look-ups/bulk-look-up.ts';
import { Button } from '../../components/controls/button.tsx';
import { ErrorNote } from '../../components/display/notes.tsx';
import { startLookUps, useBulkLookUp, useStartProblem } from '../../queries/bulk-look-up.ts';
import { useSelection } from '../../stores/payments/selection-store.ts';
import { useText } from '../../i18n/text.ts';
import { ExportButton } from '../export/export-button.tsx';

/** The actions for the selected payments. */
export const SelectionBar = ({ onChooseAll }: { onChooseAll: () => void }) => {
  const t = useText();
  const { chosen, isTruncated, isCollecting, clear } = useSelection();
  const job = useBulkLookUp();
  const { problem } = useStartProblem();
  const inFlight = job !== null && job.phase !== 'over';
  const lookUp = async (): Promise<void> => {
    if (await startLookUps([...chosen.values()])) clear();
  };
  return (
    <div className={chosen.size > 0 || isCollecting ? 'selection-bar line wrap rounded-l' : ''}>
      <output className={chosen.size > 0 || isCollecting ? 'selection-count small medium' : 'out-of-sight'}>
        {isCollecting
          ? t('selection.selecting')
          : chosen.size > 0
            ? t('selection.count', { count: chosen.size })
            : ''}
        {isTruncated ? ` ${t('selection.limited', { limit: maxPerJob })}` : ''}
      </output>
      {chosen.size > 0 ? (
        <Toolbar className="line wrap" aria-label={t('selection.name')}>
          <Button
            request="lookUps.start"
            variant="primary"
            icon={ScanSearch}
            isDisabled={inFlight}
            onPress={() => void lookUp()}
          >
            {t('selection.look-up')}
          </Button>
          <ExportButton subject={{ kind: 'selected', payments: [...chosen.values()] }}>
            {t('selection.export')}
          </ExportButton>
          <Button icon={ListChecks} isPending={isCollecting} onPress={onChooseAll}>
            {t('selection.all')}
          </Button>
          <Button variant="quiet" icon={<X size={16} />} onPress={clear}>
            {t('selection.none')}
          </Button>
          {inFlight ? <span className="small quiet">{t('selection.look-up.wait')}</span> : null}
        </Toolbar>
      ) : null}
      {problem ? <ErrorNote error={problem} /> : null}
    </div>
  );
};
