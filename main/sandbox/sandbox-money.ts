/**
 * Amounts and currencies as the sandbox reads them. It shares no code with the client that it tests: a fault in the
 * client's list or arithmetic shows as a refused request.
 */

/** Codes of ISO 4217 that payments use, by their number of fraction digits. */
const codes: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF',
  2:
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC ' +
    'CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR ' +
    'IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN ' +
    'NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP ' +
    'STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG',
  3: 'BHD IQD JOD KWD LYD OMR TND',
};
const digitsByCode = new Map(
  Object.entries(codes).flatMap(([digits, list]) =>
    list.split(' ').map(code => [code, Number(digits)] as const),
  ),
);

/** The fraction digits of a currency; null for a code that payments do not use. */
export const currencyDigits = (code: string): number | null => digitsByCode.get(code) ?? null;

/** An amount in units of its last digit, with the number of its fraction digits. */
export type Amount = { units: bigint; digits: number };

/** Reads `10.00`; null for any other text: a sign, a blank, a leading zero, a point without digits. */
export const readAmount = (text: string): Amount | null => {
  const match = /^(0|[1-9]\d{0,14})(?:\.(\d{1,4}))?$/.exec(text);
  if (!match) return null;
  const [, whole = '', fraction = ''] = match;
  return { units: BigInt(whole + fraction), digits: fraction.length };
};

/** Writes an amount as `readAmount` reads it. */
export const amountText = ({ units, digits }: Amount): string => {
  const figures = units.toString().padStart(digits + 1, '0');
  return digits === 0 ? figures : `${figures.slice(0, -digits)}.${figures.slice(-digits)}`;
};
