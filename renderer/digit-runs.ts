/**
 * A text without any run of 13 or more digits, including blanks and dashes between them: the remaining text after a
 * card number was refused.
 */
export const withoutDigitRuns = (text: string): string =>
  text.replaceAll(/\d(?:[\s.\-–_/]*\d){12,}/g, '').trim();
