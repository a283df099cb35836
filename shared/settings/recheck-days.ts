/** After how many days a paid payment is checked again. */

export const defaultRecheckDays: readonly number[] = [1, 7, 30, 90];

/** Limits: entries of the list, and the latest day, two years. */
export const maxRecheckDays = 8;
export const maxRecheckDay = 730;

/** The days that a person typed, ascending and each once; null if the text is not such a list. */
export const readRecheckDays = (text: string): number[] | null => {
  const parts = text.split(/[\s,;]+/u).filter(part => part !== '');
  const days = [...new Set(parts.map(part => (/^\d{1,3}$/u.test(part) ? Number(part) : 0)))];
  const isUsable = days.every(day => day >= 1 && day <= maxRecheckDay);
  return isUsable && days.length > 0 && days.length <= maxRecheckDays
    ? days.sort((one, other) => one - other)
    : null;
};
