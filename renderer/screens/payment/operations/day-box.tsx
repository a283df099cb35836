import { getLocalTimeZone, toCalendarDate, today, type CalendarDate } from '@internationalized/date';
import { DateField, DateInput, DateSegment, FieldError, I18nProvider, Label } from 'react-aria-components';
import { useLocaleChoice } from '../../../i18n/text.ts';

/** A typed day, by default not after today. */
export const DayBox = ({
  label,
  value,
  onChange,
  problem,
  latest = today(getLocalTimeZone()),
}: {
  label: string;
  value: CalendarDate | null;
  onChange: (day: CalendarDate | null) => void;
  problem: string | null;
  /** Null: any day. */
  latest?: CalendarDate | null;
}) => {
  const { locale } = useLocaleChoice();
  return (
    <I18nProvider locale={locale}>
      <DateField
        className="field"
        value={value}
        {...(latest === null ? {} : { maxValue: latest })}
        shouldForceLeadingZeros
        onChange={day => onChange(day && toCalendarDate(day))}
        isInvalid={problem !== null}
        validationBehavior="aria"
      >
        <Label>{label}</Label>
        <DateInput className="input line gap-1">
          {segment => <DateSegment segment={segment} className="date-segment rounded-s no-outline tabular" />}
        </DateInput>
        <FieldError className="problem">{problem}</FieldError>
      </DateField>
    </I18nProvider>
  );
};
