import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { MonthView } from '../../shared/contract/statement-requests.ts';
import { readSheet } from '../export/read-sheet.ts';
import { shopProfile, startTestApp, value, type TestApp } from '../../tools/app-harness/running-app.ts';

/** A month of signed callbacks and its three statements, made independently, in a running console. */

const vectors = join(import.meta.dirname, '..', 'fixtures', 'statements');
const month = '2026-11';
/** The callbacks arrive on the last evening of the month, the statements on the day after. */
let now = Date.UTC(2026, 10, 30, 22);
let app: TestApp;
let profileId = '';

const read = async (): Promise<MonthView> =>
  value(await app.request('statements.month', { profileId, month }));
const rowsOf = (view: MonthView, list: string) => view.rows.filter(row => row.list === list);

const importFile = async (name: string): Promise<void> => {
  app.willOpen(join(vectors, name));
  const preview = value(await app.request('statements.open', { profileId }));
  expect(preview).toMatchObject({ name, questions: [], notRead: 0, agreed: 206, isKnown: false });
  expect(value(await app.request('statements.import', {}))).toEqual({ month });
};

beforeAll(async () => {
  app = await startTestApp(undefined, { clock: () => (now += 1) });
  const password = readFileSync(join(vectors, 'password.txt'), 'utf8').trim();
  const saved = await app.request('profiles.save', {
    id: null,
    profile: { ...shopProfile, timeZone: 'UTC' },
    password,
    thisRunOnly: true,
  });
  profileId = value(saved).id;
  const text = readFileSync(join(vectors, 'callbacks.txt'), 'utf8');
  value(await app.request('callbacks.dropFile', { name: 'callbacks.txt', text, via: 'file' }));
  const whenPhase = (phase: string): Promise<void> =>
    vi.waitFor(
      async () => {
        const { file } = value(await app.request('callbacks.file', {}));
        if (file?.phase !== phase) throw new Error(`the file is ${file?.phase ?? 'not open'}`);
      },
      { interval: 10, timeout: 50_000 },
    );
  await whenPhase('done');
  value(await app.request('callbacks.storeFile', { profileId }));
  await whenPhase('stored');
  value(await app.request('callbacks.closeFile', {}));
  now = Date.UTC(2026, 11, 1, 8);
});
afterAll(() => app.remove());

