import * as fc from 'fast-check';
import { hasAmount, kindsWithCallback, offeredKinds } from '../../shared/operations/operation-kinds.ts';
import { documentedTypes } from '../../shared/callbacks/callback-meaning.ts';
import type { Event, EventDraft } from '../../shared/payments/evidence.ts';
import { inTime } from './reduced.ts';
import {
  accepted,
  again,
  asEvent,
  callback,
  draft,
  hour,
  lookUp,
  note,
  order,
  otherPayer,
  payer,
  refusedSession,
  invalid,
  requested,
  unanswered,
  verified,
} from './evidence.ts';

import {
  intent,
  operationAnswered,
  operationRefused,
  operationRequested,
  operationUnanswered,
} from './operation-evidence.ts';

/** Arbitrary evidence about one order, within two hours. */

const requestsByKey = ['f3b1c7de-58a7-4a0c-9f3c-3b4a55b2f001', '0d0e9d5a-58a7-4a0c-9f3c-3b4a55b2f002'];
export const at = fc.integer({ min: 0, max: 2 * hour });
const idempotencyKey = fc.constantFrom(...requestsByKey);
export const id = fc.constantFrom(payer, otherPayer);
const types = [...new Set([...documentedTypes, ...kindsWithCallback, 'reversal', 'odd'])];
const statuses = ['success', 'fail', 'waiting', 'undefined'];
const changes = fc.record(
  {
    order_amount: fc.constantFrom('123.40', '123.4', '60.00', '999.00'),
    order_currency: fc.constantFrom('EUR', 'USD'),
    order_status: fc.constantFrom('settled', 'pending', 'null'),
    card: fc.constantFrom('411111******1111', '555555****4444'),
    date: fc.constantFrom('2026-10-05 12:01:00', '2026-10-05 12:02:00'),
    reason: fc.constantFrom('Declined', ''),
  },
  { requiredKeys: [] },
);

export const callbacks = (verdict: fc.Arbitrary<boolean>): fc.Arbitrary<EventDraft> =>
  fc
    .tuple(at, fc.constantFrom(...types), fc.constantFrom(...statuses), changes, id, verdict)
    .map(([when, type, status, more, paymentId, good]) =>
      callback(
        when,
        type,
        status,
        { ...more, id: paymentId },
        good ? verified : { ...invalid, verdict: when % 2 === 0 ? 'invalid' : 'no-password' },
      ),
    );

const intents = fc.constantFrom(intent, '6a1f0d52-58a7-4a0c-9f3c-3b4a55b2f102');
const operations: fc.Arbitrary<EventDraft> = fc.oneof(
  fc
    .tuple(at, intents, fc.constantFrom(...offeredKinds), fc.constantFrom('123.40', '60.00', '10.00'), id)
    .map(([when, of, operation, amount, paymentId]) =>
      operationRequested(
        when,
        { intent: of, operation, ...(hasAmount(operation, 'none') ? {} : { amount }) },
        { paymentId },
      ),
    ),
  fc
    .tuple(at, intents, fc.constantFrom('accepted', 'done', 'failed', 'pending'))
    .map(([when, of, claim]) => operationAnswered(when, { claim }, of)),
  fc.tuple(at, intents, fc.boolean()).map(([when, of, sent]) => operationRefused(when, sent, of)),
  fc.tuple(at, intents).map(([when, of]) => operationUnanswered(when, of)),
);

export const others: fc.Arbitrary<EventDraft> = fc.oneof(
  operations,
  fc.tuple(at, idempotencyKey).map(([when, of]) => requested(when, { idempotencyKey: of })),
  fc
    .tuple(at, idempotencyKey)
    .map(([when, of]) => accepted(when, { idempotencyKey: of, link: `https://pay.example/${of}` })),
  fc.tuple(at, idempotencyKey).map(([when, of]) => refusedSession(when, { idempotencyKey: of })),
  fc.tuple(at, idempotencyKey).map(([when, of]) => unanswered(when, { idempotencyKey: of })),
  fc
    .tuple(
      at,
      fc.constantFrom(
        'prepare',
        'settled',
        'pending',
        '3ds',
        'redirect',
        'decline',
        'refund',
        'reversal',
        'void',
        'chargeback',
        'new',
      ),
      fc.option(id),
      fc.constantFrom('123.40', '60.00', null),
      fc.boolean(),
    )
    .map(([when, status, paymentId, amount, byOrder]) => {
      const one = lookUp(when, status, { paymentId, order: { ...order, amount } });
      return byOrder && paymentId === null
        ? { ...one, body: { ...one.body, asked: { by: 'order-number' as const, value: order.number } } }
        : one;
    }),
  at.map(when => note(when, 'called')),
  at.map(when => draft('link.shared', when, { channel: 'copy' })),
  fc
    .tuple(at, idempotencyKey)
    .map(([when, of]) => draft('link.withdrawn', when, { idempotencyKey: of, reason: 'replaced', text: '' })),
);

