import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPaymentLog } from '../../main/payment-log/list/open-payment-log.ts';
import type { PaymentLog } from '../../main/payment-log/payment-log.ts';
import { inEnglish } from '../../shared/messages/catalogues.ts';
import { paymentFilterSchema, type PaymentFilter } from '../../shared/contract/contract.ts';
import { filterFor } from '../../shared/search-query/filter-for.ts';
import { percentile } from '../load/percentile.ts';
import { atMost, type Row } from './measure.ts';
import { customerOf, paymentEvents, spacingOf } from './payments.ts';

/** The list of a large log: opening it, its first pages, its counts and the search box. */

const small = 1_000;
/** Repetitions of each query. */
const rounds = 15;
/** Payments in one append. */
const batch = 2_000;
/** Rows of a first page. */
const pageRows = 50;
const shownHits = 8;
const day = 86_400_000;

/**
 * Typical filters of the list, rare and common ones and words, for a log of `count` payments from payments.ts.
 * `lastAt`: milliseconds at which the last of them was created.
 */
export const questionsOf = (count: number, lastAt: number): PaymentFilter[] => {
  const from = lastAt - Math.floor((count * spacingOf(count)) / 2);
  const { email } = customerOf(Math.floor(count / 3));
  const filters: Partial<PaymentFilter>[] = [
    {},
    { profileId: 'shop' },
    { states: ['declined', 'refunded'] },
    { states: ['chargeback'] },
    { currency: 'EUR' },
    { currency: 'JPY' },
    { flags: ['sources-disagree'] },
    { from, until: from + day },
    { profileId: 'shop', states: ['declined'], currency: 'PLN' },
    ...['membership', 'anna nowak', 'ann', 'zebra', email].map(words => ({ words })),
    { words: `CF-2026-${String(Math.floor(count / 2)).padStart(7, '0')}` },
    { words: 'bicycle', currency: 'SEK', states: ['declined'] },
  ];
  return filters.map(filter => paymentFilterSchema.parse(filter));
};

const opened = async (file: string): Promise<PaymentLog> => {
  const log = await openPaymentLog({ file, writer: 'bench' });
  if (!log.ok) throw new Error(inEnglish(log.error.message));
  return log.value;
};

/** Creates a log of `count` payments; `lastAt`: milliseconds at which the last of them was created. */
const fillLog = async (file: string, count: number, lastAt: number): Promise<void> => {
  const log = await opened(file);
  for (let first = 0; first < count; first += batch) {
    const size = Math.min(batch, count - first);
    const drafts = Array.from({ length: size }, (_, at) => paymentEvents(first + at, count, lastAt)).flat();
    const written = await log.append(drafts);
    if (!written.ok) throw new Error(inEnglish(written.error.message));
  }
  // Opening is measured with a current list.
  await log.count(paymentFilterSchema.parse({}));
  await log.close();
};

/** The 95th percentile of a read of each of some things, milliseconds. */
const slowest = async <T>(things: readonly T[], read: (thing: T) => Promise<unknown>): Promise<number> => {
  const times: number[] = [];
  for (const thing of things)
    for (let round = -1; round < rounds; round += 1) {
      const startedAt = performance.now();
      await read(thing);
      if (round >= 0) times.push(performance.now() - startedAt);
    }
  return percentile(times, 0.95);
};

/** Texts of the search box that are found as they are, and with a mistake. */
const searchTexts = (count: number): Readonly<Record<'exact' | 'forgiving', string[]>> => {
  const { name, email, phone } = customerOf(Math.floor(count / 3));
  const [first = '', last = ''] = name.split(' ');
  const swapped = `${last.charAt(0)}${last.charAt(2)}${last.charAt(1)}${last.slice(3)}`;
  return {
    exact: [
      'yesterday',
      'zebra',
      name,
      last,
      email,
      `0171 / ${phone.slice(6, 9)} ${phone.slice(9)}`,
      '123.40 EUR',
    ],
    forgiving: ['membreship', 'annna', swapped, `${first} ${swapped}`, `${swapped} 123.40`],
  };
};

/** Rows for a log of this many payments, five events each. A large one takes minutes to create. */
export const listAtSize = async (count: number): Promise<Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-bench-'));
  const fileOf = (payments: number): string => join(folder, String(payments), 'payments.db');
  const lastAt = Date.now();
  const of = `of ${count.toLocaleString('en')} payments`;
  try {
    for (const payments of [small, count]) await fillLog(fileOf(payments), payments, lastAt);
    const openedAt = performance.now();
    const log = await opened(fileOf(count));
    await log.list(paymentFilterSchema.parse({}), null, pageRows);
    const opening = performance.now() - openedAt;
    const reference = await opened(fileOf(small));
    const pageOf = (one: PaymentLog) => (filter: PaymentFilter) => one.list(filter, null, pageRows);
    const page = await slowest(questionsOf(count, lastAt), pageOf(log));
    const smallPage = await slowest(questionsOf(small, lastAt), pageOf(reference));
    const counted = await slowest(questionsOf(count, lastAt), filter => log.totals(filter));
    const { exact, forgiving } = searchTexts(count);
    const find = (text: string) => log.find(filterFor(text, null, lastAt, []), shownHits);
    const found = { exact: await slowest(exact, find), forgiving: await slowest(forgiving, find) };
    await Promise.all([log.close(), reference.close()]);
    return [
      atMost(`first page ${of} / of ${small.toLocaleString('en')}, p95 (ms)`, page, smallPage, 3),
      atMost(`open and first page ${of} / 1,000 (ms)`, opening, 1_000, 1),
      atMost(`count and sums below the list ${of}, p95 / 50 (ms)`, counted, 50, 1),
      atMost(`search box ${of}, exact texts, p95 / 20 (ms)`, found.exact, 20, 1),
      atMost(`search box ${of}, misspelt texts, p95 / 60 (ms)`, found.forgiving, 60, 1),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
