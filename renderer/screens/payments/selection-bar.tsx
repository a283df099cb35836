import { ListChecks, ScanSearch, X } from 'lucide-react';
import { Toolbar } from 'react-aria-components';
import { maxPerJob } from '../../../shared/payments/bulk-look-up.ts';
import { Button } from '../../components/controls/button.tsx';
import { ErrorNote } from '../../components/display/error-note.tsx';
import { useBulkLookUp } from '../../stores/payments/bulk-look-up.ts';
import { useSelection } from '../../stores/payments/selection.ts';
import { useText } from '../../i18n/text.ts';
import { ExportMenu } from './export-menu.tsx';

/** The actions for the selected payments. */
export const SelectionBar = ({ onChooseAll }: { onChooseAll: () => void }) => {
  const t = useText();
  const { chosen, isTruncated, isCollecting, clear } = useSelection();
  const { job, problem, start } = useBulkLookUp();
  const inFlight = job !== null && job.phase !== 'over';
  const lookUp = async (): Promise<void> => {
    if (await start([...chosen.values()])) clear();
  };
  return (
    <>
      <output className={chosen.size > 0 || isCollecting ? 'selection-said' : 'out-of-sight'}>
        {isCollecting
          ? t('choose.gathering')
          : chosen.size > 0
            ? t('choose.count', { count: chosen.size })
            : ''}
        {isTruncated ? ` ${t('choose.cut', { limit: maxPerJob })}` : ''}
      </output>
      {chosen.size > 0 ? (
        <Toolbar className="line wrap" aria-label={t('choose.name')}>
          <Button
            variant="primary"
            icon={<ScanSearch size={16} />}
            isDisabled={inFlight}
            onPress={() => void lookUp()}
          >
            {t('choose.look-up')}
          </Button>
          <ExportMenu name={t('choose.export')} filter={null} payments={[...chosen.values()]} />
          <Button icon={<ListChecks size={16} />} isPending={isCollecting} onPress={onChooseAll}>
            {t('choose.all', { limit: maxPerJob })}
          </Button>
          <Button variant="quiet" icon={<X size={16} />} onPress={clear}>
            {t('choose.none')}
          </Button>
          <span className="small quiet">{t(inFlight ? 'choose.wait' : 'choose.kept')}</span>
        </Toolbar>
      ) : null}
      {problem ? <ErrorNote error={problem} /> : null}
    </>
  );
};
