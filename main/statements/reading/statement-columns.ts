import { hash } from 'node:crypto';
import { currencyStatus } from '../../../shared/money/currencies.ts';
import type { ColumnRole } from '../../../shared/statements/statement-kinds.ts';
import type { Row } from '../files/statement-rows.ts';
import { dateOrdersOf } from './dates.ts';
import { isUndone, kindOfWord } from './kinds.ts';
import { wordsOf } from './line.ts';
import { readNumber } from './numbers.ts';
import { plainWords } from './plain-words.ts';

/** What is known of the payments here, so that a column of order numbers is recognised by what it holds. */
export type KnownReferences = { isOrder: (text: string) => boolean; isReference: (text: string) => boolean };

const debitWords = new Set(
  'd dr dbit debit debet deb s soll af wn dare debe cargo out zalasten ausgang uit'.split(' '),
);
const creditWords = new Set(
  'c cr crdt credit kredit cred h haben bij ma a avere haber abono in eingang'.split(' '),
);

/** The direction that a cell names: what went out, or what came in; null if it names none. */
export const directionOf = (cell: string): 'debit' | 'credit' | null => {
  const text = cell.trim();
  if (/^[-−]$/.test(text)) return 'debit';
  if (text === '+') return 'credit';
  const word = plainWords(text);
  return debitWords.has(word) ? 'debit' : creditWords.has(word) ? 'credit' : null;
};

/** What a column must contain to have a role. */
const holds: Partial<Record<ColumnRole, (cells: readonly string[]) => boolean>> = (() => {
  const share = (test: (cell: string) => boolean) => (cells: readonly string[]) =>
    cells.filter(test).length >= cells.length / 2;
  const amounts = share(cell =>
    (['point', 'comma'] as const).some(form => readNumber(cell, 'KWD', form) !== null),
  );
  const dates = (cells: readonly string[]): boolean => dateOrdersOf(cells.slice(0, 50)).length > 0;
  return {
    amount: amounts,
    debit: amounts,
    credit: amounts,
    fee: amounts,
    net: amounts,
    'net-debit': amounts,
    'net-credit': amounts,
    day: dates,
    settled: dates,
    time: share(cell => /^\d{1,2}[:.]\d{2}/.test(cell.trim())),
    currency: share(cell => currencyStatus(cell.trim().toUpperCase()) !== null),
    direction: share(cell => directionOf(cell) !== null || isUndone(cell)),
    card: share(cell => /\d{4}\D*$/.test(cell)),
    kind: cells =>
      share(cell => kindOfWord(cell) !== null)(cells) ||
      new Set(cells).size <= Math.min(12, cells.length / 2),
    zone: share(cell => /^[A-Za-z_]+(?:\/[A-Za-z_]+)*$|^(?:UTC|GMT)?[+-]\d/.test(cell.trim())),
  };
})();

