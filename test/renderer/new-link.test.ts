import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newLinkOffer } from '../../renderer/screens/payment/new-link.ts';
import { inEnglish } from '../../shared/messages/catalogues.ts';
import { msg, type MessageKey } from '../../shared/messages/message.ts';
import type { Event } from '../../shared/payments/evidence.ts';
import { reducePayment } from '../../shared/payment-reducer/reduce.ts';
import { stateAt } from '../../shared/payment-reducer/state-at.ts';
import { evidence } from '../../tools/evidence/arbitrary-evidence.ts';
import {
  accepted,
  asEvent,
  callback,
  hour,
  lookUp,
  requested,
  start,
  unanswered,
} from '../../tools/evidence/evidence.ts';
import { attemptHistories } from '../../tools/evidence/incomplete-payments.ts';

/** A new link for the same order is offered only where nothing on the payment's page advises against it. */

const en = (key: MessageKey): string => inEnglish(msg(key));
const forbids = /\bdo not ship\b|\b(?:another|new) link\b/i;

/** What the payment's page offers, and each sentence on it that advises against shipping or a new link. */
const shownAt = (events: readonly Event[], now: number) => {
  const payment = reducePayment(events);
  const state = stateAt({ state: payment.state, expiresAt: payment.link?.expiresAt ?? null }, now);
  const offer = newLinkOffer(payment, state, events);
  const isLookedUp = state === 'outcome-unknown' && offer !== 'no';
  const doNot = isLookedUp ? 'do-not.outcome-unknown.looked-up' : (`do-not.${state}` as const);
  const sentences = [`Do not ${en(doNot)}`, ...payment.flags.map(({ kind }) => en(`flag.${kind}.text`))];
  return { state, offer, against: sentences.filter(sentence => forbids.test(sentence)) };
};

test('whatever the evidence, advice against a new link and the offer of one never stand on one page', () => {
  fc.assert(
    fc.property(evidence, fc.integer({ min: 0, max: 3 * hour }), (events, later) => {
      const { offer, against } = shownAt(events, start + later);
      if (offer !== 'no') expect(against).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test.each(['sources-disagree', 'source-took-back', 'record-differs', 'settled-twice', 'chargeback'] as const)(
  'a payment in the queue for "%s" offers no new link',
  cause => {
    expect(shownAt(attemptHistories[cause].map(asEvent), start + 3 * hour).offer).toBe('no');
  },
);

test('of an unanswered request a new link is offered only after a look-up, and only with a question', () => {
  const silent = [requested(), unanswered()].map(asEvent);
  expect(shownAt(silent, start + hour)).toMatchObject({ state: 'outcome-unknown', offer: 'no' });
  const asked = [...silent, asEvent(lookUp(2 * 60_000, 'prepare', {}))];
  expect(shownAt(asked, start + 60_000 * 3).offer).toBe('ask');
});

test('of a link that is being paid none is offered, and of one that ended unpaid one is', () => {
  const raised = [requested(), accepted()];
  const offerAfter = (...drafts: Parameters<typeof asEvent>[0][]) =>
    shownAt([...raised, ...drafts].map(asEvent), start + 10 * 60_000).offer;
  expect(offerAfter(callback(60_000, 'sale', 'waiting'))).toBe('no');
  expect(offerAfter(callback(60_000, 'sale', 'success'))).toBe('no');
  expect(offerAfter(callback(60_000, 'sale', 'fail'))).toBe('yes');
  expect(offerAfter()).toBe('ask');
});
