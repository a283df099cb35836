import './without-window.ts';
import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { IntlProvider } from 'react-intl';
import { expect, test } from 'vitest';
import { Flags } from '../../renderer/screens/payment/flags.tsx';
import { basisName } from '../../renderer/screens/payment/sentence.ts';
import { Verdict } from '../../renderer/screens/payment/verdict.tsx';
import { TextInspection } from '../../renderer/screens/callbacks/inspection-result.tsx';
import { newLinkOffer } from '../../renderer/screens/payment/link/new-link.ts';
import type { ErrorCode } from '../../shared/errors.ts';
import { contradictionOf } from '../../renderer/screens/payment/contradiction.ts';
import en from '../../shared/messages/en.json' with { type: 'json' };
import { fingerprintOf } from '../../shared/payment-reducer/fingerprint.ts';
import { rowOf } from '../../shared/payments/payment-row.ts';
import { inspect } from '../../main/callbacks/inspect.ts';
import type { EventDraft } from '../../shared/payments/evidence.ts';
import { reducePayment } from '../../shared/payment-reducer/reduce.ts';
import {
  accepted,
  asEvent,
  callback,
  draft,
  hour,
  invalid,
  lookUp,
  order,
  requested,
  start,
  unanswered,
} from '../../tools/evidence/evidence.ts';

/** The verdict of a payment's page, above its flags. */

const minute = 60_000;
const html = (element: ReactElement): string =>
  renderToStaticMarkup(createElement(IntlProvider, { locale: 'en', messages: en }, element));
const shown = (...evidence: EventDraft[]): string => {
  const events = [requested(0), accepted(500), ...evidence].map(asEvent);
  const payment = reducePayment(events);
  const { state } = payment;
  const named = contradictionOf(payment, state);
  return [
    html(createElement(Verdict, { payment, events, state, canCreateLink: false })),
    html(createElement(Flags, { flags: payment.flags, links: payment.links, events, named })),
  ].join('\n');
};
const basis = (page: string): string => /Confirmed by<\/h2>(.*?)<button/s.exec(page)?.[1] ?? '';
const times = (page: string, text: string): number => page.split(text).length - 1;

const failedLookUp = (at: number, code: ErrorCode): EventDraft =>
  draft('status.observed', at, {
    asked: { by: 'order-number', value: 'CF-1001' },
    answers: [],
    problem: { code, message: '' },
    answer: null,
    requestedBy: 'console',
  });
const sale = callback(minute, 'sale', 'success');
const declined = lookUp(2 * minute, 'decline');

test('two sources that agree are ticked as confirming, and one alone says what is missing, without a tick', () => {
  expect(basis(shown(sale, lookUp(2 * minute, 'settled')))).toContain('verdict-check');
  const page = shown(sale);
  const seen = /Seen by<\/h2>(.*?)<button/s.exec(page)?.[1] ?? '';
  expect(seen).toContain('Missing: a status check.');
  expect(seen).not.toContain('verdict-check');
  expect(page).not.toContain('Confirmed by');
});

test.each([
  ['sources that disagree', [sale, declined], 'Two sources give different results.'],
  ['a provider that takes its result back', [lookUp(minute, 'settled'), declined], 'then something else'],
] as const)('%s confirm nothing: no tick, the reason, and one next step', (_, evidence, reason) => {
  const page = shown(...evidence);
  expect(basis(page)).not.toContain('verdict-check');
  expect(basis(page)).toContain('Nothing yet.');
  expect(basis(page)).toContain(reason);
  expect(times(page, 'then ask your provider which result is right')).toBe(1);
  expect(page).not.toContain('Don’t ship. Ask');
});

test.each([
  ['never', [], true],
  ['before it expired', [lookUp(minute, 'prepare')], true],
  ['since, without an answer', [failedLookUp(120 * minute, 'gateway.timeout')], true],
  ['since', [lookUp(120 * minute, 'prepare')], false],
  ['since, and does not know it', [failedLookUp(120 * minute, 'payment.missing')], false],
] as const)(
  'only after an answer since the expiry a link is "Expired" and a new one promised; the provider was asked: %s',
  (_, evidence, isUnchecked) => {
    const events = [requested(0), accepted(500), ...evidence].map(asEvent);
    const payment = reducePayment(events);
    const page = html(createElement(Verdict, { payment, events, state: 'expired', canCreateLink: true }));
    expect(page.includes('Expired, not checked')).toBe(isUnchecked);
    expect(page.includes('I will check whether a payment arrived')).toBe(isUnchecked);
    expect(newLinkOffer(payment, 'expired', events)).toBe(isUnchecked ? 'ask' : 'yes');
  },
);
test('another amount than asked is paid, and the page says both, not that a check in a few minutes helps', () => {
  const more = { order_amount: '126.00' };
  const page = shown(
    callback(minute, 'sale', 'success', more),
    lookUp(2 * minute, 'settled', { order: { ...order, amount: '126.00' } }),
  );
  expect(page).toContain('Another amount was paid');
  expect(page).toMatch(/€126\.00 instead of €123\.40/);
  expect(page).toMatch(/€123\.40 was asked/);
  expect(page).toMatch(/Your payment of €126\.00 was received/);
  expect(page).not.toContain('in a few minutes');
});

