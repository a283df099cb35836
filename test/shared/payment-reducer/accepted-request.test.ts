import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import { reducePayment } from '../../../shared/payment-reducer/reduce.ts';
import {
  accepted,
  asEvent,
  refusedSession,
  requested,
  unanswered,
} from '../../../tools/evidence/evidence.ts';

/** A payment shows the request whose link the customer has, also if others were refused before or after it. */

type Press = {
  amount: string;
  name: string | null;
  result: 'accepted' | 'refused' | 'unanswered';
  /** Sent with the key of the press before it, as earlier versions did after a refusal. */
  isSameKey: boolean;
};

const press: fc.Arbitrary<Press> = fc.record({
  amount: fc.integer({ min: 1, max: 9_999 }).map(minor => (minor / 100).toFixed(2)),
  name: fc.option(fc.constantFrom('Anna Nowak', 'Zoë O’Brien', 'Elif Brown')),
  result: fc.constantFrom('accepted', 'refused', 'unanswered'),
  isSameKey: fc.boolean(),
});

const draftsOf = (presses: readonly Press[]): EventDraft[] => {
  let key = 0;
  return presses.flatMap(({ amount, name, result, isSameKey }, index) => {
    if (!(isSameKey && presses[index - 1]?.result === 'refused')) key += 1;
    const idempotencyKey = `00000000-0000-4000-8000-${String(key).padStart(12, '0')}`;
    const at = index * 10_000;
    const link = `https://pay.example/${String(index)}`;
    const ended = {
      accepted: () => accepted(at + 500, { idempotencyKey, link }),
      refused: () => refusedSession(at + 500, { idempotencyKey }),
      unanswered: () => unanswered(at + 500, { idempotencyKey }),
    }[result]();
    const customer = name === null ? null : { name };
    return [requested(at, { idempotencyKey, amount, customer }, { agent: `agent ${String(index)}` }), ended];
  });
};

test('a payment shows amount, customer and agent of the accepted request, and its link', () => {
  fc.assert(
    fc.property(
      fc.array(press, { minLength: 1, maxLength: 5 }).chain(presses => {
        const events = draftsOf(presses).map(asEvent);
        return fc.tuple(
          fc.constant(presses),
          fc.shuffledSubarray(events, { minLength: events.length, maxLength: events.length }),
        );
      }),
      ([presses, events]) => {
        const index = presses.findLastIndex(({ result }) => result === 'accepted');
        fc.pre(index !== -1);
        const named = presses.filter(({ result, name }) => result !== 'refused' && name !== null);
        const name = presses[index]?.name ?? named.at(-1)?.name ?? null;
        const payment = reducePayment(events);
        expect(payment).toMatchObject({
          amount: presses[index]?.amount,
          customer: name === null ? null : { name },
          agent: `agent ${String(index)}`,
          link: { url: `https://pay.example/${String(index)}` },
        });
        expect(payment.links.at(-1)?.amount).toBe(presses[index]?.amount);
      },
    ),
    { numRuns: 500 },
  );
});
