import { randomUUID } from 'node:crypto';
import { callbackKey } from '../../main/callbacks/verify-callback.ts';
import type {
  CallbackFields,
  DraftOf,
  Event,
  EventBody,
  EventDraft,
  EventKind,
  StatusAnswer,
  Verification,
} from '../../shared/payments/evidence.ts';
import type { ChainedEvent } from '../../main/payment-log/answers.ts';
import { chainedEvents } from '../../main/payment-log/sqlite/query/chained-events.ts';
import { openForWriting } from '../../main/payment-log/sqlite/store/database.ts';
import { logWriter } from '../../main/payment-log/sqlite/store/writer.ts';

/** Evidence for tests, created like the console's. Instants are milliseconds after a fixed moment. */

/** An event to write: by which installation, and when (milliseconds since 1970). */
export type Written = { writer: string; at: number; draft: EventDraft };

/** The chains that installations write with these events, in their order; each in a separate payment log. */
export const chainsOf = (events: readonly Written[]): Map<string, readonly ChainedEvent[]> => {
  const chains = new Map<string, readonly ChainedEvent[]>();
  for (const name of new Set(events.map(({ writer }) => writer))) {
    const opened = openForWriting(':memory:');
    if (!opened.ok) throw new Error(opened.error.code);
    let now = 0;
    const writer = logWriter(opened.value, name, () => now);
    for (const { at, draft } of events.filter(one => one.writer === name)) {
      now = at;
      const [place] = writer.write([[draft]]);
      if (!place?.ok) throw new Error(`The event was refused: ${place?.error.code}`);
    }
    const chain: ChainedEvent[] = [];
    for (let some; (some = chainedEvents(opened.value)(name, chain.length, 1_000)).length > 0;)
      chain.push(...some);
    chains.set(name, chain);
    opened.value.close();
  }
  return chains;
};

export const start = Date.UTC(2026, 9, 5, 12, 0, 0);
export const hour = 3_600_000;

export const verified: Verification = { verdict: 'verified', uppercasing: 'unicode', digest: 'md5' };
export const invalid: Verification = { verdict: 'invalid', uppercasing: null, digest: 'md5' };

export const order = { number: 'CF-1001', amount: '123.40', currency: 'EUR', description: 'Blue chair' };
export const payer = '9d1b7a0e-7b50-11f0-8f3a-0242ac120002';
export const otherPayer = 'b4c2aa10-7b50-11f0-8f3a-0242ac120002';

type EventHeader = Partial<
  Pick<EventDraft, 'id' | 'profileId' | 'orderNumber' | 'paymentId' | 'agent' | 'dedupeKey'>
>;

export const draft = <K extends EventKind>(
  kind: K,
  at: number,
  body: EventBody<K>,
  frame: EventHeader = {},
): DraftOf<K> =>
  ({
    id: randomUUID(),
    profileId: 'sandbox',
    orderNumber: order.number,
    paymentId: null,
    agent: 'Ada',
    dedupeKey: null,
    ...frame,
    happenedAt: start + at,
    kind,
    body,
  }) as DraftOf<K>;

let written = 0;
/** The event that the log would record for a draft; drafts are recorded in the order in which they are given. */
export const asEvent = (one: EventDraft): Event => {
  written += 1;
  return { ...one, recordedAt: one.happenedAt, writer: 'test', writerSeq: written };
};

/** The key of the request that `requested` and `accepted` belong to. */
export const idempotencyKey = 'f3b1c7de-58a7-4a0c-9f3c-3b4a55b2f001';

export const requested = (
  at = 0,
  body: Partial<EventBody<'session.requested'>> = {},
  frame: EventHeader = {},
): DraftOf<'session.requested'> =>
  draft(
    'session.requested',
    at,
    {
      idempotencyKey,
      amount: order.amount,
      currency: order.currency,
      description: order.description,
      methods: ['card'],
      customer: null,
      endpoint: 'https://pay.example/api/v1/sessions/',
      request: JSON.stringify({ merchant_key: 'key', operation: 'purchase', order, hash: '•••' }),
      expiryMinutes: null,
      ...body,
    },
    frame,
  );

