import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newLinkOffer } from '../../renderer/screens/payment/link/new-link.ts';
import { inEnglish } from '../../shared/messages/catalogues.ts';
import { msg, type MessageKey } from '../../shared/messages/message.ts';
import type { Event } from '../../shared/payments/evidence.ts';
import type { Flag } from '../../shared/payments/payment.ts';
import { reducePayment } from '../../shared/payment-reducer/reduce.ts';
import { stateAt } from '../../shared/payment-reducer/state-at.ts';
import { evidence } from '../../tools/evidence/arbitrary-evidence.ts';
import {
  accepted,
  asEvent,
  callback,
  hour,
  lookUp,
  order,
  requested,
  start,
  unanswered,
} from '../../tools/evidence/evidence.ts';
import { attemptHistories } from '../../tools/evidence/incomplete-payments.ts';

/** A new link for the same order is offered only if nothing on the payment's page advises against it. */

const en = (key: MessageKey): string => inEnglish(msg(key));
const advisesAgainst = /\b(?:do not|don’t) ship\b|\b(?:another|new) link\b/i;

/** A forged callback may report another amount or currency. That advises against shipping, not against a link. */
const isAboutLink = ({ kind }: Flag): boolean => kind !== 'amount-differs' && kind !== 'currency-differs';

/** The offer on the payment's page, and each sentence on it that advises against shipping or a new link. */
const shownAt = (events: readonly Event[], now: number) => {
  const payment = reducePayment(events);
  const state = stateAt({ state: payment.state, expiresAt: payment.link?.expiresAt ?? null }, now);
  const offer = newLinkOffer(payment, state, events);
  const isLookedUp = state === 'outcome-unknown' && offer !== 'no';
  const doNot = isLookedUp ? 'do-not.outcome-unknown.looked-up' : (`do-not.${state}` as const);
  const flags = payment.flags.filter(isAboutLink).map(({ kind }) => en(`flag.${kind}.text`));
  const sentences = [`Do not ${en(doNot)}`, ...flags];
  return { state, offer, against: sentences.filter(sentence => advisesAgainst.test(sentence)) };
};

test('no page both offers a new link and advises against one, with any evidence', () => {
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

test.each([
  ['reversed, then prepared, then reversed again', ['reversal', 'prepare', 'reversal']],
  ['voided, then declined, then voided again', ['void', 'decline', 'void']],
])('no new link is offered for a payment that the gateway reported as %s', (_, statuses) => {
  const lookUps = statuses.map((status, index) => lookUp((index + 1) * 60_000, status));
  const { state, offer } = shownAt([requested(), accepted(), ...lookUps].map(asEvent), start + 3 * hour);
  expect(['reversed', 'voided']).toContain(state);
  expect(offer).toBe('no');
});

test('no new link is offered after a look-up was answered about another order', () => {
  const other = lookUp(60_000, 'settled', { order: { ...order, number: 'CF-2002' } });
  const { state, offer } = shownAt([requested(), accepted(), other].map(asEvent), start + hour / 2);
  expect(state).toBe('waiting');
  expect(offer).toBe('no');
});

test('after an unanswered request a new link is offered only after a look-up, and only with a question', () => {
  const unansweredRequest = [requested(), unanswered()].map(asEvent);
  expect(shownAt(unansweredRequest, start + hour)).toMatchObject({ state: 'outcome-unknown', offer: 'no' });
  const asked = [...unansweredRequest, asEvent(lookUp(2 * 60_000, 'prepare', {}))];
  expect(shownAt(asked, start + 60_000 * 3).offer).toBe('ask');
});

test('while a link is being paid no new one is offered; after it ended unpaid one is', () => {
  const raised = [requested(), accepted()];
  const offerAfter = (...drafts: Parameters<typeof asEvent>[0][]) =>
    shownAt([...raised, ...drafts].map(asEvent), start + 10 * 60_000).offer;
  expect(offerAfter(callback(60_000, 'sale', 'waiting'))).toBe('no');
  expect(offerAfter(callback(60_000, 'sale', 'success'))).toBe('no');
  expect(offerAfter(callback(60_000, 'sale', 'fail'))).toBe('yes');
  expect(offerAfter()).toBe('ask');
});