/** Evidence that includes repeated deliveries and repeated verifications. */
export const evidence: fc.Arbitrary<Event[]> = fc
  .array(fc.oneof({ weight: 2, arbitrary: callbacks(fc.boolean()) }, { weight: 3, arbitrary: others }), {
    minLength: 1,
    maxLength: 14,
  })
  .chain(drafts =>
    fc.array(fc.tuple(fc.nat(drafts.length - 1), at, fc.boolean()), { maxLength: 4 }).map(more => [
      ...drafts,
      ...more.flatMap(([index, when, judge]) => {
        const of = drafts[index];
        if (of?.kind !== 'callback.received') return [];
        return [
          judge
            ? draft('callback.reverified', when, { callback: of.id, verification: verified })
            : again(of, when),
        ];
      }),
    ]),
  )
  .map(inTime);

/** Evidence that begins with a link created here. */
export const raised: fc.Arbitrary<Event[]> = evidence.map(events =>
  [asEvent(requested()), asEvent(accepted()), ...events].map((event, index) => ({
    ...event,
    writerSeq: index + 1,
  })),
);

/** What another installation can write about an order with what it reads there: the ids, keys and intents of others. */
export const hostile = (events: readonly Event[]): fc.Arbitrary<Event[]> => {
  const ids = fc.constantFrom(...events.map(({ id: of }) => of));
  const [first] = events;
  const notFirst = fc.constantFrom(...events.slice(1).map(({ id: of }) => of));
  const keys = fc.constantFrom(...requestsByKey);
  const of = fc.constantFrom(...events);
  const last = Math.max(...events.map(({ recordedAt }) => recordedAt));
  const received = events.find(({ kind }) => kind === 'callback.received');
  const made: fc.Arbitrary<EventDraft> = fc.oneof(
    fc.tuple(at, intents, fc.boolean()).map(([when, intent, sent]) => operationRefused(when, sent, intent)),
    fc
      .tuple(at, intents, fc.constantFrom('accepted', 'done', 'failed', 'pending'))
      .map(([when, intent, claim]) => operationAnswered(when, { claim }, intent)),
    fc.tuple(at, intents).map(([when, intent]) => operationUnanswered(when, intent)),
    fc
      .tuple(at, keys)
      .map(([when, key]) => accepted(when, { idempotencyKey: key, link: 'https://evil.example/' })),
    fc.tuple(at, keys).map(([when, key]) => refusedSession(when, { idempotencyKey: key })),
    fc.tuple(at, keys).map(([when, key]) => unanswered(when, { idempotencyKey: key })),
    fc
      .tuple(at, keys)
      .map(([when, key]) =>
        draft('link.withdrawn', when, { idempotencyKey: key, reason: 'replaced', text: '' }),
      ),
    fc
      .tuple(at, notFirst, fc.boolean())
      .map(([when, callbackId, good]) =>
        draft('callback.reverified', when, { callback: callbackId, verification: good ? verified : invalid }),
      ),
    fc.tuple(at, ids).map(([when, id]) => draft('review.reopened', when, { resolutions: [id] })),
    fc.tuple(at, ids).map(([when, id]) => note(when, 'with the id of another', { id })),
    // A delivery that does not verify, with the key of one that did, the id of the first event and other parameters.
    at.map(when =>
      callback(when, 'refund', 'success', { reason: 'forged' }, invalid, {
        ...(first ? { id: first.id } : {}),
        dedupeKey: received?.dedupeKey ?? null,
      }),
    ),
  );
  const written = fc.oneof(
    { weight: 3, arbitrary: made.map(asEvent) },
    // A copy of what the honest installation wrote before.
    { weight: 1, arbitrary: of.map(one => ({ ...one, recordedAt: last + 1 })) },
  );
  return fc
    .array(written, { minLength: 1, maxLength: 6 })
    .map(all => all.map((event, index) => ({ ...event, writer: 'hostile', writerSeq: index + 1 })));
};
