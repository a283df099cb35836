/** Zeros of the digits that keyboards produce besides ASCII: Arabic, Persian, Devanagari, Bengali, full width. */
const zeros = [0x06_60, 0x06_f0, 0x09_66, 0x09_e6, 0xff_10];

const asciiDigit = (digit: string): string => {
  const point = digit.codePointAt(0) ?? 0;
  const zero = zeros.find(start => point >= start && point < start + 10);
  return zero === undefined ? digit : String(point - zero);
};

/** A text with the digits of other scripts as 0 to 9. */
export const withAsciiDigits = (text: string): string => text.replaceAll(/(?!\d)\p{Nd}/gu, asciiDigit);
