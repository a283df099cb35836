import * as fc from 'fast-check';
import { runs } from '../../../tools/app-harness/runs.ts';
import { describe, expect, test } from 'vitest';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import { rowOf } from '../../../shared/payments/payment-row.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import { stateAt } from '../../../shared/payment-reducer/state-at.ts';
import {
  foundIn,
  reconcile,
  reconciliationCauses,
  type ReconciliationCause,
} from '../../../shared/reports/reconcile.ts';
import { reducePayment } from '../../../shared/payment-reducer/reduce.ts';
import { evidence } from '../../../tools/evidence/arbitrary-evidence.ts';
import { drafts } from '../../../tools/evidence/evidence-line.ts';
import { reduce } from '../../../tools/evidence/reduced.ts';
import {
  asEvent,
  callback,
  hour,
  lookUp,
  otherPayer,
  invalid,
  requested,
  start,
} from '../../../tools/evidence/evidence.ts';
import {
  minute,
  paid,
  raised,
  settled,
  attemptHistories,
} from '../../../tools/evidence/incomplete-payments.ts';

const later = 3 * hour;
const reconciled = [...raised, paid, settled];

const rowFrom = (drafts: readonly EventDraft[]): PaymentRow => rowOf(reducePayment(drafts.map(asEvent)));
const causesOf = (drafts: readonly EventDraft[], at: number): ReconciliationCause[] =>
  reconcile(rowFrom(drafts), start + at).map(({ cause }) => cause);

test.each(reconciliationCauses)('the causes of a payment in the queue include %s', cause => {
  expect(causesOf(attemptHistories[cause], later)[0]).toBe(cause);
});

test('the causes of a payment in the queue are none if a verified callback and a look-up agree', () => {
  expect(causesOf(reconciled, later)).toEqual([]);
});

test('the causes of a payment in the queue are none while the customer still has the link', () => {
  expect(causesOf(raised, 30 * minute)).toEqual([]);
});

test('the causes of a payment in the queue are none if the bank declined and nothing contradicts it', () => {
  expect(causesOf([...raised, callback(minute, 'sale', 'fail')], later)).toEqual([]);
});

test('the causes of a payment in the queue are none while the console itself still looks it up or waits for an answer', () => {
  expect(causesOf([requested()], minute)).toEqual([]);
  expect(causesOf([...raised, paid], 2 * minute)).toEqual([]);
  expect(causesOf([...raised, settled], 3 * minute)).toEqual([]);
  expect(causesOf([...raised, callback(minute, '3ds', 'success')], 40 * minute)).toEqual([]);
});

test('the causes of a payment in the queue do not change after a look-up that fails or has the same status', () => {
  const pendingLookUp = lookUp(hour, 'pending');
  const unanswered = { ...pendingLookUp, body: { ...pendingLookUp.body, answers: [] } };
  for (const more of [pendingLookUp, unanswered]) {
    const withoutOutcome = [...raised, callback(minute, 'sale', 'waiting'), more];
    expect(causesOf(withoutOutcome, hour + minute)).toEqual(['no-outcome-yet']);
  }
  expect(causesOf([requested(), unanswered], hour + minute)).toEqual(['outcome-unknown']);
});

test('the causes of a payment in the queue do not include a forged callback if two sources agree', () => {
  const forged = callback(5 * minute, 'sale', 'success', { order_amount: '1.00' }, invalid);
  expect(causesOf([...reconciled, forged], later)).toEqual([]);
});

test('the causes of a payment in the queue include a fail and a success of one payment, until a look-up settles it', () => {
  const both = [...raised, callback(0, 'sale', 'fail', { id: otherPayer }), callback(minute, 'sale', 'fail')];
  const contradicted = [...both, callback(2 * minute, 'sale', 'success', { date: '2026-10-05 12:02:00' })];
  expect(causesOf(contradicted, later)).toContain('sources-disagree');
  expect(causesOf([...contradicted, lookUp(hour, 'settled')], later)).not.toContain('sources-disagree');
});

test('the causes of a payment in the queue send a difference to finance once the money was returned', () => {
  const refund = callback(5 * minute, 'refund', 'success', { order_amount: '999.00' });
  const [finding] = reconcile(rowFrom([...reconciled, refund]), start + later);
  expect(finding).toMatchObject({ cause: 'record-differs', action: 'hand-to-finance' });
});

test('the causes of a payment in the queue begin with the time when the link expired', () => {
  const [finding] = reconcile(rowFrom(raised), start + later);
  expect(finding?.since).toBe(start + 500 + hour);
});

test('of an order that was paid twice one payment is refunded once: while a refund has no result, its status is checked', () => {
  const twice = 'sale =settled sale(2nd) =settled(2nd)';
  const firstOf = (line: string) => {
    const made = drafts(line);
    const last = made.at(-1)?.happenedAt ?? 0;
    return { ...reconcile(rowOf(reduce(...made)), last + 5 * minute)[0], last };
  };
  expect(firstOf(twice)).toMatchObject({ cause: 'settled-twice', action: 'refund-one' });
  expect(firstOf(`${twice} refund`)).toMatchObject({ cause: 'settled-twice', action: 'record' });
  for (const answer of ['', '>accepted']) {
    const { last, ...finding } = firstOf(`${twice} refund! ${answer}`);
    expect(finding).toEqual({ cause: 'settled-twice', action: 'look-up', since: last });
  }
});

describe('with any evidence', () => {
  const at = fc.integer({ min: 0, max: 5 * hour });
  const holds = (property: (row: PaymentRow, now: number) => void): void =>
    fc.assert(
      fc.property(evidence, at, (events, after) => property(rowOf(reducePayment(events)), start + after)),
      { numRuns: runs(200) },
    );

  test('each cause of a payment occurs once, gravest first, where the log searches for it', () => {
    holds((row, now) => {
      const causes = reconcile(row, now).map(({ cause }) => cause);
      expect(causes).toEqual(reconciliationCauses.filter(cause => causes.includes(cause)));
      for (const cause of causes) {
        const { states, flags, after = 0 } = foundIn[cause];
        if (after > 0) expect(now - row.firstAt).toBeGreaterThanOrEqual(after);
        if (states.length > 0) expect(states).toContain(stateAt(row, now));
        if (flags.length > 0) expect(row.flags.some(({ kind }) => flags.includes(kind))).toBe(true);
      }
    });
  });

  test('a payment that needs attention, is disputed or has expired is always in the queue', () => {
    holds((row, now) => {
      if (['needs-attention', 'chargeback', 'expired'].includes(stateAt(row, now)))
        expect(reconcile(row, now)).not.toEqual([]);
    });
  });

  test('a payment that is paid by one source alone soon enters the queue', () => {
    holds((row, now) => {
      if (row.state === 'paid-unconfirmed') expect(reconcile(row, now + hour + 5 * hour)).not.toEqual([]);
    });
  });
});
