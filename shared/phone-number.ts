/** A telephone number in international form (E.164), as `sms:` and wa.me need it. */

/** E.164 allows 15 digits; the shortest numbers in use have 7 with the country code. */
const international = /^\+[1-9]\d{6,14}$/;

/**
 * The number as `+` and digits; null unless it is written with `+` and the country code. A national number is never
 * completed: the country would be a guess. `(0)` is refused, since it is not dialled from abroad.
 */
export const readPhoneNumber = (text: string): string | null => {
  const compact = text.trim().replaceAll(/[\s.\-‐‑–/()\u00a0]/g, '');
  return international.test(compact) && !/\(\s*0\s*\)/.test(text) ? compact : null;
};
