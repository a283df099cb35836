import { inLine } from '../../../shared/plain-text.ts';
import { useState } from 'react';
import { clockParts } from '../../../shared/messages/clock-parts.ts';
import { dateFormat, relativeFormat, useLocaleChoice, useText, type Translate } from '../../i18n/text.ts';
import { durationText, withoutFullStops } from './duration.ts';
import { useClock } from '../../stores/clock-store.ts';
import { minutesAndSeconds, readClocks, thresholdCrossed, timeLeft } from '../../i18n/time-left.ts';
import { exponentOf } from '../../../shared/money/currencies.ts';
import { formatMoney, moneyParts } from '../../../shared/money/format-amount.ts';
import { fractionDigits } from '../../../shared/money/wire-amount.ts';

/** A text on one line: shortened to fit, with the full text on hover, and a note about it. */
export const Truncate = ({
  text,
  className = '',
  note = '',
}: {
  text: string;
  className?: string;
  note?: string;
}) => (
  <span className={`clip ${className}`} title={inLine(note === '' ? text : `${text}\n${note}`)}>
    {inLine(text)}
  </span>
);

/** An amount in the locale's notation with its currency; used for every amount. `amount`: the wire form. */
export const Money = ({
  amount,
  currency,
  size = 'regular',
}: {
  amount: string | null;
  currency: string | null;
  size?: 'regular' | 'large';
}) => {
  const { locale } = useLocaleChoice();
  if (amount === null) return <span className="quiet">–</span>;
  return (
    <data className={`money ${size}`} value={`${amount} ${currency ?? ''}`.trim()}>
      {formatMoney(amount, currency ?? '', locale)}
    </data>
  );
};

/**
 * An amount in a column: the decimal points below one another. A currency without decimals keeps
 * their place free. `amount`: the wire form, perhaps with a minus sign.
 */
export const AlignedMoney = ({ amount, currency }: { amount: string | null; currency: string | null }) => {
  const { locale } = useLocaleChoice();
  if (amount === null) return <span className="quiet">–</span>;
  const size = amount.replace(/^-/, '');
  const [figures, after] = moneyParts(size, currency ?? '', locale);
  const hasDecimals = (fractionDigits(size) ?? 0) > 0 || (exponentOf(currency ?? '') ?? 0) > 0;
  return (
    <data className="money aligned" value={`${amount} ${currency ?? ''}`.trim()}>
      <span>
        {size === amount ? figures : `−${figures}`}
        {hasDecimals ? null : <span className="no-decimals" aria-hidden="true" />}
      </span>
      {after === '' ? null : (
        <span className={`currency quiet tiny regular ${after.length > 1 ? 'is-code' : ''}`}> {after}</span>
      )}
    </data>
  );
};

const hour = 3_600_000;

/** Clock time, with the day if it is not today. */
export const clockTime = (at: number, locale: string, now: number): string => {
  const sameDay = new Date(at).toDateString() === new Date(now).toDateString();
  return dateFormat(locale, {
    ...clockParts,
    ...(sameDay ? {} : { day: 'numeric', month: 'short' }),
    ...(sameDay || new Date(at).getFullYear() === new Date(now).getFullYear() ? {} : { year: 'numeric' }),
  }).format(at);
};

/** The same as a part of a sentence that is read aloud: "at 14:06", or "on 3 Nov at 14:06". */
export const spokenTime = (at: number, locale: string, now: number, t: Translate): string => {
  const time = dateFormat(locale, clockParts).format(at);
  const date = new Date(at);
  if (date.toDateString() === new Date(now).toDateString()) return t('say.at', { time });
  const year = date.getFullYear() === new Date(now).getFullYear() ? {} : ({ year: 'numeric' } as const);
  return t('say.on', {
    day: dateFormat(locale, { day: 'numeric', month: 'long', ...year }).format(at),
    time,
  });
};

const exactly = (at: number, locale: string, t: Translate): string => {
  const local = dateFormat(locale, { dateStyle: 'full', timeStyle: 'long' }).format(at);
  return `${local}\n${t('time.utc', { instant: new Date(at).toISOString() })}`;
};

