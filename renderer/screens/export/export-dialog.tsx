import '../../styles/screens/export.css';
import { ChevronDown, ChevronRight, Download } from 'lucide-react';
import { useState, type ComponentProps } from 'react';
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
import { SelectBox } from '../../components/controls/fields.tsx';
import { RadioChoice } from '../../components/controls/radio-choice.tsx';
import { Form, FormFoot } from '../../forms/form.tsx';
import { useText } from '../../i18n/text.ts';
import { useActiveProfile, useAppState } from '../../stores/app-state-store.ts';
import { useClock } from '../../stores/clock-store.ts';
import { useExport, useExportDialog, type ExportSubject } from '../../stores/reports/export-store.ts';
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

const ExportChoice = <T extends string>({
  options,
  ...choice
}: Pick<ComponentProps<typeof RadioChoice<T>>, 'label' | 'value' | 'onChange' | 'children'> & {
  options: readonly { id: T; name: string; text?: string }[];
}) => (
  <RadioChoice
    {...choice}
    className="export-choices tracks gap-1"
    optionClass="export-choice hovers tracks gap-0-2 at-baseline rounded"
    options={options.map(({ id, name, text }) => ({
      id,
      name: (
        <>
          <span className="export-choice-name">{name}</span>
          {text === undefined ? null : <span className="small quiet">{text}</span>}
        </>
      ),
    }))}
  />
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
  const [showsFurther, setShowsFurther] = useState(() => furtherFormats.includes(chosen));
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
        <ExportChoice
          label={t('export.what')}
          options={[
            subject.kind === 'selected'
              ? {
                  id: subject.kind,
                  name: t('export.what.selected', { count: subject.payments.length }),
                }
              : {
                  id: subject.kind,
                  name: t(`export.what.${subject.kind}`),
                  text: t(`export.what.${subject.kind}.text`),
                },
            { id: 'period', name: t('export.what.period'), text: t('export.what.period.text') },
          ]}
          value={what}
          onChange={setWhat}
        />
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
      <ExportChoice
        label={t('export.format')}
        options={formats
          .filter(one => showsFurther || !furtherFormats.includes(one))
          .map(id => ({ id, name: t(`export.format.${id}`), text: t(`export.format.${id}.text`) }))}
        value={chosen}
        onChange={setFormat}
      >
        {furtherFormats.includes(chosen) || !formats.some(one => furtherFormats.includes(one)) ? null : (
          <div className="line">
            <Button
              variant="quiet"
              icon={showsFurther ? ChevronDown : ChevronRight}
              aria-expanded={showsFurther}
              onPress={() => setShowsFurther(!showsFurther)}
            >
              {t('export.format.more')}
            </Button>
          </div>
        )}
      </ExportChoice>
      {chosen === 'pdf' ? (
        <ExportChoice
          label={t('export.orientation')}
          options={orientations.map(id => ({
            id,
            name: t(`export.orientation.${id}`),
            text: t(`export.orientation.${id}.text`),
          }))}
          value={orientation}
          onChange={setOrientation}
        />
      ) : null}
      {hasRows ? (
        <ExportChoice
          label={t('export.rows')}
          options={exportRows.map(id => ({
            id,
            name: t(`export.rows.${id}`),
            text: t(`export.rows.${id}.text`),
          }))}
          value={rows}
          onChange={setRows}
        />
      ) : null}
      <OthersNote />
      <p className="small quiet">{t('export.head-note')}</p>
      <FormFoot
        name={t('export.start')}
        icon={Download}
        // The last choices are filled in: Enter exports with them.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        onCancel={onDone}
      />
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
