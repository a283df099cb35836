/** Cached: creating a formatter takes far longer than using it, and a list uses it for every row. */
const cached = <O, F>(create: (locale: string, options: O) => F): ((locale: string, options: O) => F) => {
  const made = new Map<string, F>();
  return (locale, options) => {
    const key = `${locale} ${JSON.stringify(options)}`;
    const formatter = made.get(key) ?? create(locale, options);
    made.set(key, formatter);
    return formatter;
  };
};

/** The formatter of dates and times for a locale (BCP 47). */
export const dateFormat = cached<Intl.DateTimeFormatOptions, Intl.DateTimeFormat>(
  (locale, options) => new Intl.DateTimeFormat(locale, options),
);

/** The formatter of numbers for a locale. */
export const numberFormat = cached<Intl.NumberFormatOptions, Intl.NumberFormat>(
  (locale, options) => new Intl.NumberFormat(locale, options),
);

/** The formatter of enumerations for a locale. */
export const listFormat = cached<Intl.ListFormatOptions, Intl.ListFormat>(
  (locale, options) => new Intl.ListFormat(locale, options),
);

/** The formatter of names in the language of a locale, such as those of currencies. */
export const namesOf = cached<Intl.DisplayNamesOptions, Intl.DisplayNames>(
  (locale, options) => new Intl.DisplayNames([locale], options),
);

const relatives = cached<Intl.RelativeTimeFormatOptions, Intl.RelativeTimeFormat>(
  (locale, options) => new Intl.RelativeTimeFormat(locale, options),
);

/** The formatter of relative times, in short form, for a locale (BCP 47). */
export const relativeFormat = (locale: string): Intl.RelativeTimeFormat =>
  relatives(locale, { numeric: 'auto', style: 'short' });
