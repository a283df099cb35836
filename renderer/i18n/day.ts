import { dateFormat } from './formatters.ts';
import { useLocaleChoice } from './text.ts';

/** Writes an ISO date as the window's locale does. */
export const useDay = (): ((day: string) => string) => {
  const { locale } = useLocaleChoice();
  return day => dateFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(Date.parse(day));
};