export const accepted = (
  at = 500,
  body: Partial<EventBody<'session.accepted'>> = {},
  frame: EventHeader = {},
): DraftOf<'session.accepted'> =>
  draft(
    'session.accepted',
    at,
    {
      idempotencyKey,
      link: 'https://pay.example/auth/ZXhhbXBsZQ',
      issuedAt: start + at,
      expiresAt: start + at + hour,
      answer: {
        httpStatus: 200,
        contentType: 'application/json',
        body: '{"redirect_url":"…"}',
        truncated: false,
      },
      ...body,
    },
    frame,
  );

export const refusedSession = (at = 500, body: Partial<EventBody<'session.refused'>> = {}): EventDraft =>
  draft('session.refused', at, {
    idempotencyKey,
    sent: true,
    code: 'gateway.refused',
    message: 'Your provider rejected the request.',
    fields: [],
    answer: null,
    ...body,
  });

export const unanswered = (at = 20_000, body: Partial<EventBody<'session.unanswered'>> = {}): EventDraft =>
  draft('session.unanswered', at, {
    idempotencyKey,
    code: 'gateway.timeout',
    message: 'Your provider did not respond in time.',
    answer: null,
    ...body,
  });

/** A callback (§2.6). `changes` replaces or adds parameters; the dedupe key covers all of them, like the console's. */
export const callback = (
  at: number,
  type: string,
  status: string,
  changes: Record<string, string> = {},
  verification: Verification = verified,
  frame: EventHeader = {},
): DraftOf<'callback.received'> => {
  const fields: CallbackFields = Object.entries({
    id: payer,
    order_number: order.number,
    order_amount: order.amount,
    order_currency: order.currency,
    order_description: order.description,
    type,
    status,
    rrn: '123456789012',
    approval_code: 'A1B2C3',
    card: '411111******1111',
    customer_name: 'Jane Doe',
    customer_email: 'jane@example.com',
    customer_ip: '192.0.2.7',
    date: '2026-10-05 12:01:00',
    hash: '0'.repeat(40),
    ...changes,
  });
  const id = fields.find(([name]) => name === 'id')?.[1] ?? null;
  return draft(
    'callback.received',
    at,
    { fields, form: 'urlencoded', via: 'receiver', verification },
    { paymentId: id, agent: 'console', dedupeKey: callbackKey('sandbox', fields), ...frame },
  );
};

/** The same refund under a profile that interprets its `order_amount` as the refunded amount. */
export const withRefundedAmount = (refund: DraftOf<'callback.received'>): EventDraft => ({
  ...refund,
  body: { ...refund.body, refundAmount: 'refunded' },
});

/** The same callback delivered again: another event, the same evidence. */
export const again = <D extends EventDraft>(one: D, at: number): D => ({
  ...one,
  id: randomUUID(),
  happenedAt: start + at,
});

/** A look-up that was answered (§2.5). */
export const lookUp = (
  at: number,
  status: string,
  changes: Partial<StatusAnswer> = {},
  frame: EventHeader = {},
): DraftOf<'status.observed'> => {
  const paymentId = changes.paymentId === undefined ? payer : changes.paymentId;
  return draft(
    'status.observed',
    at,
    {
      asked: { by: 'payment-id', value: paymentId ?? payer },
      answers: [
        {
          paymentId,
          date: '2026-10-05 12:00:30',
          status,
          reason: null,
          order: { ...order },
          customer: { name: 'Jane Doe', email: 'jane@example.com' },
          extra: {},
          ...changes,
        },
      ],
      problem: null,
      answer: {
        httpStatus: 200,
        contentType: 'application/json',
        body: JSON.stringify({ payment_id: paymentId, status, customer: { email: 'jane@example.com' } }),
        truncated: false,
      },
      requestedBy: 'console',
    },
    { paymentId, ...frame },
  );
};

export const note = (at: number, text: string, frame: EventHeader = {}): EventDraft =>
  draft('note.added', at, { text }, frame);
