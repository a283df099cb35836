/** Whether a text is one email address: without a name or `mailto:` around it, blanks, or invisible characters. */
export const isEmailAddress = (text: string): boolean =>
  /^[^\s@<>,;:()\p{Cf}]+@[^\s@<>,;:()\p{Cf}]+$/u.test(text);
