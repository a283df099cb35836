import { CalendarDate, getLocalTimeZone, today } from '@internationalized/date';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import {
  Button,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  DateInput,
  DateRangePicker,
  DateSegment,
  FieldError,
  Group,
  Heading,
  I18nProvider,
  Label,
  RangeCalendar,
} from 'react-aria-components';
import { dayAt, wholeDays } from '../../../shared/days.ts';
import { Button as PlainButton } from './button.tsx';
import { useLocaleChoice, useText } from '../../i18n/text.ts';

/** Complete local days; milliseconds, half-open. */
type Days = { from: number; until: number };

/** A range of days, both included: typed, or chosen in the calendar. */
export const DateRange = ({
  days,
  onChoose,
  label,
  isLive = false,
}: {
  days: Days | null;
  onChoose: (days: Days) => void;
  label?: string;
  /** Whether every valid choice counts at once, without a button. */
  isLive?: boolean;
}) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const [range, setRange] = useState(days && { start: dayAt(days.from), end: dayAt(days.until - 1) });
  const choose = ({ start, end }: { start: CalendarDate; end: CalendarDate }): void => {
    const [from, until] = wholeDays(start, end);
    onChoose({ from, until });
  };
  return (
    <I18nProvider locale={locale}>
      <DateRangePicker
        className="field date-range"
        value={range}
        shouldForceLeadingZeros
        onChange={chosen => {
          const plain = chosen && {
            start: new CalendarDate(chosen.start.year, chosen.start.month, chosen.start.day),
            end: new CalendarDate(chosen.end.year, chosen.end.month, chosen.end.day),
          };
          setRange(plain);
          if (isLive && plain && plain.start.compare(plain.end) <= 0) choose(plain);
        }}
      >
        <Label>{label ?? t('filter.date.range')}</Label>
        <Group className="input line gap-1">
          <DateInput slot="start" className="date-input">
            {segment => (
              <DateSegment segment={segment} className="date-segment rounded-s no-outline tabular" />
            )}
          </DateInput>
          <span aria-hidden="true">–</span>
          <DateInput slot="end" className="date-input">
            {segment => (
              <DateSegment segment={segment} className="date-segment rounded-s no-outline tabular" />
            )}
          </DateInput>
        </Group>
        <FieldError className="problem" />
        <RangeCalendar className="calendar" autoFocus={false} maxValue={today(getLocalTimeZone())}>
          <header className="line gap-0 spread">
            <Button slot="previous" className="button quiet icon-only">
              <ChevronLeft size={16} />
            </Button>
            <Heading className="small" />
            <Button slot="next" className="button quiet icon-only">
              <ChevronRight size={16} />
            </Button>
          </header>
          <CalendarGrid className="calendar-grid full">
            <CalendarGridHeader>
              {day => <CalendarHeaderCell className="quiet tiny medium">{day}</CalendarHeaderCell>}
            </CalendarGridHeader>
            <CalendarGridBody>
              {date => (
                <CalendarCell
                  date={date}
                  className="calendar-cell tracks rounded-s small tabular pointer no-outline hovers"
                />
              )}
            </CalendarGridBody>
          </CalendarGrid>
        </RangeCalendar>
      </DateRangePicker>
      {isLive ? null : (
        <PlainButton
          variant="primary"
          isDisabled={range === null || range.start.compare(range.end) > 0}
          onPress={() => {
            if (range) choose(range);
          }}
        >
          {t('filter.apply')}
        </PlainButton>
      )}
    </I18nProvider>
  );
};