describe('a month', () => {
  test('without a statement has the figures of the overview and empty lists', async () => {
    const view = await read();
    expect(view).toMatchObject({ statements: [], rows: [], closed: null });
    const [from, until] = [Date.UTC(2026, 10, 1), Date.UTC(2026, 11, 1)];
    const moved = value(
      await app.request('payments.movedMoney', { profileId, from, until, timeZone: 'UTC' }),
    );
    expect(view.figures).toEqual(moved.total);
  });

  test('shows in four lists what a statement and the payments here say', async () => {
    await importFile('psp-en.csv');
    const view = await read();
    expect(view.counts).toEqual({
      agreed: 206,
      onlyHere: 3,
      onlyThere: 3,
      different: 3,
      explained: 0,
      notRead: 0,
    });
    expect(new Set(rowsOf(view, 'onlyHere').map(({ orderNumber }) => orderNumber))).toEqual(
      new Set(['000757', '001177', '004266']),
    );
    expect(view.payouts.map(({ batch, agrees }) => [batch, agrees])).toEqual([
      ['300', true],
      ['301', true],
      ['302', true],
      ['303', true],
      ['304', false],
    ]);
  });

  test('takes a file once, under any name', async () => {
    const again = join(app.saved, 'again.csv');
    mkdirSync(app.saved, { recursive: true });
    copyFileSync(join(vectors, 'psp-en.csv'), again);
    app.willOpen(again);
    expect(value(await app.request('statements.open', { profileId }))?.isKnown).toBe(true);
    expect(await app.request('statements.import', {})).toMatchObject({
      ok: false,
      error: { code: 'input.invalid' },
    });
    value(await app.request('statements.close', {}));
  });

  test('misses nothing that another statement of the month contains', async () => {
    await importFile('bank.camt053.xml');
    const here = rowsOf(await read(), 'onlyHere').map(({ orderNumber, kind }) => `${orderNumber} ${kind}`);
    expect(here).toEqual([]);
  });

  test('keeps who tied, explained and took back what, as evidence', async () => {
    const [unknown] = rowsOf(await read(), 'onlyThere').filter(({ reason }) => reason === 'unknown');
    const { statement = null, line = null } = unknown ?? {};
    const decide = async (
      decision: 'tied' | 'untied' | 'explained',
      movement: string | null,
      text = '',
    ): Promise<MonthView> =>
      value(
        await app.request('statements.decide', {
          profileId,
          month,
          decision,
          statement,
          line,
          movement,
          text,
        }),
      );
    const before = (await read()).counts;
    const explained = await decide('explained', null, 'Sold at the fair, by terminal');
    expect(explained.counts).toMatchObject({
      onlyThere: before.onlyThere - 1,
      explained: before.explained + 1,
    });
    expect(
      rowsOf(explained, 'onlyThere').find(row => row.line === line && row.statement === statement)
        ?.explanation,
    ).toMatchObject({
      text: 'Sold at the fair, by terminal',
      agent: 'anna',
    });
    expect((await decide('explained', null)).counts).toEqual(before);
    const other = rowsOf(await read(), 'agreed').find(row => row.statement === statement);
    const tied = await decide('tied', other?.movement ?? null);
    expect(
      rowsOf(tied, 'different').find(row => row.line === line && row.statement === statement),
    ).toMatchObject({ rule: 'person' });
    const untied = await decide('untied', null);
    expect(untied.counts).toEqual(before);
  });

  test('takes no card number in an explanation', async () => {
    const about = { decision: 'explained', statement: null, line: null, movement: '0 004028' } as const;
    expect(
      await app.request('statements.decide', {
        profileId,
        month,
        ...about,
        text: 'Card 4111 1111 1111 1111',
      }),
    ).toMatchObject({ ok: false, error: { code: 'input.card-number' } });
  });

  test('that is closed keeps its figures, and names what later evidence changes', async () => {
    const closed = value(await app.request('statements.closeMonth', { profileId, month }));
    expect(closed.closed).toMatchObject({
      agent: 'anna',
      figures: closed.figures,
      changes: [],
      isOtherStatements: false,
    });
    const [row] = rowsOf(closed, 'onlyThere');
    const { statement = null, line = null } = row ?? {};
    const decided = {
      decision: 'explained',
      statement,
      line,
      movement: null,
      text: 'Sold at the fair',
    } as const;
    const explained = value(await app.request('statements.decide', { profileId, month, ...decided }));
    expect(explained.closed).toMatchObject({ counts: closed.counts, isOtherStatements: true });
    await importFile('acquirer-de.csv');
    const view = await read();
    expect(view.closed).toMatchObject({ isOtherStatements: true });
    // The same money in two files is not counted twice.
    const sums = ['psp-en.csv', 'bank.camt053.xml', 'acquirer-de.csv'].map(name => {
      const { gross, fees } = JSON.parse(readFileSync(join(vectors, `${name}.expected.json`), 'utf8')) as {
        gross: string;
        fees: string;
      };
      return { currency: 'EUR', gross, fees };
    });
    expect(view.sums).toMatchObject(sums);
  });

  test('has a report whose parts are the overview to the cent', async () => {
    app.willSave(join(app.saved, 'month.pdf'));
    value(await app.request('statements.report', { profileId, month, format: 'pdf' }));
    expect(app.printed.at(-1)).toMatch(/>Days<\//);
    const [, table = ''] = (app.printed.at(-1) ?? '').split('<tbody>');
    const totals = [...(table.split('</tbody>')[0]?.matchAll(/<tr>(.*?)<\/tr>/g) ?? [])].map(([, row = '']) =>
      row.split('</td>').map(cell => cell.replaceAll(/<[^>]*>/g, '')),
    );
    const centsOf = (text = ''): number =>
      Number(text.replaceAll(/\D/g, '')) * (text.startsWith('−') ? -1 : 1);
    const overview = totals.findIndex(([, what]) => what === 'Overview: paid less returned, before fees');
    expect(overview).toBeGreaterThan(0);
    const parts = totals.slice(0, overview).reduce((sum, [, , , amount]) => sum + centsOf(amount), 0);
    expect(parts).toBe(centsOf(totals[overview]?.[3]));
    expect(parts).toBeGreaterThan(10_000_00);
    const closing = /Closed on [^<]* by anna\./;
    expect(closing.test(app.printed.at(-1) ?? '')).toBe(true);
    // Its statements have the fees.
    expect(/Fees of the payment provider/.test(app.printed.at(-1) ?? '')).toBe(false);
    const file = join(app.saved, 'month.xlsx');
    app.willSave(file);
    expect(value(await app.request('statements.report', { profileId, month, format: 'xlsx' }))).toMatchObject(
      { file },
    );
    const workbook = readFileSync(file);
    const about = readSheet(workbook, 5).flat();
    expect(about.some(cell => closing.test(cell?.value ?? ''))).toBe(true);
    const [heads = [], ...lines] = readSheet(workbook, 2);
    const [kind, amount, here] = ['Kind', 'Amount', 'Here'].map(head =>
      heads.findIndex(cell => cell?.value === head),
    );
    expect(lines.filter(row => row[kind ?? 0]?.value === 'Refund').length).toBeGreaterThan(0);
    for (const row of lines) {
      const isSale = row[kind ?? 0]?.value === 'Payment';
      expect(row[amount ?? 0]).toMatchObject({ isText: false });
      expect(Number(row[amount ?? 0]?.value) > 0).toBe(isSale);
      const value = row[here ?? 0];
      if (value?.value) expect(value.isText).toBe(false);
    }
  });

  test('names who recorded what changed it after it was closed', async () => {
    const december = { profileId, month: '2026-12' };
    value(await app.request('statements.closeMonth', december));
    const orderNumber = '004028';
    const { payment } = value(await app.request('payments.read', { profileId, orderNumber }));
    const seen = {
      paymentId: payment.paymentIds[0] ?? '',
      movement: null,
      kind: 'chargeback',
      outcome: 'carried-out',
      amount: { whole: true },
      day: '2026-12-01',
      text: 'Seen in the dashboard',
    } as const;
    value(await app.request('movements.record', { profileId, orderNumber, ...seen }));
    const { closed } = value(await app.request('statements.month', december));
    expect(closed?.changes).toMatchObject([
      { orderNumber, currency: 'EUR', before: '0.00', now: '-89.00', agent: 'anna' },
    ]);
  });
});

test('a file that is no statement is refused with the reason, and leaves nothing', async () => {
  const file = join(app.saved, 'refused.csv');
  writeFileSync(file, Buffer.from([0x25, 0x50, 0x44, 0x46, 0x2d, 0, 1]));
  app.willOpen(file);
  expect(await app.request('statements.open', { profileId })).toMatchObject({
    ok: false,
    error: { code: 'input.invalid', message: { key: 'statement-file.other-format' } },
  });
  expect(await app.request('statements.import', {})).toMatchObject({ ok: false });
});
