/** Cached: creating a formatter takes far longer than using it, and a list uses it for every row. */

const dates = new Map<string, Intl.DateTimeFormat>();
const relatives = new Map<string, Intl.RelativeTimeFormat>();

/** The formatter of dates and times for a locale (BCP 47). */
export const dateFormat = (locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat => {
  const key = `${locale} ${JSON.stringify(options)}`;
  const made = dates.get(key) ?? new Intl.DateTimeFormat(locale, options);
  dates.set(key, made);
  return made;
};

/** Hours and minutes as the locale writes them: 9:05 AM, 09:05. */
export const clockParts = (locale: string): Intl.DateTimeFormatOptions => ({
  hour: dateFormat(locale, { hour: 'numeric' }).resolvedOptions().hourCycle === 'h12' ? 'numeric' : '2-digit',
  minute: '2-digit',
});

/** The formatter of relative times, in short form, for a locale (BCP 47). */
export const relativeFormat = (locale: string): Intl.RelativeTimeFormat => {
  const made =
    relatives.get(locale) ?? new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' });
  relatives.set(locale, made);
  return made;
};
