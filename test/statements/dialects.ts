import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One month in the dialects of further providers and banks, made from the provider's file among the fixtures. */

export const fixtures = join(import.meta.dirname, '..', 'fixtures', 'statements');

type Row = {
  id: string;
  order: string;
  /** `2026-11-01 08:22:00` */
  stamp: string;
  kind: 'sale' | 'refund' | 'chargeback';
  /** Decimal texts; `gross` and `net` with a minus sign for what went back. */
  gross: string;
  fee: string;
  net: string;
  batch: string;
};

const kinds = { Settled: 'sale', Refunded: 'refund', Chargeback: 'chargeback' } as const;

/** The movements of the provider's file, without its payouts. */
export const rows: readonly Row[] = readFileSync(join(fixtures, 'psp-en.csv'), 'utf8')
  .split(/\r?\n/)
  .slice(1)
  .flatMap(line => {
    const cells = line.replaceAll('"', '').split(',');
    const [, id = '', order = '', , stamp = '', , type = '', , debit = '', credit = ''] = cells;
    const [netDebit = '', netCredit = '', fee = '', batch = ''] = cells.slice(11);
    const kind = type in kinds ? kinds[type as keyof typeof kinds] : null;
    if (kind === null) return [];
    const signed = (minus: string, plus: string): string => (plus === '' ? `-${minus}` : plus);
    return [
      { id, order, stamp, kind, gross: signed(debit, credit), fee, net: signed(netDebit, netCredit), batch },
    ];
  });

const size = (amount: string): string => amount.replace('-', '');
const cents = (amount: string): string => String(Number(size(amount).replace('.', '')));
const day = (stamp: string, order: readonly (0 | 1 | 2)[], mark: string): string => {
  const parts = stamp.slice(0, 10).split('-');
  return order.map(at => parts[at]).join(mark);
};
/** 1234.50 as 1.234,50, with any two marks. */
const grouped = (amount: string, group: string, decimal: string): string => {
  const [whole = '', fraction = ''] = amount.split('.');
  return `${whole.replaceAll(/\B(?=(\d{3})+$)/g, group)}${decimal}${fraction}`;
};

const recordTypes = (): string => {
  const codes = { sale: 'T0006', refund: 'T1107', chargeback: 'T1201' };
  return [
    '"RH","2026-12-01 03:00:00 +0000","A","ACC1","011"',
    '"SH","2026-11-01 00:00:00 +0000","2026-11-30 23:59:59 +0000","ACC1",""',
    '"CH","Transaction ID","Invoice ID","Transaction Event Code","Transaction Initiation Date","Transaction Debit or Credit","Gross Transaction Amount","Gross Transaction Currency","Fee Debit or Credit","Fee Amount","Fee Currency"',
    ...rows.map(
      ({ id, order, kind, stamp, gross, fee }) =>
        `"SB","${id}","${order}","${codes[kind]}","${day(stamp, [0, 1, 2], '/')} ${stamp.slice(11)} +0000","${gross.startsWith('-') ? 'DR' : 'CR'}","${cents(gross)}","EUR","DR","${cents(fee)}","EUR"`,
    ),
    `"SF","EUR","99","0"`,
    `"SC","${rows.length}"`,
  ].join('\r\n');
};

const deductions = (): string =>
  [
    'Date,Payment method,Currency,Amount,Status,ID,Description,Consumer name,Settlement amount,Fee',
    ...rows.map(
      ({ id, order, kind, stamp, gross, fee, net }) =>
        `${stamp.slice(0, 10)},creditcard,EUR,${gross},${{ sale: 'paid', refund: 'refund', chargeback: 'charged back' }[kind]},tr_${id.slice(0, 8)},Order ${order},Jane Doe,${net},${fee}`,
    ),
  ].join('\n');

const onePerPayment = (): string =>
  [
    '#period: 2026-11-01 ~ 2026-11-30',
    'settlementBatchId,transactionId,originalTransactionId,merchantRequestId,transactionType,paymentTime,transactionAmount,transactionCurrency,feeAmount,settlementAmount',
    ...rows.map(
      ({ id, order, kind, stamp, gross, fee, net, batch }) =>
        `${batch},${kind === 'sale' ? id : `R-${id.slice(0, 8)}`},${kind === 'sale' ? '' : id},${order},${{ sale: 'PAYMENT', refund: 'REFUND', chargeback: 'DISPUTE' }[kind]},${stamp.replace(' ', 'T')}+00:00,${gross},EUR,${fee},${net}`,
    ),
    '<END>',
  ].join('\n');

const italian = (): string =>
  [
    'Data operazione;Ora;Tipo operazione;Codice ordine;Importo lordo;Commissioni;Importo netto;Divisa',
    ...rows.map(
      ({ order, kind, stamp, gross, fee, net }) =>
        `${day(stamp, [2, 1, 0], '/')};${stamp.slice(11, 16)};${{ sale: 'Vendita', refund: 'Rimborso', chargeback: 'Storno' }[kind]};${order};${grouped(gross, '.', ',')};${fee.replace('.', ',')};${grouped(net, '.', ',')};EUR`,
    ),
    'Totale;;;;1,00;;;',
  ].join('\n');

