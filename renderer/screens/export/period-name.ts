import { namedPeriods, type Period } from '../../../shared/reports/periods.ts';
import type { Translate } from '../../i18n/text.ts';

/** A period in words: its name, or its first and last day. */
export const periodName = (period: Period, t: Translate): string => {
  const named = namedPeriods.find(one => one === period);
  return named === undefined ? period.replace('..', ' – ') : t(`overview.period.${named}`);
};
