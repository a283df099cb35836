import './without-window.ts';
import { expect, test } from 'vitest';
import { reasonsFor, unsettledBy } from '../../renderer/screens/reconciliation/review-sheets.tsx';
import { rowOf } from '../../shared/payments/payment-row.ts';
import { resolutionReasons } from '../../shared/review/review.ts';
import { callback, lookUp, start } from '../../tools/evidence/evidence.ts';
import { drafts } from '../../tools/evidence/evidence-line.ts';
import { raised, reduce } from '../../tools/evidence/reduced.ts';

test('payments of several causes can only be resolved together by a reason that says nothing about the money', () => {
  const [one, other] = ['sale =decline', 'sale =settled chargeback'].map(line =>
    rowOf(reduce(...drafts(line))),
  );
  if (!one || !other) throw new Error('two payments');
  expect(reasonsFor([one, one], start + 60_000)).toEqual(resolutionReasons);
  expect(reasonsFor([one, other], start + 60_000)).toEqual(['nothing-to-do', 'other']);
});

test('a payment that is proven cannot be resolved as not paid, and one paid twice is named as unsettled', () => {
  const twice = ['first', 'second'].flatMap((id, index) => [
    callback(index * 1_000, 'sale', 'success', { id }),
    lookUp(index * 1_000 + 500, 'settled', { paymentId: id }),
  ]);
  const row = rowOf(reduce(...raised, ...twice));
  const reasons = reasonsFor([row], start + 60_000);
  expect(reasons).toContain('confirmed-paid');
  expect(reasons).not.toContain('confirmed-not-paid');
  // Only what was settled or passed on leaves nothing open.
  expect(
    resolutionReasons.filter(reason => unsettledBy(reason, [row], start + 60_000).includes('settled-twice')),
  ).toEqual(['confirmed-paid', 'confirmed-not-paid', 'not-wanted', 'nothing-to-do', 'other']);
});
