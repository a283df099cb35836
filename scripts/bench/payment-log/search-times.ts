import type { PaymentLogAnswers } from '../../../main/payment-log/payment-log.ts';
import { filterFor } from '../../../shared/search-query/filter-for.ts';
import { percentile } from '../../load/percentile.ts';
import { atMost, type Row } from '../measure.ts';
import { paymentEvents } from '../payments.ts';

/** The search box on a large log: each text as a person types it, exact and with a mistake. */

/** Limits of one answer, milliseconds. */
const limits = { exact: 20, forgiving: 60 };
const rounds = 8;
/** Payments whose details are searched. */
const samples = 12;
const shownHits = 8;

/** One of a word's letters swapped with the next, or left out, or wrong. */
const misspelt = (word: string, seed: number): string => {
  const at = 1 + (seed % Math.max(1, word.length - 2));
  if (seed % 3 === 0) return word.slice(0, at) + word.slice(at + 1);
  if (seed % 3 === 1) return `${word.slice(0, at)}q${word.slice(at + 1)}`;
  return `${word.slice(0, at)}${word.charAt(at + 1)}${word.charAt(at)}${word.slice(at + 2)}`;
};

/** Texts that find payments of a log of `count` payments from payments.ts, and misspelt ones. */
const searchTexts = (count: number, lastAt: number): Readonly<Record<keyof typeof limits, string[]>> => {
  const exact: string[] = ['nov 3', 'yesterday', 'last week', 'paid today', 'mueller', 'zebra'];
  const forgiving: string[] = ['membreship', 'bycicle', 'anna nowka', 'annna', 'zebrafsh'];
  for (let sample = 0; sample < samples; sample += 1) {
    const index = Math.floor(((sample + 0.5) * count) / samples);
    const [first] = paymentEvents(index, count, lastAt);
    if (first?.kind !== 'session.requested' || first.body.customer === null) continue;
    const { amount, currency, customer } = first.body;
    const { name = '', email = '', phone = '' } = customer;
    const [firstName = '', surname = ''] = name.split(' ');
    exact.push(
      name,
      surname,
      surname.slice(0, 4),
      first.orderNumber ?? '',
      amount,
      `${amount.replace('.', ',')} ${currency}`,
      `0171 / ${phone.slice(6, 9)} ${phone.slice(9)}`,
      email.split('@')[0] ?? '',
      String(1_000 + (index % 9_000)),
      `Dear team, order ${first.orderNumber} of ${name} was not delivered.`,
    );
    forgiving.push(
      misspelt(surname, index),
      `${firstName} ${misspelt(surname, index + 1)}`,
      `${misspelt(firstName, index)} ${surname}`,
      misspelt(email, index),
      misspelt(surname, index + 2).slice(0, 7),
      `${misspelt(surname, index)} ${amount}`,
    );
  }
  return { exact, forgiving };
};

/** The 95th percentiles of the search box; `log`: any with the read `find`. */
export const searchTimes = async (
  log: { find(...args: Parameters<PaymentLogAnswers['find']>): unknown },
  count: number,
  lastAt: number,
  of: string,
): Promise<Row[]> => {
  const rows: Row[] = [];
  for (const [kind, texts] of Object.entries(searchTexts(count, lastAt))) {
    const limit = limits[kind as keyof typeof limits];
    const times: number[] = [];
    for (const text of texts)
      for (let round = 0; round < rounds; round += 1) {
        const filter = filterFor(text, null, lastAt, []);
        const startedAt = performance.now();
        await log.find(filter, shownHits);
        times.push(performance.now() - startedAt);
      }
    rows.push(
      atMost(`search box ${of}, ${kind} texts, p95 / ${limit} ms (ms)`, percentile(times, 0.95), limit, 1),
    );
  }
  return rows;
};
