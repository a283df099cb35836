import { createHash } from 'node:crypto';
import type { CallbackFields, EventDraft } from '../../shared/payments/evidence.ts';

/** Payments for benchmarks: seeded, so that two runs have the same evidence; five events each. */

export const firstNames = 'Anna Ben Chloé Dmitri Elif Fatima Götz Hana Ines Jörg Kwame Lea'.split(' ');
const lastNames = 'Nowak Müller Okafor Silva Tanaka Brown García Rossi Kowalska Larsen'.split(' ');
/** Parts of surnames: 18,000 different ones, as many as a shop with a million customers has. */
export const nameStarts =
  'Bau Berg Brand Dorn Eber Falk Fried Gold Grün Hart Heid Kauf Kirch Kron Lang Linden Mar Neu Ober Rau Rosen Sand Schön Stein Stroh Vogel Wald Weiß Winter Zell'.split(
    ' ',
  );
const nameMiddles = 'a ber den e el er fel gel hof in ken la ler man ner o ren sen ter wel'.split(' ');
export const nameEnds =
  'ach acker ak berg born dt eck er feld ga haus hof ić ini ko land mann mayer mus nik ova owicz rath sen ski son stein thal wald øe'.split(
    ' ',
  );
const goods = 'Two nights, room 12|Blue chair|Annual membership|Concert ticket|Repair of a bicycle'.split(
  '|',
);
export const currencies = ['EUR', 'EUR', 'EUR', 'EUR', 'USD', 'USD', 'GBP', 'PLN', 'SEK', 'CHF'];

const answerOf = (body: string) => ({
  httpStatus: 200,
  contentType: 'application/json',
  body,
  truncated: false,
});

/** Mulberry32: small, seeded, sufficient for choosing names. */
const seeded = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

const longestSpacing = 31_000;
/** Six years: the ids of payments in a shared log begin with 2020. */
const longestHistory = 6 * 365 * 86_400_000;

/** Milliseconds between two of `count` payments. */
export const spacingOf = (count: number): number =>
  Math.min(longestSpacing, Math.floor(longestHistory / count));

/**
 * One payment's five events, oldest first. `index`: its number; `lastAt`: milliseconds at which the last of `count`
 * payments was created. About 70 % are paid and confirmed, 10 % declined, 10 % never paid, the rest refunded, charged
 * back, contradictory or not created here.
 */
