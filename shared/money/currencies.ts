import { data } from 'currency-codes';

/**
 * ISO 4217 codes with their fraction digits, from the package `currency-codes` (list of 2024-06-25) and later
 * amendments.
 */

/** Amendment 176: the Caribbean guilder, from 2025-03-31. */
const addedSince: readonly (readonly [string, number])[] = [['XCG', 2]];

/** Replaced since (ANG by XCG, BGN by EUR): still valid in old evidence, no longer offered. */
const withdrawnSince: ReadonlySet<string> = new Set(['ANG', 'BGN']);

/** Withdrawn before the package's list: an old callback may name one. */
const withdrawnBefore: ReadonlySet<string> = new Set(
  'AZM BYR CSD CYP DEM EEK ESP FRF GHC GRD HRK IEP ITL LTL LVL MRO MTL MZM NLG PTE ROL SDD SIT SKK SLL SRG STD TMM TRL VEB VEF ZMK ZWD ZWL'.split(
    ' ',
  ),
);

/** Metals, bond units, accounting units, "testing" and "no currency": not used for payments, without digits. */
const notMoney: ReadonlySet<string> = new Set(
  'XAG XAU XPD XPT XBA XBB XBC XBD XDR XSU XUA XTS XXX'.split(' '),
);

/** Index units and fund codes: real ISO 4217 codes, but not used for payments. */
const notOffered: ReadonlySet<string> = new Set('BOV CHE CHW CLF COU MXV USN UYI UYW'.split(' '));

const exponents: ReadonlyMap<string, number> = new Map(
  [...data.map(({ code, digits }) => [code, digits] as const), ...addedSince].filter(
    ([code]) => !notMoney.has(code),
  ),
);

/**
 * Fraction digits of a currency by ISO 4217 (§2.2): 2 for EUR, 0 for JPY, 3 for KWD; null for a code that is not a
 * currency.
 */
export const exponentOf = (currency: string): number | null => exponents.get(currency) ?? null;

/** The codes available for new payments, in alphabetical order. */
export const currencyCodes: readonly string[] = [...exponents.keys()]
  .filter(code => !withdrawnSince.has(code) && !notOffered.has(code))
  .sort();

/**
 * The ISO 4217 status of a code in upper case (§2.2, §2.6): `current`; `withdrawn` for a replaced currency, which old
 * evidence may name but a new payment cannot have; null for a code that is not a currency.
 */
export const currencyStatus = (code: string): 'current' | 'withdrawn' | null => {
  if (withdrawnSince.has(code) || withdrawnBefore.has(code)) return 'withdrawn';
  return exponents.has(code) ? 'current' : null;
};
