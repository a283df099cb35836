import * as fc from 'fast-check';
import { runs } from '../../../tools/app-harness/runs.ts';
import { expect, test } from 'vitest';
import en from '../../../shared/messages/en.json' with { type: 'json' };
import { formatterFor } from '../../../shared/messages/catalogues.ts';
import { headOf, type Head } from '../../../shared/reports/head.ts';
import { rowOf } from '../../../shared/payments/payment-row.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import { fingerprintOf } from '../../../shared/payment-reducer/fingerprint.ts';
import { reducePayment } from '../../../shared/payment-reducer/reduce.ts';
import { resolutionReasons, type ResolutionReason } from '../../../shared/review/review.ts';
import { evidence } from '../../../tools/evidence/arbitrary-evidence.ts';
import { drafts } from '../../../tools/evidence/evidence-line.ts';
import {
  accepted,
  callback,
  draft,
  hour,
  idempotencyKey,
  otherPayer,
  requested,
  start,
} from '../../../tools/evidence/evidence.ts';
import { inTime, reduce } from '../../../tools/evidence/reduced.ts';

/** What a payment shows first. The tables are evidence → name | colour | script | first step. */

const label = formatterFor('en', 'en-GB');
/** Five minutes after the last evidence. */
const headIn = (made: readonly EventDraft[], after = 5 * 60_000): Head => {
  const payment = reduce(...made);
  return headOf(rowOf(payment), Math.max(...made.map(({ happenedAt }) => happenedAt)) + after);
};
const shown = ({ label: name, tone, say, action }: Head): string =>
  [label(name), tone, say ?? 'state', action?.kind ?? '-'].join(' | ');

const table = (statement: string, rows: string, after?: number): void => {
  test.each(
    rows
      .trim()
      .split('\n')
      .map(row => row.trim().split(' → ')),
  )(`${statement}: %s`, (line = '', expected) => {
    expect(shown(headIn(drafts(line), after))).toBe(expected);
  });
};

table(
  'a payment whose sources agree shows its state',
  `
  sale =settled → Paid | good | state | -
  =settled → Paid, checked with your provider | good | state | -
  sale → Paid, one source | wait | state | look-up
  sale:fail → Declined | bad | state | -
  +3ds → Waiting for bank approval | wait | state | -
  sale =settled refund =refund → Refunded | back | state | -
  sale =settled void → Cancelled | back | say.voided-paid | -
  sale =settled chargeback → Chargeback | warn | state | -
`,
);

table(
  'what is wrong with a payment comes before its state, with its own name, colour and script',
  `
  sale =settled sale(2nd) → Paid twice | warn | say.paid-twice | refund
  sale sale(2nd) → Paid twice | warn | say.paid-twice | refund
  sale =settled sale(2nd) =settled(2nd) refund! >accepted → Refund requested | back | script.refund.open | -
  sale =settled refund!(50.00) >accepted sale(2nd) =settled(2nd) → Refund requested | back | script.refund.open | -
  sale =settled refund!(50.00) >accepted refund sale(2nd) =settled(2nd) → Paid twice | warn | say.paid-twice | refund
  sale =settled sale(2nd) =settled(2nd) refund → Paid twice | warn | say.paid-twice | record
  sale =decline → Needs attention | warn | state | look-up
  sale(126.00) =settled(126.00) → Another amount was paid | warn | say.other-amount | look-up
  sale =settled refund! → Refund: result unknown | warn | script.refund.unknown | look-up
  sale =settled void! >unanswered → Cancellation: result unknown | warn | script.void.unknown | look-up
  sale =settled refund! >accepted → Refund requested | back | script.refund.open | -
  sale =settled refund! >accepted refund:waiting → Refund requested | back | script.refund.bank | -
  sale =settled refund:waiting → Refund requested | back | script.elsewhere | -
  sale =settled refund(R1) refund:fail(R1) → Refund unclear | warn | say.refund-unclear | record
  sale =settled refund(part 20.00) chargeback → Returned twice | warn | say.returned-twice | hand-over
  sale(customer_email=a@example.com) sale(customer_email=b@example.com) =settled → Paid, details differ | warn | say.details-differ | look-up
  sale(order_description=Chair) =settled → Paid, details differ | warn | say.details-differ | look-up
  sale =settled refund(status=refund) refund! → Refund: result unknown | warn | script.refund.unknown | look-up
`,
);

test('since when it is so is the instant of what the head is about', () => {
  const sinceOf = (line: string): number => {
    const made = drafts(line);
    return made.findIndex(({ happenedAt }) => happenedAt === headIn(made).since);
  };
  const begun = drafts('').length;
  expect([
    sinceOf('sale =settled') - begun,
    sinceOf('sale =settled sale(2nd)') - begun,
    sinceOf('sale =settled refund! >accepted') - begun,
  ]).toEqual([1, 2, 3]);
});

table(
  'money without a result for an hour is a matter for a person',
  `
  sale =settled refund! >accepted → Refund: no result yet | warn | script.refund.open | record
  sale =settled refund! >accepted refund:waiting =settled → Refund: no result yet | warn | script.refund.bank | record
`,
  2 * hour,
);

