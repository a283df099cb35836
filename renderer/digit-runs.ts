/** A text without any run of 13 or more digits, blanks and dashes between them included: what is left when a card number is refused. */
export const withoutDigitRuns = (text: string): string =>
  text.replaceAll(/\d(?:[\s.\-–_/]*\d){12,}/g, '').trim();
