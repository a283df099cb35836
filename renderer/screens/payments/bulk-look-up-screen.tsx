import { useEffect } from 'react';
import { ScanSearch } from 'lucide-react';
import type { LookUpOutcome } from '../../../shared/look-ups/bulk-look-up.ts';
import { Empty, Note } from '../../components/display/notes.tsx';
import { Screen } from '../../components/display/screen.tsx';
import { lookedUpQuery, useBulkLookUp } from '../../queries/bulk-look-up.ts';
import { useSelection } from '../../stores/payments/selection-store.ts';
import { useText } from '../../i18n/text.ts';
import { PaymentGrid } from './payment-grid.tsx';
import { SelectionBar } from './selection-bar.tsx';

/** The payments of the last bulk look-up with one outcome; failed ones can be looked up again. */
export const BulkLookUpScreen = ({ outcome }: { outcome: LookUpOutcome }) => {
  const t = useText();
  const job = useBulkLookUp();
  const { value: shown } = lookedUpQuery.use({ outcome });
  useEffect(() => useSelection.getState().setList(`job ${outcome}`), [outcome]);
  const rows = shown?.rows ?? [];
  const chooseAll = (): void => useSelection.getState().choose(rows);
  const title = t(`bulk-look-up.list.${outcome}`);
  return (
    <Screen
      className="payments"
      title={title}
      label={title}
      lead={t('bulk-look-up.list.lead')}
      actions={<output className="quiet small">{t('list.count', { count: rows.length })}</output>}
    >
      {(outcome === 'failed' ? (job?.failures ?? []) : []).map(({ code, count }) => (
        <Note key={code} tone="warning">
          {t('bulk-look-up.failures', { count, error: t(`error.${code}`) })} {t(`hint.${code}`)}
        </Note>
      ))}
      <div className="list-frame">
        {rows.length > 0 ? (
          <PaymentGrid list="bulk-look-up" rows={rows} onChooseAll={chooseAll} />
        ) : shown !== null || job === null ? (
          <Empty icon={<ScanSearch size={28} />} title={t('bulk-look-up.empty')}>
            {t('bulk-look-up.empty.text')}
          </Empty>
        ) : null}
      </div>
      {/* Below the list, so that selecting a row does not move the others. */}
      <SelectionBar onChooseAll={chooseAll} />
    </Screen>
  );
};