/** Roles by the words of a heading, tried in this order; a column whose content does not fit tries the next. */
const headings: readonly (readonly [ColumnRole, RegExp])[] = [
  ['zone', /time ?zone|zeitzone|fuseau|zona|tijdzone|strefa/],
  [
    'direction',
    /(debit|debet|dare|debe|soll|\bd|\bs|\bdr|\baf) ?(or|of)? (credit|avere|haber|haben|c|h|cr|bij)\b|credit (or )?debit|cr dr|\bdc\b|sens\b|kierunek|sign\b|signo|vorzeichen|direction|balance impact/,
  ],
  ['status', /status|statut\b|\bstate\b|\bestado\b|\bstato\b|\bstav\b|result|ergebnis/],
  ['ignored', /balance|saldo|guthaben|solde\b|percent|prozent|\brate\b|satz\b|\btaux\b|aliquota|stawka/],
  ['net-debit', /net.*(debit|soll|debe)/],
  ['net-credit', /net.*(credit|haben|haber)/],
  [
    'fee',
    /\bfees?\b|commission|entgelt|gebuhr|gebuehr|gebyr|avgift|poplatek|provision|provize|kommission|comissa|disagio|\bfrais\b|\bspese\b|\bcosts?\b|(processing|service) charge|\bcharges\b|merchant discount|descuento|retenue|transaktionspreis|serwis|comision|commissioni|kosten|prowizj|oplat|\bmdr\b|\bmsc\b|tarifa|taxas?\b|deduction/,
  ],
  ['net', /\bnet\b|netto|\bneto\b|payout amount|liquid|settled amount|settlement amount|auszahlungsbetrag/],
  ['debit', /debit\b|debits\b|\bsoll\b|belastung|\bdebe\b|\bdare\b|addebito|obciaz|wn\b|\baf\b|cargo/],
  ['credit', /credit\b|credits\b|\bhaben\b|gutschrift|haber|avere|accredito|uznan|\bma\b|\bbij\b|abono/],
  [
    'settled',
    /settle.*(date|day|time)|payout (date|time)|abrechnungs?(datum|tag)|wertstellung|value date|valuta|auszahlungs?(datum|tag)|date de (reglement|valeur|remise|versement)|fecha (de )?(liquidacion|valor|abono)|data (di )?(regolamento|valuta|accredito)|uitbetaal|uitbetalings|data (rozliczenia|waluty|wyplaty)|completion|available/,
  ],
  ['day', /date|datum|dato\b|tag\b|fecha|data\b|giorno|jour|\bday\b|dzien|payment time|created|timestamp/],
  ['time', /^(time|uhrzeit|zeit|heure|hora|ora|tijd|godzina|czas)\b|uhrzeit/],
  [
    'currency',
    /currency|wahrung|waehrung|\bmena\b|devise|divisa|moneda|moeda|valuta|waluta|\bccy\b|monnaie|munt/,
  ],
  [
    'amount',
    /gross|brutto|bruto|lordo|amount|betrag|umsatz$|montant|importe|importo|bedrag|kwota|\bbrut\b|valor|\bsum\b|value|wartosc|belop|belob|castka|\bsuma\b/,
  ],
  ['approval', /approv|auth.*(code|nr|no|num|id)|autori[sz]|genehm|authcode|autorys/],
  [
    'card',
    /card|\bpan\b|kart|\bkort|carte|tarjeta|carta|kaart|last ?4|last four|letzte (4|vier)|cartao|instrument/,
  ],
  [
    'batch',
    /batch|payout (id|ref|no)|settlement (id|ref|no|number)|remise|lote|lotto|abrechnungs?(nr|nummer|id)|sammel|numer rozliczenia|bordereau/,
  ],
  ['kind', /type|art\b|event|vorgang|tipo|soort|rodzaj|typ\b|operation|naturaleza|category|kategor|nature/],
  [
    'ignored',
    /name|customer|kunde\b|client\b|e ?mail|brand|marke|scheme|method|terminal|account|vertrag|country|bank\b|store|filial/,
  ],
  [
    'order',
    /order|merchant ref|bestell|objednav|auftrag|commande|pedido|ordine|zamowien|invoice|rechnung|facture|factura|merchant request|your ref|kundenref|bestelling|marchand|comerciante|esercente|encomenda|fattura|reference commer|ordre/,
  ],
  [
    'reference',
    /ref|rrn|arn|\bid\b|transa|trace|uuid|numero|number|psp|payment|zahlung|token|kennung|identif/,
  ],
  [
    'text',
    /mededel|desc|text|zweck|detail|libelle|concept|causale|omschrijving|opis|memo|note|narrative|remark|betreff|tytul/,
  ],
  ['card', /^$/],
];

/** A heading without remarks in brackets, such as a currency or a unit. */
const plainHeading = (heading: string): string =>
  plainWords(heading.replaceAll(/\([^)]*\)/g, ' ').replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' '));

const roleOf = (heading: string, cells: readonly string[]): ColumnRole => {
  const name = plainHeading(heading);
  if (/^[+] ?[/|]? ?[-−]$/.test(heading.trim())) return 'direction';
  if (name === '' || heading.includes('%')) return 'ignored';
  if (name === 'ch') return 'record';
  for (const [role, pattern] of headings)
    if (pattern.test(name) && (cells.length === 0 || (holds[role]?.(cells) ?? true))) return role;
  return 'ignored';
};

/** Roles that only one column has, with the words of the columns that come first. */
const single: readonly (readonly [ColumnRole, RegExp])[] = [
  ['order', /merchant|order|bestell|auftrag|commande|pedido|ordine|zamow/],
  ['approval', /code|genehm|auth/],
  ['card', /number|nummer|pan|last/],
  ['kind', /transaction|type|art\b|event|vorgang/],
  [
    'day',
    /sale|umsatz|transa|creation|purchase|payment|initiation|vente|venta|sprzeda|kauf|opera|achat|compra|acquist/,
  ],
  ['settled', /settle|abrechnung|contab|compta|book|buchung/],
  ['amount', /gross|brutto|brut|bruto|lordo/],
  ['net', /net/],
  ['currency', /gross|brutto|transaction|^(?!.*(net|fee)).*/],
  ['direction', /transaction|gross|^(?!.*(net|fee)).*/],
  ['batch', /batch/],
  ['zone', /./],
  ['time', /./],
  ['debit', /gross|brutto/],
  ['credit', /gross|brutto/],
  ['net-debit', /./],
  ['net-credit', /./],
  ['status', /transaction|payment|zahlung|operac/],
];