export const paymentEvents = (index: number, count: number, lastAt: number): EventDraft[] => {
  const random = seeded(index + 1);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const hex = (length: number): string =>
    Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('');
  const uuid = (): string => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;

  const surname =
    random() < 0.2 ? pick(lastNames) : `${pick(nameStarts)}${pick(nameMiddles)}${pick(nameEnds)}`;
  const name = `${pick(firstNames)} ${surname}`;
  const phone = `+49171${String(Math.floor(random() * 1e7)).padStart(7, '0')}`;
  const email = `${name.toLowerCase().replaceAll(/[^a-z]+/g, '.')}${index % 997}@example.com`;
  const number = `CF-2026-${String(index).padStart(7, '0')}`;
  const amount = `${Math.floor(random() * 900) + 5}.${String(Math.floor(random() * 100)).padStart(2, '0')}`;
  const currency = index % 10_007 === 0 ? 'JPY' : pick(currencies);
  const description = pick(goods);
  const profileId = pick(['hotel', 'hotel', 'hotel', 'shop']);
  const paymentId = uuid();
  const idempotencyKey = uuid();
  const raisedAt = lastAt - (count - 1 - index) * spacingOf(count);
  const dice = random();
  const order = { number, amount, currency, description };
  const rrn = `${Math.floor(random() * 1e12)}`.padStart(12, '0');
  const approval = hex(6).toUpperCase();
  const card = `${Math.floor(random() * 900_000) + 100_000}******${Math.floor(random() * 9_000) + 1_000}`;
  const eventHeader = (at: number) => ({
    id: uuid(),
    profileId,
    orderNumber: number,
    paymentId: null,
    happenedAt: raisedAt + at,
    agent: pick(['Ada', 'Grace']),
    dedupeKey: null,
  });
  const callback = (at: number, type: string, status: string, reason = ''): EventDraft => {
    const date = new Date(raisedAt + at).toISOString().slice(0, 19).replace('T', ' ');
    const fields: CallbackFields = [
      ['id', paymentId],
      ['order_number', number],
      ['order_amount', amount],
      ['order_currency', currency],
      ['order_description', description],
      ['type', type],
      ['status', status],
      ['rrn', rrn],
      ['approval_code', approval],
      ['card', card],
      ['card_expiration_date', '01/2038'],
      ['customer_name', name],
      ['customer_email', email],
      ['customer_country', 'DE'],
      ['customer_ip', `192.0.2.${index % 250}`],
      ['date', date],
      ['hash', hex(40)],
    ];
    if (reason !== '') fields.push(['reason', reason]);
    return {
      ...eventHeader(at),
      paymentId,
      agent: 'console',
      dedupeKey: `callback:${createHash('sha256').update(JSON.stringify(fields)).digest('hex')}`,
      kind: 'callback.received',
      body: {
        fields,
        form: 'urlencoded',
        via: 'receiver',
        verification: { verdict: 'verified', uppercasing: 'ascii', digest: 'md5' },
      },
    };
  };
  const observed = (at: number, status: string): EventDraft => ({
    ...eventHeader(at),
    paymentId,
    agent: 'console',
    kind: 'status.observed',
    body: {
      asked: { by: 'payment-id', value: paymentId },
      answers: [{ paymentId, date: null, status, reason: null, order, customer: { name, email }, extra: {} }],
      problem: null,
      answer: answerOf(
        JSON.stringify({
          payment_id: paymentId,
          date: '2026-10-01 10:00:00',
          status,
          order,
          customer: { name, email },
        }),
      ),
      requestedBy: 'console',
    },
  });
  const linkShared: EventDraft = { ...eventHeader(2_000), kind: 'link.shared', body: { channel: 'copy' } };
  const requested: EventDraft = {
    ...eventHeader(0),
    kind: 'session.requested',
    body: {
      idempotencyKey,
      amount,
      currency,
      description,
      methods: ['card'],
      customer: { name, email, phone },
      endpoint: 'https://pay.example.com/api/v1/sessions/',
      request: JSON.stringify({
        merchant_key: '5b6492f0-f8f5-11ea-976a-0242c0a85007',
        operation: 'purchase',
        methods: ['card'],
        order,
        cancel_url: 'https://example.com/cancelled',
        success_url: 'https://example.com/thank-you',
        hash: '•••',
      }),
      expiryMinutes: null,
    },
  };
  const link = `https://pay.example.com/auth/${hex(48)}`;
  const accepted: EventDraft = {
    ...eventHeader(400),
    kind: 'session.accepted',
    body: {
      idempotencyKey,
      link,
      issuedAt: raisedAt + 400,
      expiresAt: raisedAt + 3_600_400,
      answer: answerOf(JSON.stringify({ redirect_url: link })),
    },
  };
  const raised = [requested, accepted];
  const sale = callback(90_000, 'sale', 'success');
  const settled = observed(95_000, 'settled');
  if (dice < 0.1) {
    const note: EventDraft = { ...eventHeader(9_000), kind: 'note.added', body: { text: 'Will call back' } };
    return [...raised, linkShared, { ...linkShared, ...eventHeader(5_000) }, note];
  }
  const redirected = callback(60_000, 'redirect', 'success');
  if (dice < 0.2) return [...raised, linkShared, redirected, callback(90_000, 'sale', 'fail', 'Declined')];
  if (dice < 0.22) return [...raised, sale, settled, callback(9e6, 'refund', 'success')];
  if (dice < 0.221) return [...raised, sale, settled, callback(9e6, 'chargeback', 'success')];
  if (dice < 0.222) return [...raised, linkShared, sale, observed(95_000, 'decline')];
  if (dice < 0.25)
    return [
      callback(0, 'redirect', 'success'),
      callback(1_000, '3ds', 'success'),
      callback(2_000, 'sale', 'waiting'),
      callback(9_000, 'sale', 'success'),
      observed(12_000, 'settled'),
    ];
  return [...raised, callback(60_000, '3ds', 'success'), sale, settled];
};
