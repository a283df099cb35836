import { ListChecks, ScanSearch, X } from 'lucide-react';
import { Toolbar } from 'react-aria-components';
import { roundLimit } from '../../../shared/payments/bulk-look-up.ts';
import { Button } from '../../components/controls/button.tsx';
import { ErrorNote } from '../../components/display/error-note.tsx';
import { useRound } from '../../stores/payments/bulk-look-up.ts';
import { useSelection } from '../../stores/payments/selection.ts';
import { useText } from '../../i18n/text.ts';
import { ExportMenu } from './export-menu.tsx';

/** What can be done with the payments that were chosen. */
export const SelectionBar = ({ onChooseAll }: { onChooseAll: () => void }) => {
  const t = useText();
  const { chosen, cut, gathering, clear } = useSelection();
  const { round, problem, start } = useRound();
  const underWay = round !== null && round.phase !== 'over';
  const lookUp = async (): Promise<void> => {
    if (await start([...chosen.values()])) clear();
  };
  return (
    <>
      <output className={chosen.size > 0 || gathering ? 'selection-said' : 'out-of-sight'}>
        {gathering ? t('choose.gathering') : chosen.size > 0 ? t('choose.count', { count: chosen.size }) : ''}
        {cut ? ` ${t('choose.cut', { limit: roundLimit })}` : ''}
      </output>
      {chosen.size > 0 ? (
        <Toolbar className="line wrap" aria-label={t('choose.name')}>
          <Button
            look="primary"
            icon={<ScanSearch size={16} />}
            isDisabled={underWay}
            onPress={() => void lookUp()}
          >
            {t('choose.look-up')}
          </Button>
          <ExportMenu name={t('choose.export')} filter={null} payments={[...chosen.values()]} />
          <Button icon={<ListChecks size={16} />} isPending={gathering} onPress={onChooseAll}>
            {t('choose.all', { limit: roundLimit })}
          </Button>
          <Button look="quiet" icon={<X size={16} />} onPress={clear}>
            {t('choose.none')}
          </Button>
          <span className="small quiet">{t(underWay ? 'choose.wait' : 'choose.kept')}</span>
        </Toolbar>
      ) : null}
      {problem ? <ErrorNote error={problem} /> : null}
    </>
  );
};
