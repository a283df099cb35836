import { randomInt } from 'node:crypto';

/** An order number by a profile's pattern: `{yyyy}`, `{mm}` and `{dd}` are the date, `{n}` is random. */
export const orderNumberFrom = (pattern: string, now: Date): string => {
  const two = (value: number): string => String(value).padStart(2, '0');
  const letters = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
  const random = Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('');
  return pattern
    .replaceAll('{yyyy}', String(now.getFullYear()))
    .replaceAll('{mm}', two(now.getMonth() + 1))
    .replaceAll('{dd}', two(now.getDate()))
    .replaceAll('{n}', random);
};