/** The age, in the largest fitting unit, under an hour. */
const ago = (at: number, now: number, locale: string): string => {
  const seconds = Math.max(0, Math.floor((now - at) / 1000));
  const relative = relativeFormat(locale);
  const text =
    seconds < 60 ? relative.format(-seconds, 'second') : relative.format(-Math.floor(seconds / 60), 'minute');
  return withoutFullStops(text);
};

/** When something happened, as a part of a sentence: "just now", "2 minutes ago" under an hour, then "at 14:06". */
export const timeInSentence = (at: number, locale: string, now: number, t: Translate): string => {
  if (now - at < 60_000) return t('time.just-now');
  return now - at < hour ? ago(at, now, locale) : spokenTime(at, locale, now, t);
};

/**
 * A point in time: relative and ticking under an hour, then clock time, with the exact UTC on hover. `at` in
 * milliseconds. `clock`: always the clock time.
 */
export const Time = ({ at, clock = false }: { at: number; clock?: boolean }) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const text = useClock(({ wallClock }) =>
    clock || wallClock - at >= hour || at - wallClock > 60_000
      ? clockTime(at, locale, wallClock)
      : ago(at, wallClock, locale),
  );
  return (
    <time dateTime={new Date(at).toISOString()} title={exactly(at, locale, t)} className="time">
      {text}
    </time>
  );
};

/** The duration of a state: `for 21 min`, and after an hour `since 14:03`. `at` in milliseconds. */
export const Duration = ({ at }: { at: number }) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const text = useClock(({ wallClock }) => {
    const lasted = Math.max(1000, wallClock - at);
    if (lasted >= hour) return t('time.since', { at: clockTime(at, locale, wallClock) });
    const unit = lasted < 60_000 ? 1000 : 60_000;
    return t('time.for', { duration: durationText(Math.floor(lasted / unit) * unit, locale) });
  });
  return (
    <time dateTime={new Date(at).toISOString()} title={exactly(at, locale, t)} className="time">
      {text}
    </time>
  );
};

/** "checked 12 s ago": the age of the data. */
export const Checked = ({ at }: { at: number }) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const text = useClock(({ wallClock }) =>
    wallClock - at < hour ? ago(at, wallClock, locale) : clockTime(at, locale, wallClock),
  );
  return (
    <time dateTime={new Date(at).toISOString()} title={exactly(at, locale, t)} className="time quiet small">
      {t('time.checked', { ago: text })}
    </time>
  );
};

/**
 * The remaining time of a link, milliseconds, ticking. One second is subtracted, so that the value is never too high
 * just before the next tick.
 */
export const useTimeLeft = (expiresAt: number): number => {
  const [first, setFirst] = useState(() => ({ expiresAt, ...readClocks() }));
  if (first.expiresAt !== expiresAt) setFirst({ expiresAt, ...readClocks() });
  const seconds = useClock(now => Math.floor(timeLeft(expiresAt, first, now) / 1000) - 1);
  return Math.max(0, seconds * 1000);
};

/**
 * The remaining time of a link, in minutes and seconds. It is not a live region: with `announces` only its thresholds
 * (10, 5, 1 minutes, expired) are announced.
 */
export const Countdown = ({ expiresAt, announces = false }: { expiresAt: number; announces?: boolean }) => {
  const t = useText();
  const left = useTimeLeft(expiresAt);
  const { minutes, seconds } = minutesAndSeconds(left);
  const threshold = thresholdCrossed(left);
  return (
    <span
      className={`countdown tabular bold ${left <= 5 * 60_000 ? 'soon' : ''} ${left === 0 ? 'over' : ''}`}
    >
      <span role="timer" aria-live="off" aria-label={t('countdown.name')}>
        {left === 0 ? t('countdown.over') : `${minutes}:${String(seconds).padStart(2, '0')}`}
      </span>
      {announces ? (
        <output className="out-of-sight">
          {threshold === null
            ? ''
            : threshold === 0
              ? t('countdown.over')
              : t('countdown.spoken', { minutes: threshold })}
        </output>
      ) : null}
    </span>
  );
};
