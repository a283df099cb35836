import { useEffect, useRef, type ReactNode } from 'react';
import { exponentOf } from '../../../../shared/money/currencies.ts';
import { TextBox } from '../../../components/controls/fields.tsx';
import { RadioChoice } from '../../../components/controls/radio-choice.tsx';
import { isByArrow } from '../../../focus.ts';
import { useNumber, useText, useLocaleChoice } from '../../../i18n/text.ts';
import { getLocalTimeZone, toCalendarDate, today, type CalendarDate } from '@internationalized/date';
import { DateField, DateInput, DateSegment, FieldError, I18nProvider, Label } from 'react-aria-components';

/** A typed day, by default not after today. */
export const DayBox = ({
  label,
  field,
  value,
  onChange,
  problem,
  latest = today(getLocalTimeZone()),
}: {
  label: string;
  field?: string;
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
        data-field={field}
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

/** How much of a known amount. */
export type Extent = 'whole' | 'part';

/** A typed amount, read back in words. It is never filled in before. */
export const AmountBox = ({
  label,
  currency,
  value,
  onChange,
  words,
  problem,
}: {
  label: string;
  currency: string;
  value: string;
  onChange: (amount: string) => void;
  words: string | null;
  problem: string | null;
}) => {
  const zero = useNumber({ minimumFractionDigits: exponentOf(currency) ?? 2 });
  return (
    <div className="money-field" data-field="amount">
      <TextBox
        label={label}
        value={value}
        onChange={onChange}
        problem={problem}
        inputClass="amount-input"
        inputMode="decimal"
        autoComplete="off"
        maxLength={40}
        placeholder={zero(0)}
        lead={<span className="operation-currency muted medium">{currency}</span>}
      />
      <p className="reading" aria-live="polite">
        {words ?? ''}
      </p>
    </div>
  );
};

const extentOption = (id: Extent, name: string, hint: string) => ({
  id,
  name: (
    <>
      <span>{name}</span>
      <span className="small quiet">{hint}</span>
    </>
  ),
});

/** How much: the whole amount or a part, which is typed in `children`. `isFirst`: the first decision of its form. */
export const ExtentBox = ({
  value,
  onChange,
  whole,
  problem,
  isFirst = false,
  children,
}: {
  value: Extent | null;
  onChange: (extent: Extent) => void;
  /** The name of the whole, and its amount as shown. */
  whole: { name: string; amount: string };
  problem: string | null;
  isFirst?: boolean;
  children: ReactNode;
}) => {
  const t = useText();
  const group = useRef<HTMLDivElement>(null);
  // The dialog would focus its first text field.
  useEffect(() => {
    if (isFirst && !isByArrow()) group.current?.querySelector('input')?.focus();
  }, [isFirst]);
  const typed = useRef<HTMLDivElement>(null);
  // The amount is the next step after choosing a part.
  useEffect(() => {
    if (value === 'part' && !isByArrow()) typed.current?.querySelector('input')?.focus();
  }, [value]);
  return (
    <>
      <div data-field="extent" ref={group}>
        <RadioChoice
          className="extent tracks gap-1"
          optionClass="extent-option tracks gap-0-2 middle rounded medium pointer hovers selectable"
          box="extent-options tracks gap-2"
          label={t('operation-form.extent')}
          options={[
            extentOption('whole', whole.name, whole.amount),
            extentOption('part', t('operation-form.part'), t('operation-form.part.hint')),
          ]}
          value={value}
          onChange={onChange}
          isInvalid={problem !== null}
          orientation="horizontal"
        />
        {problem === null ? null : <p className="problem">{problem}</p>}
      </div>
      {value === 'part' ? <div ref={typed}>{children}</div> : null}
    </>
  );
};
