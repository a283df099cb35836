import { numberFormat } from '../../i18n/text.ts';
/** Units of time, largest first, with their length in seconds. */
const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Units without the full stop of their abbreviation, as in `4 Min.`: a sentence may end with them. */
export const withoutFullStops = (text: string): string => text.replaceAll(/(?<=\p{L})\./gu, '');

/** A duration in its two largest units: `1 min 30 sec`. `milliseconds` are rounded to seconds. */
export const durationText = (milliseconds: number, locale: string): string => {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  const largest = Math.max(
    0,
    units.findIndex(([, length]) => seconds >= length),
  );
  const first = seconds < 1 ? units.length - 1 : largest;
  let left = seconds;
  return units
    .slice(first, first + 2)
    .map(([unit, length]) => {
      const count = Math.floor(left / length);
      left %= length;
      return { unit, count };
    })
    .filter(({ count }, index) => index === 0 || count > 0)
    .map(({ unit, count }) =>
      withoutFullStops(numberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' }).format(count)),
    )
    .join(' ');
};
