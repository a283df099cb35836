import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { payoutsOf } from '../../main/app/statements/compare-month.ts';
import { writeStatement, type SandboxMovement } from '../../main/statements/write-sample.ts';
import { agree, type Agreement } from '../../main/statements/agree.ts';
import { paymentsOfCallbacks } from '../../main/statements/callbacks-of-file.ts';
import { openStatement } from '../../main/statements/files/open-file.ts';
import { movementsOf, type Movement } from '../../main/statements/movements.ts';
import { readStatement, recognise, type ReadStatement } from '../../main/statements/read-statement.ts';
import type { Mapping } from '../../shared/statements/mapping.schema.ts';
import { createWorkbook } from '../../main/export/workbook.ts';
import { dialects, fixtures, rows } from './dialects.ts';

/** Statements of one month against its signed callbacks. */

const password = readFileSync(join(fixtures, 'password.txt'), 'utf8').trim();
const {
  rows: payments,
  callbacks,
  unverified,
} = paymentsOfCallbacks(readFileSync(join(fixtures, 'callbacks.txt')), [
  { profileId: 'file', password, digest: 'md5' },
]);
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
const movements = payments.flatMap(row => movementsOf(row, dayOf));

const read = async (
  bytes: Buffer,
  { mapping = null, here = movements }: { mapping?: Mapping | null; here?: readonly Movement[] } = {},
): Promise<ReadStatement> =>
  readStatement(await recognise({ name: 'file', bytes, sha256: '' }, null), here, { mapping, zone: null });
const compare = async (bytes: Buffer): Promise<Agreement> => agree((await read(bytes)).lines, movements);
const compareText = (text: string): Promise<Agreement> => compare(Buffer.from(text));

type Expected = {
  agreed: [order: string, kind: string][];
  onlyHere: [order: string, kind: string, amount: string][];
  onlyThere: [reason: string, order: string, amount: string][];
  different: [order: string, kind: string, ours: string, theirs: string][];
  gross: string;
  fees: string;
  payouts?: [batchOrDay: string, net: string][];
};
const expectedOf = (name: string): Expected =>
  JSON.parse(readFileSync(join(fixtures, `${name}.expected.json`), 'utf8')) as Expected;

/** In any order. */
const set = (of: readonly (readonly (string | null)[])[]): Set<string> =>
  new Set(of.map(one => one.join(' ')));

const expectLists = (found: Agreement, expected: Expected): void => {
  expect(found.agreed).toHaveLength(expected.agreed.length);
  expect(set(found.agreed.map(({ orderNumber, kind }) => [orderNumber, kind]))).toEqual(set(expected.agreed));
  const signed = (kind: string, amount: string): string => (kind === 'sale' ? amount : `-${amount}`);
  expect(set(found.onlyHere.map(({ orderNumber, kind, amount }) => [orderNumber, kind, amount]))).toEqual(
    set(expected.onlyHere.map(([order, kind, amount]) => [order, kind, signed(kind, amount)])),
  );
  // Not every file names the order of a payment that is not here.
  const there = found.onlyThere.map(({ reason, kind, amount }) => {
    const size = amount?.replace('-', '') ?? '';
    expect(amount).toBe(signed(kind, size));
    return [reason, size];
  });
  expect(set(there)).toEqual(set(expected.onlyThere.map(([reason, , amount]) => [reason, amount])));
  expect(
    set(found.different.map(({ orderNumber, kind, ours, theirs }) => [orderNumber, kind, ours, theirs])),
  ).toEqual(
    set(
      expected.different.map(([order, kind, ours, theirs]) => [
        order,
        kind,
        signed(kind, ours),
        signed(kind, theirs),
      ]),
    ),
  );
};

test('every callback of the month verifies, and each movement is in the books once', () => {
  expect({ callbacks, unverified, movements: movements.length }).toEqual({
    callbacks: 218,
    unverified: 0,
    movements: 212,
  });
});

describe.each(['psp-en.csv', 'acquirer-de.csv', 'bank.camt053.xml'])('%s', name => {
  test('gives the four lists, sums and payouts that were planted, and asks nothing', async () => {
    const file = await openStatement(join(fixtures, name));
    const statement = await read(file.bytes);
    expect(statement.questions).toEqual([]);
    const found = agree(statement.lines, movements);
    const expected = expectedOf(name);
    expectLists(found, expected);
    expect(found.notRead).toEqual([]);
    expect(found.totals).toMatchObject([{ currency: 'EUR', gross: expected.gross, fees: expected.fees }]);
    if (expected.payouts)
      expect(found.payouts.map(({ batch, first, net }) => [batch ?? first, net])).toEqual(expected.payouts);
  });
});

test('a payout that its lines do not add up to says so', async () => {
  const { payouts } = await compare(readFileSync(join(fixtures, 'psp-en.csv')));
  expect(payouts.filter(({ agrees }) => !agrees).map(({ batch }) => batch)).toEqual(['304']);
});

