import type { LineKind } from '../../../shared/statements/statement-kinds.ts';
import { plainWords } from './plain-words.ts';

/** The kinds of lines by the words of providers and banks in the languages of their files, gravest first. */
const words: readonly (readonly [LineKind, RegExp])[] = [
  // Also the fee of a chargeback.
  ['fee', /\bfees?\b|gebuhr\b|gebuehr\b|\bfrais\b/],
  [
    'chargeback',
    /charged? ?back|contestazion|rucklastschrift|\bcbk?\b|ruckbelastung|ruckbuchung|ruckgabe|impaye|contracargo|retrocesion|retroces|terugboeking|obciazenie zwrotne|storno addebito|riaddebito|disput|reklamat|\bt12\d\d\b|\bt1106\b|estorno/,
  ],
  [
    'refund',
    /refund|\breturns?\b|reversal|\bcredit\b|ruckzahlung|refusion|\bretur\b|vratk|gutschrift|erstattung|rembours|reembolso|devolu|rimborso|terugbetaling|retour|zwrot|avoir|\bt1107\b|\bvoid|cancel|storn|annul|anul|\bt11\d\d\b|aterbetal|credit note/,
  ],
  [
    'payout',
    /pay ?out|auszahlung|abbuchung|uberweisung|virement|versement|transferencia|bonifico|uitbetaling|wyplata|withdrawal|\bt04\d\d\b|bank transfer|liquidacion|settlement transfer|disbursement/,
  ],
  [
    'fee',
    /gebuhr|entgelt|disagio|provision|comision|commission|commissi|kosten|prowizj|oplat|\bt01\d\d\b|tarifa|abonn/,
  ],
  [
    'other',
    /reserve|ruckstellung|adjust|korrektur|anpassung|correct|balance|saldo|deposit|invoice deduction|ajust|rettifica/,
  ],
  [
    'sale',
    /settled|\bpaid\b|sale|kauf|incasso|\bkob\b|\bkop\b|wplat|platb|\bcobro|payment|purchase|capture|zahlung|umsatz|vente|achat|paiement|\bpago|pagam|compra|venta|vendita|acquist|verko|betaling|aankoop|sprzedaz|platnosc|zakup|encaiss|transac|\bt00\d\d\b|lastschrift|belastung|charge|card|karte/,
  ],
];

/** Words that turn a kind around: a chargeback that was won, a refund that came back. */
const turned =
  /revers|\bwon\b|gewonnen|representment|second|wieder|returned|retourn|zuruck|gagne|recover|cancel|storn|annul/;

export type KindWord = { kind: LineKind; isTurned: boolean };

/** The texts of one column recur. */
const maxRemembered = 10_000;
const remembered = <T>(of: (text: string) => T): ((text: string) => T) => {
  const known = new Map<string, T>();
  return text => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const result = of(text);
    if (known.size < maxRemembered) known.set(text, result);
    return result;
  };
};

/** What a word of a file means; null if it is unknown. */
export const kindOfWord = remembered((text): KindWord | null => {
  const word = plainWords(text).replaceAll('rueck', 'ruck');
  const kind = words.find(([, pattern]) => pattern.test(word))?.[0];
  // "Chargeback reversal" is the end of one; a "reversal" of a chargeback's fee is a fee.
  return kind === undefined ? null : { kind, isTurned: kind === 'chargeback' && turned.test(word) };
});

const isTotal = remembered(text =>
  /^(sum|saldo|balance|end\b|ende\b|eof\b|lacznie|count\b|anzahl|footer|fin\b)|\b(total|gesamt|somme|suma|summa|razem|celkem|ogolem|i alt)\b|summe\b|sub ?total|totaal|totale?\b|totalt/.test(
    plainWords(text),
  ),
);

/** Whether a row says that it is a sum, in a short text without digits. */
export const isTotalRow = (cells: readonly string[]): boolean =>
  cells.some(cell => cell.length <= 40 && !/\d/.test(cell) && isTotal(cell));

/** What did not happen, in a column for the status of a payment. */
const undone =
  /declin|fail|pending|expire|denied|reject|refus|error|abandon|incomplete|processing|unpaid|blocked|memo\b|cancel|void|abgelehnt|fehlgeschlagen|ausstehend|abgebrochen|storn|annul|anulad|echou|en attente|rechaz|denegad|pendiente|rifiut|negat|in attesa|geweigerd|mislukt|odrzuc|nieudan|oczek|avvis|nekad|misslyck|zamitn/;

/** Whether a payment's status says that no money moved. */
export const isUndone = remembered(text => undone.test(plainWords(text)));