table(
  'a result after the payment comes before the script of the state',
  `
  sale =settled refund! >accepted refund → Refunded | back | script.refund.done | -
  sale =settled refund! >accepted =settled → Paid | good | script.refund.failed | -
  sale =settled void! >failed → Paid | good | script.void.failed | -
  sale =settled sale(2nd) =settled(2nd) void! >accepted void =void → Paid | good | script.void.done | -
  sale =settled refund! >not-sent → Paid | good | state | -
`,
);

test('a payment that was paid twice shows both amounts together, and offers the second one', () => {
  const head = headIn(drafts('sale =settled sale(2nd) =settled(2nd)'));
  expect(head.money).toEqual({ amount: '246.80', currency: 'EUR' });
  expect(head.sayMoney.amount).toBe('123.40');
  expect(head.action).toEqual({ kind: 'refund', paymentId: reduce(...drafts('sale(2nd)')).paymentIds[0] });
});

test('of an order that was paid three times only the payments that are not back are shown and offered', () => {
  const third = { id: 'c7d0e1f2-7b50-11f0-8f3a-0242ac120002', rrn: '3' };
  const paid = drafts('sale =settled sale(2nd) =settled(2nd)');
  const at = (paid.at(-1)?.happenedAt ?? 0) - start + 60_000;
  const sales = [...paid, callback(at, 'sale', 'success', third)];
  expect(headIn(sales).action).toEqual({ kind: 'refund', paymentId: third.id });
  const back = callback(at + 60_000, 'refund', 'success', { id: third.id, order_status: 'refund', rrn: '4' });
  const head = headIn([...sales, back]);
  expect(head.money.amount).toBe('246.80');
  expect(head.action).toEqual({ kind: 'refund', paymentId: otherPayer });
});

test('a withdrawn link is called so until it expires', () => {
  const made = [
    requested(0),
    accepted(500),
    draft('link.withdrawn', 1_000, { idempotencyKey, reason: 'replaced', text: '' }),
  ];
  expect([shown(headIn(made)), shown(headIn(made, 2 * hour))]).toEqual([
    'Link withdrawn | end | say.withdrawn | new-link',
    'Expired, not checked | end | say.expired-unchecked | new-link',
  ]);
});

test('while one of two payments goes back, the head still shows both amounts, and offers nothing to refund', () => {
  const head = headIn(drafts('sale =settled sale(2nd) =settled(2nd) refund! >accepted'));
  expect([head.money.amount, head.part?.amount, head.action]).toEqual(['246.80', '123.40', null]);
});

test('requests in the same situation are named with their sum', () => {
  const head = headIn(drafts('sale =settled refund!(10.00) >accepted refund!(0.50 2nd) >accepted(2nd)'));
  expect([head.money.amount, head.part?.amount]).toEqual(['123.40', '10.50']);
});

const resolved = (line: string, reason: ResolutionReason): Head => {
  const made = drafts(line);
  const at = Math.max(...made.map(({ happenedAt }) => happenedAt)) - start + 1_000;
  const facts = fingerprintOf(rowOf(reduce(...made)));
  return headIn([...made, draft('review.resolved', at, { reason, text: '', facts })]);
};

test.each(resolutionReasons)('the decision "%s" speaks instead of what was unclear', reason => {
  for (const line of ['sale =decline', 'sale:undefined', 'sale =settled sale(2nd)']) {
    const head = resolved(line, reason);
    expect([head.kind, head.tone, head.action]).toEqual(['resolved', 'end', null]);
    expect(head.say).toMatch(/^say\.resolved\./);
  }
});

test('a decision about a payment that is clear leaves its head', () => {
  expect(resolved('sale =settled refund =refund', 'nothing-to-do').kind).toBe('refunded');
});

test('for any evidence no colour, tick or script contradicts a flag', () => {
  const good = new Set(['paid-confirmed', 'paid-checked']);
  const calm = ['say.paid-confirmed', 'say.paid-unconfirmed'];
  fc.assert(
    fc.property(evidence, events => {
      const payment = reducePayment([...[requested(), accepted()].flatMap(one => inTime([one])), ...events]);
      const head = headOf(rowOf(payment), payment.lastAt + 5 * 60_000);
      const has = (kind: string): boolean => payment.flags.some(flag => flag.kind === kind);
      const said = head.say ?? `say.${payment.state}`;
      expect(Object.keys(en)).toContain(said);
      expect(Object.keys(en)).toContain(head.doNot);
      if (head.tone === 'good') {
        expect(good.has(head.kind)).toBe(true);
        for (const kind of [
          'settled-twice',
          'returned-twice',
          'operation-unknown',
          'refunds-differ',
          'money-in-progress',
          'paid-after-withdrawal',
          'changed-between-deliveries',
          'description-differs',
        ])
          expect(has(kind)).toBe(false);
      }
      if (has('settled-twice') || has('returned-twice') || has('operation-unknown'))
        expect(calm).not.toContain(said);
      if (head.tone === 'wait') expect(has('settled-twice')).toBe(false);
    }),
    { numRuns: runs(250) },
  );
});