test.each(['provider', 'bank'] as const)(
  "a payout of the sandbox's provider has the bank's line in the statement of the %s",
  async dialect => {
    const made = [8, 9, 10, 11].map((hour, index): SandboxMovement => ({
      kind: 'sale',
      orderNumber: `CF-20261129-${index}`,
      paymentId: `00000000-0000-4000-8000-00000000000${index}`,
      amount: 5_000n + BigInt(index),
      currency: 'EUR',
      at: Date.UTC(2026, 10, 29, hour),
      rrn: `10000000000${index}`,
      approval: null,
      card: '1111',
    }));
    const compared = await Promise.all(
      (['provider', 'bank'] as const).map(async of => ({
        statement: of,
        isOfBank: of === 'bank',
        agreement: await compare(writeStatement(made, of).bytes),
      })),
    );
    const payouts = payoutsOf(compared).filter(({ statement }) => statement === dialect);
    expect(payouts.map(({ bankLine, agrees }) => [bankLine, agrees])).toEqual([[5, true]]);
  },
);

describe('further dialects', () => {
  test.each(dialects)('%s: the same month gives the same lists', async (_, bytes, hasFees) => {
    const statement = await read(bytes());
    expect(statement.questions).toEqual([]);
    const found = agree(statement.lines, movements);
    const expected = expectedOf('psp-en.csv');
    expectLists(found, expected);
    expect(found.totals).toMatchObject([
      { currency: 'EUR', gross: expected.gross, fees: hasFees ? expected.fees : '0.00' },
    ]);
  });

  test('a workbook, with numbers and dates as such', async () => {
    const workbook = createWorkbook();
    workbook.addSheet({
      name: 'Settlement',
      header: ['Order number', 'Type', 'Sale date', 'Gross', 'Currency'].map(text => ({
        text,
        width: 20,
        isNumber: false,
      })),
      rows: rows.map(({ order, kind, stamp, gross }) => [
        { kind: 'text', text: order },
        { kind: 'text', text: kind },
        { kind: 'day', day: stamp.slice(0, 10) },
        { kind: 'amount', minor: BigInt(gross.replace('.', '')), currency: 'EUR' },
        { kind: 'text', text: 'EUR' },
      ]),
      hasFilter: false,
    });
    expectLists(await compare(Buffer.from(await workbook.bytes())), expectedOf('psp-en.csv'));
  });
});

describe('what a file leaves open', () => {
  const line = (order: string, day: string, amount: string): string => `${order};${day};${amount};EUR;Sale`;
  const head = 'Order number;Sale date;Amount;Currency;Type';

  test('is decided by the payments that it names, where they prove one reading', async () => {
    const proven = await read(Buffer.from([head, line('004028', '01/11/2026', '8900')].join('\n')));
    expect(proven).toMatchObject({ conventions: { numbers: 'minor', dates: 'dmy' }, questions: [] });
  });

  test('is asked where nothing here proves it, and answered by a mapping', async () => {
    const bytes = Buffer.from([head, line('773160', '03/04/2026', '4200')].join('\n'));
    const open = await read(bytes);
    expect(open.questions).toEqual([
      { about: 'numbers', choices: ['point', 'minor'] },
      { about: 'dates', choices: ['dmy', 'mdy'] },
    ]);
    const answered = await read(bytes, { mapping: { columns: {}, numbers: 'minor', dates: 'mdy' } });
    expect(answered.questions).toEqual([]);
    expect(answered.lines.lines).toMatchObject([{ day: '2026-03-04', gross: 4_200n }]);
  });

  test('a line that cannot be read is listed, and takes no other one with it', async () => {
    const found = await compareText(
      [
        head,
        line('004028', '2026-11-01', '89.00'),
        line('000190', '2026-11-01', '3x4'),
        line('', '2026-11-01', ''),
      ].join('\n'),
    );
    expect(found.notRead).toEqual([{ line: 3, why: 'amount' }]);
    expect(found.agreed.map(({ orderNumber }) => orderNumber)).toEqual(['004028']);
  });
});

