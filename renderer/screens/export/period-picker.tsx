import { CalendarDays } from 'lucide-react';
import { customPeriod, namedPeriods, spanOf, type Period } from '../../../shared/reports/periods.ts';
import { Button } from '../../components/controls/button.tsx';
import { partOnDemand } from '../../components/controls/on-demand.tsx';
import { PopoverDialog } from '../../components/controls/popover-dialog.tsx';
import { SegmentedControl } from '../../components/controls/radio-choice.tsx';
import { dayAt, startOf } from '../../../shared/days.ts';
import { useClock } from '../../stores/clock-store.ts';
import { useText } from '../../i18n/text.ts';
import { periodName } from './period-name.ts';

// A calendar is large, and most periods have a name.
const DateRange = partOnDemand(() => import('../../components/controls/date-range.tsx'), 'DateRange');

/** The periods that are always in view; a chosen other one joins them. */
const frequent = ['today', '7', '30', 'month'] as const satisfies readonly Period[];

/** A period: the frequent ones side by side, others and days by date in a popover. */
export const PeriodPicker = ({
  period,
  onChange,
}: {
  period: Period;
  onChange: (period: Period) => void;
}) => {
  const t = useText();
  const day = useClock(({ wallClock }) => startOf(dayAt(wallClock)));
  const isFrequent = frequent.some(one => one === period);
  const rare = namedPeriods.filter(one => !frequent.some(other => other === one));
  const shown: readonly Period[] = isFrequent ? frequent : [...frequent, period];
  return (
    <>
      <SegmentedControl
        label={t('overview.period')}
        options={shown.map(one => ({ id: one, name: periodName(one, t) }))}
        value={period}
        onChange={onChange}
      />
      <PopoverDialog
        name={t('overview.period.other')}
        button={<Button icon={CalendarDays}>{t('overview.period.other')}</Button>}
      >
        {close => {
          const choose = (one: Period): void => {
            onChange(one);
            close();
          };
          return (
            <div className="stack gap-3">
              <div className="line wrap">
                {rare.map((one, index) => (
                  <Button
                    key={one}
                    // The popover is opened to choose one of these.
                    // oxlint-disable-next-line jsx-a11y/no-autofocus
                    autoFocus={index === 0}
                    onPress={() => choose(one)}
                  >
                    {periodName(one, t)}
                  </Button>
                ))}
              </div>
              <DateRange
                label={t('overview.period.days')}
                days={spanOf(period, day)}
                onChoose={days => choose(customPeriod(days))}
              />
            </div>
          );
        }}
      </PopoverDialog>
    </>
  );
};
