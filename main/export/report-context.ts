import { dayAt } from '../../shared/days.ts';
import { msg, type Language, type MessageKey } from '../../shared/messages/message.ts';
import { formatterFor } from '../../shared/messages/catalogues.ts';
import type { FormatMessage } from '../../shared/messages/format-message.ts';
import type { PaymentRow } from '../../shared/payments/payment.ts';
import { booksOf, type Books, type Period } from '../../shared/reports/payment-books.ts';

/** What the columns and sheets of one export have in common. */
export type ReportContext = {
  /**
   * `people`: headings and values in the chosen language. `programs`: stable identifiers, the same in every language.
   */
  readers: 'people' | 'programs';
  language: Language;
  /** BCP 47, for numbers. */
  locale: string;
  format: FormatMessage;
  /** Of the locale. */
  decimalSign: string;
  /** IANA zone of the merchant. */
  zone: string;
  /** Milliseconds: whether a link has expired by then. */
  now: number;
  /** The period of the books; null: amounts of any time. */
  period: Period | null;
  profileName: (profileId: string) => string;
  books: (row: PaymentRow) => Books;
  /** The ISO date of an instant in the merchant's zone. */
  dayOf: (at: number) => string;
};

const decimalSign = (locale: string): string =>
  new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.';

export const createReportContext = (
  given: Pick<ReportContext, 'readers' | 'language' | 'locale' | 'zone' | 'now' | 'period' | 'profileName'>,
): ReportContext => {
  // The columns ask for the books of one row after another.
  let last: { row: PaymentRow; books: Books } | null = null;
  return {
    ...given,
    decimalSign: decimalSign(given.locale),
    format: formatterFor(given.language, given.locale),
    dayOf: at => dayAt(at, given.zone).toString(),
    books: row => {
      if (last?.row !== row) last = { row, books: booksOf(row, given.period) };
      return last.books;
    },
  };
};

/** A value: its identifier for programs, its name for people. */
export const named = ({ readers, format }: ReportContext, id: string, key: MessageKey): string =>
  readers === 'people' ? format(msg(key)) : id;