describe('matching', () => {
  const head = 'Order number;RRN;Approval code;Card number;Sale date;Amount;Currency;Type';
  const [first] = movements;
  const of = (
    changes: Partial<
      Record<'order' | 'rrn' | 'approval' | 'card' | 'day' | 'amount' | 'currency' | 'kind', string>
    >,
  ): string => {
    const {
      order = '',
      rrn = '',
      approval = '',
      card = '',
      day = '2026-11-01',
      amount = '89.00',
      currency = 'EUR',
      kind = 'Sale',
    } = changes;
    return [order, rrn, approval, card, day, amount, currency, kind].join(';');
  };
  const resultOf = (...lines: string[]): Promise<Agreement> => compareText([head, ...lines].join('\n'));

  test.each([
    ['rrn', { rrn: '994976425718' }],
    ['approval', { approval: '756531', card: '**** 8205' }],
    ['order-number', { order: '004028' }],
    ['order-number', { order: '4028' }],
    ['amount-day-card', { card: '411111******8205' }],
  ])('a line is matched by %s alone: %o', async (rule, named) => {
    expect(first?.orderNumber).toBe('004028');
    const { agreed } = await resultOf(of(named));
    expect(agreed).toMatchObject([{ orderNumber: '004028', rule }]);
  });

  test('another currency, another amount and a day of another week are differences with both values', async () => {
    const { different, agreed } = await resultOf(
      of({ order: '004028', currency: 'USD' }),
      of({ order: '000190', amount: '314.12' }),
      of({ order: '004035', amount: '749.90', day: '2026-11-09' }),
      ...[
        '000232;;;;2026-11-01;967.39',
        '004007;;;;2026-11-01;49.00',
        '000211;;;;2026-11-01;123.40',
        '004014;;;;2026-11-01;1707.74',
      ].map(one => `${one};EUR;Sale`),
    );
    expect(different.map(({ what, ours, theirs }) => [what, ours, theirs])).toEqual([
      ['currency', '89.00 EUR', '89.00 USD'],
      ['amount', '314.11', '314.12'],
      ['day', '2026-11-01', '2026-11-09'],
    ]);
    expect(agreed).toHaveLength(4);
  });

  test('a refund is never matched with the payment that it refunds', async () => {
    const { agreed, onlyThere } = await resultOf(of({ order: '004028', amount: '-89.00', kind: 'Refund' }));
    expect(agreed).toEqual([]);
    expect(onlyThere).toMatchObject([{ orderNumber: '004028', kind: 'refund', reason: 'unknown' }]);
  });

  test('a row of money that went back has a minus sign, in every list', async () => {
    const refund = { order: '004119', day: '2026-11-04', kind: 'Refund' };
    const sums = async (amount: string) => {
      const { agreed, different } = await resultOf(of({ ...refund, amount }));
      return [agreed.map(row => row.amount), different.map(({ ours, theirs }) => [ours, theirs])];
    };
    expect(await sums('-89.00')).toEqual([['-89.00'], []]);
    expect(await sums('-80.00')).toEqual([[], [['-89.00', '-80.00']]]);
  });

  test('two lines that together are one payment agree', async () => {
    const { agreed, different } = await resultOf(
      of({ order: '004028', amount: '50.00' }),
      of({ order: '004028', amount: '39.00' }),
    );
    expect([agreed.length, different.length]).toEqual([2, 0]);
  });

  test('what persons tied and untied goes before every rule', async () => {
    const statement = await read(
      Buffer.from([head, of({ order: '004028' }), of({ order: 'X-1', amount: '314.11' })].join('\n')),
    );
    const tied = new Map<number, string | null>([
      [2, null],
      [3, movements.find(({ orderNumber }) => orderNumber === '000190')?.key ?? null],
    ]);
    const found = agree(statement.lines, movements, { tied });
    expect(found.agreed).toMatchObject([{ orderNumber: '000190', rule: 'person' }]);
    expect(found.onlyThere).toMatchObject([{ line: 2, reason: 'unknown' }]);
  });
});

test('a file that names no currency has that of all payments here', async () => {
  const { agreed } = await compareText(
    'Order number;Sale date;Amount\n004028;2026-11-01;89.00\n000190;2026-11-01;314.11\n',
  );
  expect(agreed.map(({ orderNumber, currency }) => [orderNumber, currency])).toEqual([
    ['004028', 'EUR'],
    ['000190', 'EUR'],
  ]);
});

test('a statement whose bookings are months late covers the days of the payments in it', async () => {
  const { onlyHere } = await compareText(
    [
      'Order number;Sale date;Amount;Currency',
      '004028;2027-01-20;89.00;EUR',
      '004014;2027-01-20;1707.74;EUR',
    ].join('\n'),
  );
  const others = movements.filter(
    ({ day, orderNumber }) => day === '2026-11-01' && !['004028', '004014'].includes(orderNumber),
  );
  expect(others.length).toBeGreaterThan(0);
  expect(onlyHere.map(({ movement }) => movement)).toEqual(others.map(({ key }) => key));
});

test.each(['5.00', '-5.00'])('a row that is a fee of %s is taken off, and is no payment', async charged => {
  const refund = charged.startsWith('-') ? '004119;2026-11-04;-89.00;EUR;Refund' : '';
  const found = await compareText(
    [
      'Order number;Sale date;Amount;Currency;Type',
      '004028;2026-11-01;89.00;EUR;Sale',
      refund,
      `;2026-11-02;${charged};EUR;Monthly fee`,
    ].join('\n'),
  );
  expect(found.onlyThere).toEqual([]);
  expect(found.totals[0]).toMatchObject({ fees: '5.00', net: charged.startsWith('-') ? '-5.00' : '84.00' });
});
