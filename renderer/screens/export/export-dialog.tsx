import '../../styles/screens/export.css';
import { Download } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Label, Radio, RadioGroup } from 'react-aria-components';
import {
  exportFormats,
  exportRows,
  orientations,
  figureFormats,
  type ExportFormat,
  type ExportRows,
  type Orientation,
} from '../../../shared/reports/export.ts';
import {
  customPeriod,
  namedPeriods,
  readPeriod,
  spanOf,
  type NamedPeriod,
  type Period,
} from '../../../shared/reports/periods.ts';
import { timeZoneOf } from '../../../shared/settings/merchant.ts';
import { dayAt, startOf } from '../../../shared/days.ts';
import { Button } from '../../components/controls/button.tsx';
import { Sheet } from '../../components/controls/dialog.tsx';
import { SelectBox } from '../../components/controls/select.tsx';
import { Form, FormFoot } from '../../forms/form.tsx';
import { useText } from '../../i18n/text.ts';
import { useActiveProfile, useAppState } from '../../stores/app-state-store.ts';
import { useClock } from '../../stores/clock-store.ts';
import { useExport } from '../../stores/reports/export-store.ts';
import { useExportDialog, type ExportSubject } from '../../stores/reports/export-dialog-store.ts';
import { DateRange } from '../../components/controls/date-range.tsx';
import { OthersNote } from '../team/others-note.tsx';
import { periodName } from './period-name.ts';

type What = ExportSubject['kind'];

const formatsOf = (what: What): readonly ExportFormat[] =>
  what === 'figures' || what === 'review'
    ? figureFormats
    : exportFormats.filter(format => format !== 'pdf' || what === 'period');

/** For programs: folded until one is sought. */
const furtherFormats: readonly ExportFormat[] = ['csv-iso', 'jsonl'];

const Choice = ({ id, name, children }: { id: string; name: string; children?: ReactNode }) => (
  <Radio value={id} className="export-choice hovers tracks gap-0-2 at-baseline rounded">
    <span className="export-choice-name">{name}</span>
    {children ? <span className="small quiet">{children}</span> : null}
  </Radio>
);