const french = (): string =>
  [
    'Relevé des encaissements',
    'Date de vente;N° commande;Opération;Débit;Crédit;Frais;Devise',
    ...rows.map(
      ({ order, kind, stamp, gross, fee }) =>
        `${day(stamp, [2, 1, 0], '/')};${order};${{ sale: 'Vente', refund: 'Remboursement', chargeback: 'Impayé' }[kind]};${gross.startsWith('-') ? grouped(size(gross), '\u00a0', ',') : ''};${gross.startsWith('-') ? '' : grouped(gross, '\u00a0', ',')};${fee.replace('.', ',')};EUR`,
    ),
  ].join('\n');

/** Unsigned, with its direction in a word alone. */
const polish = (): string =>
  [
    'Data transakcji;Typ;Numer zamówienia;Kwota brutto;Prowizja;Waluta',
    ...rows.map(
      ({ order, kind, stamp, gross, fee }) =>
        `${day(stamp, [2, 1, 0], '.')};${{ sale: 'Sprzedaż', refund: 'Zwrot', chargeback: 'Obciążenie zwrotne' }[kind]};${order};${size(gross).replace('.', ',')};${fee.replace('.', ',')};EUR`,
    ),
  ].join('\n');

/** As a spreadsheet saves it: no leading zeros, negative amounts in parentheses. */
const spreadsheet = (): string =>
  [
    'Date\tOrder number\tType\tAmount\tFee\tCurrency',
    ...rows.map(
      ({ order, kind, stamp, gross, fee }) =>
        `${day(stamp, [1, 2, 0], '/')}\t${Number(order)}\t${kind}\t${gross.startsWith('-') ? `(${grouped(size(gross), ',', '.')})` : `"${grouped(gross, ',', '.')}"`}\t${fee}\tEUR`,
    ),
  ].join('\r\n');

/** Each payment booked on its own, two days later, among bookings of another kind. */
const mt940 = (): string =>
  [
    ':20:STARTUMSE',
    ':25:12030000/0000202051',
    ':60F:C261031EUR1000,00',
    ':61:2611021102D750,00NTRFNONREF',
    ':86:177?00UEBERWEISUNG?20EREF+RENT-11?21SVWZ+Rent November?32Landlord',
    ...rows.flatMap(({ order, kind, stamp, gross }) => {
      const booked = new Date(Date.parse(`${stamp.slice(0, 10)}T12:00Z`) + 2 * 86_400_000)
        .toISOString()
        .slice(2, 10)
        .replaceAll('-', '');
      const word = { sale: 'PURCHASE', refund: 'REFUND', chargeback: 'CHARGEBACK' }[kind];
      return [
        `:61:${booked}${booked.slice(2)}${gross.startsWith('-') ? 'D' : 'C'}${size(gross).replace('.', ',')}NTRFNONREF`,
        `:86:166?00CARD?20EREF+${order.slice(0, 3)}?21${order.slice(3)}SVWZ+CARD ${word}?32ACQUIRER`,
      ];
    }),
    ':62F:C261130EUR9999,99',
    '-',
  ].join('\r\n');

/** A bank's own CSV: the order in a text, the direction in a word, another booking among them. */
const dutchBank = (): string =>
  [
    'Datum;Tegenrekening;Af Bij;Bedrag (EUR);Mutatiesoort;Mededelingen',
    '20261102;NL02;Af;750,00;Overschrijving;Huur november',
    ...rows.map(
      ({ order, stamp, gross }) =>
        `${day(stamp, [0, 1, 2], '')};NL03;${gross.startsWith('-') ? 'Af' : 'Bij'};${size(gross).replace('.', ',')};Verzamelbetaling;Order ${order} kenmerk`,
    ),
  ].join('\n');

/** The sign of the currency behind each amount, in code page 1252. */
const spanish = (): string =>
  [
    'Extracto de liquidaciones',
    'Fecha operación;Nº pedido;Tipo de operación;Importe;Comisión',
    ...rows.map(
      ({ order, kind, stamp, gross, fee }) =>
        `${day(stamp, [2, 1, 0], '-')};${order};${{ sale: 'Venta', refund: 'Devolución', chargeback: 'Retrocesión' }[kind]};${grouped(gross, '.', ',')} \u0080;${fee.replace('.', ',')} \u0080`,
    ),
    'TOTAL;;;1,00 \u0080;',
  ].join('\n');

const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');
/** Code page 1250, as far as the text above needs it. */
const cp1250 = (text: string): Buffer =>
  Buffer.from(Array.from(text, sign => ({ ó: 0xf3, ż: 0xbf, ą: 0xb9 })[sign] ?? sign.codePointAt(0) ?? 0x3f));

/** Each dialect as bytes, and whether it names fees. */
export const dialects: readonly (readonly [name: string, bytes: () => Buffer, hasFees: boolean])[] = [
  ['record types with unsigned minor units', () => Buffer.from(recordTypes()), true],
  ['revenue and deductions, the order in a text', () => Buffer.from(deductions()), true],
  [
    'one line a payment, the original of a refund in a further column',
    () => Buffer.from(onePerPayment()),
    true,
  ],
  ['Italian with commas and a total', () => Buffer.from(italian(), 'latin1'), true],
  ['French with debit and credit, grouped by blanks', () => Buffer.from(french(), 'latin1'), true],
  ['Polish in code page 1250, without signs', () => cp1250(polish()), true],
  ['a spreadsheet in UTF-16 with tabs', () => utf16(spreadsheet()), true],
  ['Spanish with signs of the currency', () => Buffer.from(spanish(), 'latin1'), true],
  ['a bank’s CSV with the order in a text', () => Buffer.from(dutchBank()), false],
  ['MT940, references that wrap', () => Buffer.from(mt940()), false],
];
