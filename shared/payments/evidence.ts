import * as z from 'zod';
import { errorCodeSchema, fieldProblemSchema } from '../errors.ts';
import { digests, refundAmounts, uppercasings } from '../settings/profile.ts';

/**
 * Evidence: what was sent, what came back, who did what. Events are appended
 * and never edited; a payment is what the events of one order number of one
 * profile add up to (see payment.ts).
 */

/** Milliseconds since 1970, UTC. */
const instant = z.int();

export const callbackFormSchema = z.enum([
  'lines',
  'urlencoded',
  'json',
  'php-print-r',
  'php-var-export',
  'python-dict',
  'ruby-hash',
  'raw-http',
  'log-line',
  'har',
  'csv',
  'multipart',
  'return-url',
]);
export type CallbackForm = z.infer<typeof callbackFormSchema>;

/** Parameters in the order they came, byte for byte after decoding; a name may repeat. */
export const callbackFieldsSchema = z.array(z.tuple([z.string(), z.string()]));
export type CallbackFields = z.infer<typeof callbackFieldsSchema>;

/** What the signature check found. `verified` covers id, order number, amount, currency and description alone (§5.3). */
export const verificationSchema = z.object({
  verdict: z.enum(['verified', 'invalid', 'no-hash', 'no-password']),
  /** Which upper-casing matched; null unless verified. */
  uppercasing: z.enum(uppercasings).nullable(),
  digest: z.enum(digests),
});
export type Verification = z.infer<typeof verificationSchema>;

export const deliveryViaSchema = z.enum(['receiver', 'paste', 'file']);

/** How the person at the desk passed the link on. */
export const shareChannelSchema = z.enum([
  'copy',
  'qr',
  'email',
  'sms',
  'whatsapp',
  'spelled',
  'print',
  'opened',
]);
export type ShareChannel = z.infer<typeof shareChannelSchema>;

export const customerSchema = z.object({
  name: z.string().max(255).optional(),
  email: z.string().max(320).optional(),
});

/** At most 16 KiB of an answer, as received, secrets masked. */
const answerSchema = z.object({
  httpStatus: z.int().nullable(),
  contentType: z.string().nullable(),
  body: z.string(),
  truncated: z.boolean(),
});
export type AnswerExcerpt = z.infer<typeof answerSchema>;

/** A status answer's content (§2.5); everything beyond the interface is kept in `extra`, as received. */
export const statusAnswerSchema = z.object({
  paymentId: z.string().nullable(),
  date: z.string().nullable(),
  status: z.string(),
  reason: z.string().nullable(),
  order: z.object({
    number: z.string().nullable(),
    amount: z.string().nullable(),
    currency: z.string().nullable(),
    description: z.string().nullable(),
  }),
  customer: customerSchema.nullable(),
  extra: z.record(z.string(), z.string()),
});
export type StatusAnswer = z.infer<typeof statusAnswerSchema>;

export const lookUpKeySchema = z.object({ by: z.enum(['payment-id', 'order-number']), value: z.string() });
export type LookUpKey = z.infer<typeof lookUpKeySchema>;

const bodies = {
  /** Written and durable before the request leaves. */
  'session.requested': z.object({
    /** One press of the button: ties the outcome to the request. */
    idempotencyKey: z.uuid(),
    /** The wire form, byte for byte. */
    amount: z.string(),
    currency: z.string(),
    description: z.string(),
    methods: z.array(z.string()),
    customer: customerSchema.nullable(),
    endpoint: z.string(),
    /** The JSON that was sent, hash masked. */
    request: z.string(),
    /** Minutes of life asked for; null = not asked, one hour (§3.3). */
    expiryMinutes: z.int().nullable(),
  }),
  'session.accepted': z.object({
    idempotencyKey: z.uuid(),
    /** A bearer: whoever holds it can pay. */
    link: z.string(),
    issuedAt: instant,
    expiresAt: instant,
    answer: answerSchema,
  }),
  /** The gateway said no, or the request surely never left (`sent: false`): no link exists. */
  'session.refused': z.object({
    idempotencyKey: z.uuid(),
    sent: z.boolean(),
    code: errorCodeSchema,
    message: z.string(),
    fields: z.array(fieldProblemSchema),
    answer: answerSchema.nullable(),
  }),
  /** It may or may not have arrived: outcome unknown. */
  'session.unanswered': z.object({
    idempotencyKey: z.uuid(),
    code: errorCodeSchema,
    message: z.string(),
    answer: answerSchema.nullable(),
  }),
  'callback.received': z.object({
    fields: callbackFieldsSchema,
    form: callbackFormSchema,
    via: deliveryViaSchema,
    /** As judged on arrival; a later judgement is an event of its own. */
    verification: verificationSchema,
    /** What the profile took a refund's `order_amount` for on arrival; absent = the order's amount (§2.6). */
    refundAmount: z.enum(refundAmounts).optional(),
  }),
  /** A callback judged again, for example after the password was corrected. */
  'callback.reverified': z.object({ callback: z.string(), verification: verificationSchema }),
  'status.observed': z.object({
    asked: lookUpKeySchema,
    /** One entry, or one per attempt when the gateway answered an array; empty when it refused. */
    answers: z.array(statusAnswerSchema),
    problem: z.object({ code: errorCodeSchema, message: z.string() }).nullable(),
    answer: answerSchema.nullable(),
    /** By the person, or by the console itself (confirming, bulk). */
    requestedBy: z.enum(['person', 'console']),
  }),
  'note.added': z.object({ text: z.string().max(4000) }),
  'link.shared': z.object({ channel: shareChannelSchema }),
  /** Personal details of earlier events were erased (retention). */
  amended: z.object({ events: z.array(z.string()), reason: z.enum(['retention', 'request']) }),
} as const;

export type EventKind = keyof typeof bodies;
export type EventBody<K extends EventKind> = z.infer<(typeof bodies)[K]>;

const frame = z.object({
  id: z.uuid(),
  profileId: z.string(),
  /** Null only for a callback that names no order. */
  orderNumber: z.string().nullable(),
  paymentId: z.string().nullable(),
  /** When it happened, by this PC's clock. */
  happenedAt: instant,
  /** Who was at the desk; `console` when the console acted by itself. */
  agent: z.string(),
  /** Two events with the same key are the same piece of evidence, delivered again; null = always its own. */
  dedupeKey: z.string().nullable(),
});

const variant = <K extends EventKind>(kind: K) => frame.extend({ kind: z.literal(kind), body: bodies[kind] });

/** An event before it is written down. */
export const eventDraftSchema = z.discriminatedUnion('kind', [
  variant('session.requested'),
  variant('session.accepted'),
  variant('session.refused'),
  variant('session.unanswered'),
  variant('callback.received'),
  variant('callback.reverified'),
  variant('status.observed'),
  variant('note.added'),
  variant('link.shared'),
  variant('amended'),
]);
export type EventDraft = z.infer<typeof eventDraftSchema>;

/** What the log adds when it writes an event down. */
const recording = z.object({ recordedAt: instant, writer: z.string(), writerSeq: z.int() });

export const eventSchema = z.intersection(eventDraftSchema, recording);
export type Event = EventDraft & z.infer<typeof recording>;
export type EventOf<K extends EventKind> = Extract<Event, { kind: K }>;
