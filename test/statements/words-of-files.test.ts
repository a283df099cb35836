import { expect, test } from 'vitest';
import { agree, type Agreement } from '../../main/statements/agree.ts';
import { encodingOf } from '../../main/statements/files/decode.ts';
import type { Movement } from '../../main/statements/movements.ts';
import { readStatement, recognise } from '../../main/statements/read-statement.ts';

/** Four payments as files of many providers write them: the words are theirs, the money is the same. */

const movement = (order: string, kind: Movement['kind'], cents: bigint, day = '2026-11-02'): Movement => ({
  key: `${kind} ${order}`,
  orderNumber: order,
  paymentId: `id-${order}`,
  kind,
  amount: cents,
  currency: 'EUR',
  day,
  at: Date.parse(day),
  rrn: null,
  approval: null,
  card: null,
});
const movements = [
  movement('004028', 'sale', 8_900n),
  movement('000190', 'sale', 31_411n),
  movement('004119', 'sale', 5_000n),
  movement('004119', 'refund', -2_000n),
  movement('005015', 'sale', 38_196n),
  movement('005015', 'chargeback', -38_196n, '2026-11-20'),
];

const compare = async (text: string): Promise<Agreement> => {
  const file = await recognise({ name: 'file.csv', bytes: Buffer.from(text), sha256: '' }, null);
  return agree(readStatement(file, movements, { mapping: null, zone: null }).lines, movements);
};

/** The rows of the month; `back`: the sign of money that went back. */
const rows = (
  row: (order: string, kind: 0 | 1 | 2, amount: string, day: string) => string,
  back = '',
): string =>
  [
    row('004028', 0, '89.00', '2026-11-02'),
    row('000190', 0, '314.11', '2026-11-02'),
    row('004119', 0, '50.00', '2026-11-02'),
    row('004119', 1, `${back}20.00`, '2026-11-02'),
    row('005015', 0, '381.96', '2026-11-02'),
    row('005015', 2, `${back}381.96`, '2026-11-20'),
  ].join('\n');
const withKinds = (heading: string, ...words: [string, string, string]): string =>
  `Date,Order number,${heading},Amount,Currency\n${rows((order, kind, amount, day) => `${day},${order},${words[kind]},${amount},EUR`)}`;
const withText = (text: string): string =>
  `Date,Description,Amount,Currency\n${rows((order, _, amount, day) => `${day},${text} ${order},${amount},EUR`, '-')}`;

test.each<[string, string]>([
  ['in Spanish', withKinds('Tipo', 'Autorización', 'Devolución', 'Retrocesión')],
  ['in Italian', withKinds('Tipo', 'Incasso', 'Rimborso', 'Contestazione')],
  ['in Polish', withKinds('Rodzaj', 'Wpłata', 'Zwrot', 'Obciążenie zwrotne')],
  ['in German, as one word', withKinds('Transaktionsart', 'Zahlung', 'Rückzahlung', 'Rueckbelastung')],
  ['in unknown words', withKinds('Type', 'Uno', 'Due', 'Tre')],
  ['of a provider with "Charged back"', withKinds('Type', 'Paid', 'Refunded', 'CHARGED_BACK')],
  [
    'with the direction in a separate column',
    `Date,Order number,Sens,Amount,Currency\n${rows((order, kind, amount, day) => `${day},${order},${['Crédit', 'Débit', 'Impayé'][kind]},${amount},EUR`)}`,
  ],
  ['with a text of the shop that sounds like a refund', withText('Room cancellation insurance')],
  ['with a text of the shop that sounds like a fee', withText('Kostenbeitrag')],
  ['with a text of the shop that sounds like a deposit', withText('Deposit')],
  [
    'with a total in a middle column',
    `${withKinds('Type', 'Sale', 'Refund', 'Chargeback')}\n,,Grand Total,433.11,EUR`,
  ],
  [
    'with a title in capitals',
    `ALL TRANSACTIONS OF TOP HOTEL\n\n${withKinds('Type', 'Sale', 'Refund', 'Chargeback')}`,
  ],
  [
    'with a prefix before each order number',
    `Date,Reference,Amount,Currency\n${rows((order, _, amount, day) => `${day},RE-2026-${order},${amount},EUR`, '-')}`,
  ],
  [
    'with the balance in a column',
    `Datum;Bestellnummer;Betrag;Guthaben;Währung\n${rows((order, _, amount, day) => `${day};${order};${amount.replace('.', ',')};1.000,00;EUR`, '-')}`,
  ],
  [
    'without a day, of a product that is called like a total',
    `Order number,Product,Amount,Currency\n${rows((order, _, amount) => `${order},Total Fitness,${amount},EUR`, '-')}`,
  ],
  [
    'without a day',
    `Order number,Amount,Currency\n${rows((order, _, amount) => `${order},${amount},EUR`, '-')}`,
  ],
  [
    'with days as a person writes them',
    `Date;Order number;Amount;Currency\n${rows((order, _, amount, day) => `${day.split('-').toReversed().join('.')}, 08:22 Uhr;${order};${amount};EUR`, '-')}`,
  ],
])('a statement agrees %s', async (_, text) => {
  const { agreed, onlyHere, onlyThere, different, notRead, totals, period } = await compare(text);
  expect({ agreed: agreed.length, onlyHere, onlyThere, different, notRead }).toEqual({
    agreed: 6,
    onlyHere: [],
    onlyThere: [],
    different: [],
    notRead: [],
  });
  expect(totals).toMatchObject([{ currency: 'EUR', gross: '433.11' }]);
  expect(period).not.toBeNull();
});

