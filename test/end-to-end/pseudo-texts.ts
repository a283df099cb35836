import { userInfo } from 'node:os';
import type { Page } from 'playwright-core';

/** The texts of a window in the pseudo-locale: those of no catalogue, and the direction of data. */

const named = (locale: string, options: Intl.DateTimeFormatOptions): string[] =>
  [...Array(24).keys()].map(index =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(
      Date.UTC(2026, 0, 1 + index * 15),
    ),
  );
const calendar = (['de', 'he-IL', 'en-US'] as const).flatMap(locale => [
  ...named(locale, { month: 'long' }),
  ...named(locale, { month: 'short' }),
  ...named(locale, { weekday: 'long' }),
  ...named(locale, { weekday: 'short' }),
]);

/**
 * Texts outside the catalogues: data, keys of a keyboard, names of the interface, dates, and a few words of
 * React Aria.
 */
const words = new Set(
  `Ctrl Enter Esc Shift Space EUR UTC JSON POST GET Sandbox Payer Ada Jane Doe Blue chair For everyone Two tickets
  Zwei Nächte Zimmer Deposit Maria Schmidt console card hash id type status success fail waiting sale redirect 3ds refund chargeback transfer customer_ip
  order_amount order_currency order_description order_number node CF SEED RTL jetzt vor Sek Min Std um Uhr Heute Jahr
  Monat Tag jjjj mm tt Startdatum Enddatum Letztes verfügbares Datum Ausgewählter Bereich bis ausgewählt Schließen Weiter Zurück Ablegebereich Dismiss Next
  Zoë Brien Dinner for two nights room Late check out Prefers quiet
  Membership Declined by processing RRN zwanzig Euro
  csv Merchant Account Psp Reference Creation Date TimeZone Type Gross Currency Debit Credit Commission Batch
  Number Settled Caddy nginx shop example com MB yyyy dd keychain unavailable
  Previous DropZone Today Last available date year month day`
    .split(/\s+/)
    .concat(
      userInfo().username,
      calendar.flatMap(text => text.match(/\p{L}+/gu) ?? []),
    ),
);
/** Addresses, requests as sent, names of the interface, order numbers, and the strings of hashes. */
const data = /https?:\/\/\S+|\{"[^]*\}|\/[\w/.-]+|\S+@\S+|\b[\w-]*\d[\w-]*\b|[^⟦⟧]*•{8}|\ben-US\b/g;

/** The rest of a text without the catalogue's words and data. */
export const foreign = (text: string): string => {
  let rest = text.replaceAll(/[\u2068\u2069]/g, '');
  for (let before = ''; before !== rest;) {
    before = rest;
    rest = rest.replaceAll(/⟦[^⟦⟧]*⟧/g, '');
  }
  const left = rest.replaceAll(data, ' ').match(/[\p{L}_]+/gu) ?? [];
  return left.filter(one => one.length > 1 && !words.has(one)).join(' ');
};

/** The positions of given data in the window, and the data that is not left-to-right. */
export const orderOf = (
  page: Page,
  known: readonly string[],
): Promise<{ found: number; reversed: string[] }> =>
  page.evaluate(all => {
    const reversed: string[] = [];
    let found = 0;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      for (const one of all) {
        const from = (node.textContent ?? '').indexOf(one);
        if (from < 0 || !node.parentElement?.checkVisibility()) continue;
        const places = Array.from({ length: one.length }, (_, index) => {
          const range = document.createRange();
          range.setStart(node, from + index);
          range.setEnd(node, from + index + 1);
          return range.getBoundingClientRect();
        });
        found += 1;
        const backwards = places.some((place, index) => {
          const before = places[index - 1];
          return before !== undefined && before.top === place.top && place.left < before.left;
        });
        if (backwards) reversed.push(`${one} in ${node.parentElement.className}`);
      }
    return { found, reversed };
  }, known);
