import codes from 'i18n-iso-countries/codes.json' with { type: 'json' };

/** A user-assigned code that ISO 3166-1 does not assign, though the package lists it. */
const notAssigned: ReadonlySet<string> = new Set(['XK']);

const alpha2: ReadonlySet<string> = new Set(
  codes.flatMap(([code]) => (code === undefined || notAssigned.has(code) ? [] : [code])),
);

/** Whether ISO 3166-1 assigns this alpha-2 code, in upper case, to a country (§2.6). */
export const isCountryCode = (code: string): boolean => alpha2.has(code);