test.each(['Declined', 'Pending', 'Expired', 'Abgelehnt', 'Denegada', 'Rifiutata'])(
  'a row with the status %s is no payment: the payment that it names is missing, and the row is listed',
  async status => {
    const [heading = '', first = '', ...rest] = `Date,Order number,Status,Amount,Currency\n${rows(
      (order, kind, amount, day) =>
        `${day},${order},${['Completed', 'Refunded', 'Charged back'][kind]},${amount},EUR`,
      '-',
    )}`.split('\n');
    const found = await compare([heading, first.replace('Completed', status), ...rest].join('\n'));
    expect(found.notRead).toEqual([{ line: 2, why: 'not-made' }]);
    expect(found.onlyHere.map(({ orderNumber }) => orderNumber)).toEqual(['004028']);
    expect(found.agreed).toHaveLength(5);
  },
);

test.each<[string, string, (net: number) => string, string]>([
  ['and its tax in two columns', 'Fee,VAT,Net', net => `1.00,0.20,${(net - 1.2).toFixed(2)}`, '7.20'],
  ['beside a rate', 'Fee %,Fee,Net', net => `1.4,1.00,${(net - 1).toFixed(2)}`, '6.00'],
  ['in German', 'Provision,Netto', net => `1.00,${(net - 1).toFixed(2)}`, '6.00'],
])('the fee of a statement is what is between gross and net: %s', async (_, headings, cells, fees) => {
  const text = `Date,Order number,Gross,${headings},Currency\n${rows(
    (order, __, amount, day) => `${day},${order},${amount},${cells(Number(amount))},EUR`,
    '-',
  )}`;
  const { totals } = await compare(text);
  expect(totals).toEqual([
    { currency: 'EUR', gross: '433.11', fees, net: (433.11 - Number(fees)).toFixed(2) },
  ]);
});

test('the fee of a chargeback is a fee', async () => {
  const text = `${withKinds('Type', 'Payment', 'Refund', 'Chargeback')}\n2026-11-20,,Chargeback Fee,15.00,EUR`;
  const { totals, onlyThere } = await compare(text);
  expect(onlyThere).toEqual([]);
  expect(totals).toMatchObject([{ fees: '15.00' }]);
});

test.each<[string, Buffer, string]>([
  ['Swiss apostrophes between digits', Buffer.from('Betrag\n3\x92141.10', 'latin1'), 'windows-1252'],
  ['Czech headings', Buffer.from('\xc8\xe1stka;M\xecna', 'latin1'), 'windows-1250'],
  ['Italian words', Buffer.from('Attivit\xe0;gi\xf9;cos\xec', 'latin1'), 'windows-1252'],
])('the encoding of a file is found by %s', (_, bytes, encoding) => {
  expect(encodingOf(bytes)).toBe(encoding);
});

test('a bank’s own sign before the subfields of MT940 does not cut an order number that wraps', async () => {
  const booking =
    ':61:2611021102C89,00S051NONREF\n:86:051~00VE02~20Wplata za zam 00~214028 dziekujemy~32SHOP SA';
  const { agreed } = await compare(
    `:20:MT940\n:25:/PL25\n:28C:1\n:60F:C261031EUR1,00\n${booking}\n:62F:C261130EUR9,00`,
  );
  expect(agreed).toMatchObject([{ orderNumber: '004028', rule: 'order-in-text' }]);
});

test('a payment that is in no line is missing, though money of another order with its payment id went back', () => {
  const shared = { paymentId: 'one-id' };
  const here = [
    movement('004028', 'sale', 8_900n),
    { ...movement('000190', 'sale', 5_000n), ...shared },
    { ...movement('004119', 'refund', -5_000n), ...shared },
  ];
  const statement = {
    lines: [],
    notRead: [],
    skipped: 0,
    period: { first: '2026-11-01', last: '2026-11-30' },
  };
  expect(agree(statement, here).onlyHere.map(({ orderNumber }) => orderNumber)).toEqual([
    '004028',
    '000190',
    '004119',
  ]);
});