/** The rows of headings that are looked for, from the top of a file. */
const maxHeadingRow = 60;
/** Rows whose content decides about a column. */
const sampleRows = 400;

/** The columns of a file: where its rows begin, and what each column contains. */
export type Columns = {
  /** The number of rows before the first one with content, with the headings. */
  from: number;
  headings: readonly string[];
  roles: readonly ColumnRole[];
  /** Of files with the same headings: what a person decided about one holds for the next. */
  sender: string;
};

const headingScore = (cells: readonly string[]): number => {
  const roles = new Set(cells.map(cell => (cell.length > 60 ? 'ignored' : roleOf(cell, []))));
  roles.delete('ignored');
  const hasFigures = cells.some(cell => /^[-(]?\d/.test(cell.trim()));
  return hasFigures ? 0 : roles.size;
};

/** The cells of a column that are not empty. */
const cellsOf = (rows: readonly Row[], column: number): string[] =>
  rows.flatMap(({ cells }) => {
    const cell = cells[column]?.trim() ?? '';
    return cell === '' ? [] : [cell];
  });

/** Proposes what the columns of a table contain, by their headings and by what they hold. */
export const proposeColumns = (rows: readonly Row[], known: KnownReferences): Columns => {
  let at = -1;
  let best = 1;
  for (const [index, row] of rows.slice(0, maxHeadingRow).entries()) {
    const score = headingScore(row.cells);
    if (score > best) [at, best] = [index, score];
  }
  const heads = rows[at]?.cells ?? [];
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const isRecord = plainHeading(heads[0] ?? '') === 'ch';
  const sample = rows
    .slice(at + 1)
    .filter(({ cells }) => cells.length >= width / 2 && (!isRecord || cells[0] === 'SB'))
    .slice(0, sampleRows);
  const content = Array.from({ length: width }, (_, column) => cellsOf(sample, column));
  const roles = content.map((cells, column): ColumnRole => {
    const share = (test: (cell: string) => boolean): number =>
      cells.length < 2 ? 0 : cells.filter(test).length / cells.length;
    if (share(known.isOrder) >= 0.5) return 'order';
    if (share(known.isReference) >= 0.5) return 'reference';
    if (share(cell => wordsOf(cell).some(known.isOrder)) >= 0.5) return 'text';
    const role = roleOf(heads[column] ?? '', cells);
    if (role !== 'ignored' || heads[column] !== undefined) return role;
    // Without headings only what is certain by its content.
    if (cells.length === 0) return 'ignored';
    if (holds.currency?.(cells) === true) return 'currency';
    if (holds.day?.(cells) === true) return 'day';
    return 'ignored';
  });
  for (const [role, preferred] of single) {
    const columns = roles.flatMap((one, column) => (one === role ? [column] : []));
    const rank = (column: number): number => {
      const hits = content[column]?.filter(known.isOrder).length ?? 0;
      return (
        (role === 'order' && hits > 0 ? 4 : 0) +
        (role === 'kind' && content[column]?.some(cell => kindOfWord(cell) !== null) ? 4 : 0) +
        (role === 'status' && content[column]?.some(isUndone) ? 4 : 0) +
        (preferred.test(plainHeading(heads[column] ?? '')) ? 2 : 0) +
        ((content[column]?.length ?? 0) > 0 ? 1 : 0)
      );
    };
    const [chosen] = columns.toSorted((one, other) => rank(other) - rank(one) || one - other);
    for (const column of columns)
      if (column !== chosen)
        roles[column] =
          role === 'order'
            ? 'reference'
            : role === 'day' && !roles.includes('settled')
              ? 'settled'
              : 'ignored';
  }
  // What is paid out is the amount where no other is named.
  if (!roles.some(role => role === 'amount' || role === 'credit') && roles.includes('net'))
    roles[roles.indexOf('net')] = 'amount';
  return {
    from: at + 1,
    headings: heads.slice(0, width),
    roles,
    sender: hash('sha256', JSON.stringify(heads.map(plainHeading))).slice(0, 16),
  };
};