const ExportForm = ({ subject, onDone }: { subject: ExportSubject; onDone: () => void }) => {
  const t = useText();
  const profile = useActiveProfile();
  const day = useClock(({ wallClock }) => startOf(dayAt(wallClock)));
  const stored = useAppState(({ appState }) => appState?.settings.export ?? null);
  const change = useAppState(state => state.change);
  const [what, setWhat] = useState<What>(subject.kind);
  const given = subject.kind === 'period' ? subject.chosen : undefined;
  const [format, setFormat] = useState<ExportFormat>(given?.format ?? stored?.format ?? 'xlsx');
  const [rows, setRows] = useState<ExportRows>('payments');
  const [orientation, setOrientation] = useState<Orientation>(stored?.orientation ?? 'portrait');
  const [period, setPeriod] = useState<Period>(
    subject.kind === 'figures'
      ? subject.period
      : (given?.period ?? readPeriod(stored?.period ?? '') ?? 'month'),
  );
  const formats = formatsOf(what);
  const chosen = formats.find(one => one === format) ?? 'xlsx';
  const [hasFurther] = useState(() => furtherFormats.includes(chosen));
  const choiceOf = (one: ExportFormat): ReactNode => (
    <Choice key={one} id={one} name={t(`export.format.${one}`)}>
      {t(`export.format.${one}.text`)}
    </Choice>
  );
  // A workbook has a sheet of each.
  const hasRows = (chosen === 'csv' || chosen === 'csv-iso') && what !== 'figures' && what !== 'review';
  const hasPeriod = what === 'period' || what === 'figures';
  const named: NamedPeriod | null = namedPeriods.find(one => one === period) ?? null;
  const profileId = profile?.id ?? null;

  const submit = (): void => {
    void change({
      export: { format: chosen, period: hasPeriod ? period : (stored?.period ?? 'month'), orientation },
    });
    const span = spanOf(period, day);
    const { start, startFigures, startReview } = useExport.getState();
    const figureFormat = figureFormats.find(one => one === chosen);
    const file = { format: chosen, rows: hasRows ? rows : 'payments' } as const;
    if (what === 'period') void start({ filter: { profileId }, period: span, orientation, ...file });
    else if (what === 'figures' && figureFormat)
      void startFigures({ profileId, ...span, format: figureFormat });
    else if (subject.kind === 'review' && figureFormat)
      void startReview({ ...subject.of, format: figureFormat });
    else if (subject.kind === 'list') void start({ filter: subject.filter, ...file });
    else if (subject.kind === 'selected')
      void start({ filter: {}, payments: [...subject.payments], ...file });
    onDone();
  };

  return (
    <Form className="tracks gap-4" onSubmit={submit}>
      {subject.kind === 'period' ? (
        <p className="quiet">{t('export.what.period.text')}</p>
      ) : (
        <RadioGroup
          className="export-choices tracks gap-1"
          value={what}
          onChange={id => setWhat(id === subject.kind ? subject.kind : 'period')}
        >
          <Label>{t('export.what')}</Label>
          {subject.kind === 'selected' ? (
            <Choice id="selected" name={t('export.what.selected', { count: subject.payments.length })} />
          ) : (
            <Choice id={subject.kind} name={t(`export.what.${subject.kind}`)}>
              {t(`export.what.${subject.kind}.text`)}
            </Choice>
          )}
          <Choice id="period" name={t('export.what.period')}>
            {t('export.what.period.text')}
          </Choice>
        </RadioGroup>
      )}
      {hasPeriod ? (
        <div className="tracks gap-3">
          <SelectBox
            label={t('overview.period')}
            options={[
              ...namedPeriods.map(id => ({ id, name: periodName(id, t) })),
              { id: 'custom' as const, name: t('overview.period.custom') },
            ]}
            value={named ?? 'custom'}
            onChange={id => setPeriod(id === 'custom' ? customPeriod(spanOf(period, day)) : id)}
            hint={t('export.zone', { zone: timeZoneOf(profile) })}
          />
          {named === null ? (
            <DateRange
              isLive
              label={t('overview.period.days')}
              days={spanOf(period, day)}
              onChoose={days => setPeriod(customPeriod(days))}
            />
          ) : null}
        </div>
      ) : null}
      <RadioGroup
        className="export-choices tracks gap-1"
        value={chosen}
        onChange={id => setFormat(exportFormats.find(one => one === id) ?? 'xlsx')}
      >
        <Label>{t('export.format')}</Label>
        {formats.filter(one => !furtherFormats.includes(one)).map(choiceOf)}
        <details className="check-steps" open={hasFurther}>
          <summary className="small">{t('export.format.more')}</summary>
          {formats.filter(one => furtherFormats.includes(one)).map(choiceOf)}
        </details>
      </RadioGroup>
      {chosen === 'pdf' ? (
        <RadioGroup
          className="export-choices tracks gap-1"
          value={orientation}
          onChange={id => setOrientation(orientations.find(one => one === id) ?? 'portrait')}
        >
          <Label>{t('export.orientation')}</Label>
          {orientations.map(one => (
            <Choice key={one} id={one} name={t(`export.orientation.${one}`)}>
              {t(`export.orientation.${one}.text`)}
            </Choice>
          ))}
        </RadioGroup>
      ) : null}
      {hasRows ? (
        <RadioGroup
          className="export-choices tracks gap-1"
          value={rows}
          onChange={id => setRows(exportRows.find(one => one === id) ?? 'payments')}
        >
          <Label>{t('export.rows')}</Label>
          {exportRows.map(one => (
            <Choice key={one} id={one} name={t(`export.rows.${one}`)}>
              {t(`export.rows.${one}.text`)}
            </Choice>
          ))}
        </RadioGroup>
      ) : null}
      <OthersNote />
      <p className="small quiet">{t('export.head-note')}</p>
      <FormFoot
        name={t('export.start')}
        icon={<Download size={16} />}
        // The last choices are filled in: Enter exports with them.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
      >
        <Button onPress={onDone}>{t('cancel')}</Button>
      </FormFoot>
    </Form>
  );
};

/** What to export, of which period, into which kind of file. The last choices are remembered. */
export const ExportDialog = () => {
  const t = useText();
  const { subject, close } = useExportDialog();
  return (
    <Sheet title={t('export.title')} isOpen={subject !== null} onClose={close}>
      {subject === null ? null : <ExportForm subject={subject} onDone={close} />}
    </Sheet>
  );
};