test('a payment that only a status check proves is paid and checked, with nothing left to do', () => {
  const page = shown(lookUp(minute, 'settled'));
  expect(page).toContain('Paid, checked with your provider');
  expect(page).toContain('tone-good');
  expect(basis(page)).toContain('Status check');
  expect(basis(page)).not.toContain('Callback');
  expect(page).not.toContain('Make sure that callbacks are received');
});

test('a paid payment of which money is on its way says so at its head and on the phone', () => {
  const page = shown(sale, lookUp(2 * minute, 'settled'), callback(3 * minute, 'refund', 'waiting'));
  expect(page).toContain('money of this payment is on its way back');
  expect(page).not.toContain('Thank you');
});

test('nothing below an unconfirmed head looks like its confirmation', () => {
  const isBasis = (page: string): string | undefined => /verdict-key">(.*?)<\/h2>/.exec(page)?.[1];
  const paid = lookUp(2 * minute, 'settled');
  const refund = callback(3 * minute, 'refund', 'waiting');
  expect(isBasis(shown(sale, paid, refund))).toBe('Payment confirmed by');
  expect(isBasis(shown(sale, refund))).toBe('Payment seen by');
  expect(basisName({ state: 'part-refunded', movements: [] }, 'money-open')).toBe('verdict.basis.before');
  const second = callback(3 * minute, 'sale', 'success', { id: 'second' });
  const twice = shown(sale, paid, second);
  expect(twice).toContain('Paid twice');
  expect(isBasis(twice)).toBe('One payment confirmed by');
  const back = callback(4 * minute, 'refund', 'waiting', { id: 'second' });
  expect(isBasis(shown(sale, paid, second, back))).toBe('One payment confirmed by');
});

test('that an order has more than one link is a matter only while one of them can be paid', () => {
  const second = { idempotencyKey: 'second' };
  const issued = { ...second, expiresAt: Date.now() + hour };
  const isShown = (...evidence: EventDraft[]): boolean => shown(...evidence).includes('More than one link');
  const again = requested(minute, second);
  expect(isShown(again, accepted(minute, issued))).toBe(true);
  expect(isShown(again, accepted(minute, { ...issued, expiresAt: start + hour }))).toBe(false);
  expect(isShown(again, unanswered(minute, second))).toBe(true);
  const paid = [sale, callback(minute, 'sale', 'success', { id: 'second' })];
  expect(isShown(again, accepted(minute, issued), ...paid)).toBe(false);
});

test('a callback that is not verified contradicts nothing', () => {
  const forged = callback(2 * minute, 'sale', 'success', { order_amount: '1.00' }, invalid);
  const page = shown(sale, lookUp(3 * minute, 'settled'), forged);
  expect(basis(page)).toContain('verdict-check');
});

test('what the callback of a contradiction reports is called paid, as the status check’s result is declined', () => {
  const page = shown(sale, declined);
  expect(page).toMatch(/Callback<\/dt><dd[^>]*>Paid</);
  expect(page).toMatch(/Status check<\/dt><dd[^>]*>Declined</);
});

test('a resolution is shown below the sentence, and the next step is gone', () => {
  const before = [requested(0), accepted(500), sale, declined].map(asEvent);
  expect(reducePayment(before).state).toBe('needs-attention');
  const resolved = draft('review.resolved', 3 * minute, {
    reason: 'confirmed-paid',
    text: 'Ticket 4711',
    facts: fingerprintOf(rowOf(reducePayment(before))),
  });
  const page = shown(sale, declined, { ...resolved, agent: 'Ada' });
  expect(page).toContain('Resolved by Ada');
  expect(page).toContain('Provider confirmed: paid');
  expect(page).toContain('Ticket 4711');
  expect(page).not.toContain('then ask your provider');
});

test('an invalid callback offers the status check first, and says in words what it reports and that it changes nothing', async () => {
  const inspected = async (hash: string): Promise<string> => {
    const inspection = await inspect(`${form.toString()}&hash=${hash}`, { candidates });
    return html(createElement(TextInspection, { inspection }));
  };
  const candidates = [{ profileId: 'shop', password: 'secret', digest: 'md5' as const }];
  const form = new URLSearchParams({
    id: '6f1d2c3b-0000-4000-8000-000000000001',
    order_number: 'A-1',
    order_amount: '10.00',
    order_currency: 'EUR',
    order_description: 'Chair',
    type: 'sale',
    status: 'success',
  });
  const page = await inspected('0'.repeat(40));
  expect(page).toMatch(/button primary[^>]*>.*?Check status/s);
  expect(page).toContain('This callback changes nothing');
  expect(page).toContain('It reports “paid”');
  expect(times(page, 'Signature invalid')).toBe(1);
  expect(page).not.toContain('type “sale”');
});

test('the script of a paid payment names its time as a person says it', () => {
  const page = shown(sale, lookUp(2 * minute, 'settled'));
  expect(page).toMatch(/was received on .{3,20} at \d+:\d\d/);
});
