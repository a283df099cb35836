import * as z from 'zod';
import { activityActionSchema, activityDetailsSchema } from '../activity/activity.schema.ts';
import { errorCodeSchema } from '../errors.schema.ts';
import { languages } from '../messages/message.ts';
import { maxOperationText, operationKinds, operationReasons } from '../operations/operation-kinds.ts';
import { movementKinds, recordedOutcomes } from './payment-kinds.ts';
import { maxWithdrawalText, withdrawalReasons } from './order-link.ts';
import { paymentOptionsSchema } from './payment-options.schema.ts';
import { factsSchema, resolutionReasonSchema, resolutionTextSchema } from '../review/review.schema.ts';
import { digests, refundAmounts, uppercasings } from '../gateway-variants.ts';
import { statementRecordSchema } from '../statements/statement-record.schema.ts';

/**
 * Evidence: requests, responses and user actions. Events are appended and never edited; a payment is derived from the
 * events of one order number of one profile (see payment.ts).
 */

/** Milliseconds since 1970, UTC. */
const instant = z.int();

/** `lines`: one parameter a line; `text`: parameters in any other text, such as a dump, a log, a table or a mail. */
export const callbackFormSchema = z.enum([
  'json',
  'urlencoded',
  'lines',
  'multipart',
  'raw-http',
  'return-url',
  'text',
]);
export type CallbackForm = z.infer<typeof callbackFormSchema>;

/** Parameters in order of arrival, byte for byte after decoding; a name may repeat. */
export const callbackFieldsSchema = z.array(z.tuple([z.string(), z.string()]));
export type CallbackFields = z.infer<typeof callbackFieldsSchema>;

/**
 * The result of the signature check. `verified` covers only id, order number, amount, currency and description
 * (§5.3).
 */
export const verificationSchema = z.object({
  verdict: z.enum(['verified', 'invalid', 'no-hash', 'no-password']),
  /** The upper-casing that matched; null unless verified. */
  uppercasing: z.enum(uppercasings).nullable(),
  digest: z.enum(digests),
});
export type Verification = z.infer<typeof verificationSchema>;

export const deliveryViaSchema = z.enum(['receiver', 'paste', 'file']);

/** The channel by which the agent shared the link. */
export const shareChannelSchema = z.enum([
  'copy',
  /** The text of a message with the link, copied. */
  'message',
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
  /** As typed; `readPhoneNumber` reads it. */
  phone: z.string().max(40).optional(),
});

/** At most 16 KiB of a response, as received, secrets masked. */
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

/** What the gateway's answer to an operation says. It is not signed: a reason to look the payment up, never a proof. */
export const operationReportSchema = z.object({
  /** `done`, `failed`: the answer names a result; `accepted`, `pending`: it does not. */
  claim: z.enum(['accepted', 'done', 'failed', 'pending']),
  paymentId: z.string().nullable(),
  status: z.string().nullable(),
  reason: z.string().nullable(),
});

const bodies = {
  /** Durable before the request is sent. */
  'session.requested': z.object({
    /** One submission of the form: connects the result to the request. */
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
    /** Requested lifetime, minutes; null = not requested, one hour (§3.3). */
    expiryMinutes: z.int().nullable(),
    /** What differed from the profile. Absent: nothing. A card token is never recorded. */
    options: paymentOptionsSchema.optional(),
    /** Why there is a link that no customer gets. Absent: it is for a customer. */
    purpose: z.literal('connection-check').optional(),
  }),
  'session.accepted': z.object({
    idempotencyKey: z.uuid(),
    /** A bearer credential: anyone with the link can pay. */
    link: z.string(),
    issuedAt: instant,
    expiresAt: instant,
    answer: answerSchema,
  }),
  /** The gateway refused it, or the request was certainly not sent (`sent: false`): no link exists. */
  'session.refused': z.object({
    idempotencyKey: z.uuid(),
    sent: z.boolean(),
    code: errorCodeSchema,
    message: z.string(),
    /** The fields that the gateway or the form refused; texts in English. */
    fields: z.array(z.object({ path: z.string(), message: z.string() })),
    answer: answerSchema.nullable(),
  }),
  /** It may have arrived: the outcome is unknown. */
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
    /** The verdict on arrival; a later verdict is a separate event. */
    verification: verificationSchema,
    /** The profile's interpretation of a refund's `order_amount` on arrival; absent = the order's amount (§2.6). */
    refundAmount: z.enum(refundAmounts).optional(),
  }),
  /** A second verification of a callback, for example after the password was corrected. */
  'callback.reverified': z.object({ callback: z.string(), verification: verificationSchema }),
  'status.observed': z.object({
    asked: lookUpKeySchema,
    /** One entry, or one per attempt if the gateway answered an array; empty if it refused. */
    answers: z.array(statusAnswerSchema),
    problem: z.object({ code: errorCodeSchema, message: z.string() }).nullable(),
    answer: answerSchema.nullable(),
    /** By a user, or by the console (confirmation, bulk look-up). */
    requestedBy: z.enum(['person', 'console']),
  }),
  'note.added': z.object({ text: z.string().max(4000) }),
  /** A link is no longer shared. The gateway cannot cancel it: it can be paid until it expires. */
  'link.withdrawn': z.object({
    /** Of the request that issued the link. */
    idempotencyKey: z.uuid(),
    reason: z.enum(withdrawalReasons),
    text: z.string().max(maxWithdrawalText),
  }),
  /** A person closed what needed review. It holds while the payment's facts are those named here. */
  'review.resolved': z.object({
    reason: resolutionReasonSchema,
    text: resolutionTextSchema,
    facts: factsSchema,
  }),
  /** Takes these resolutions back, by their events' ids. */
  'review.reopened': z.object({ resolutions: z.array(z.string()) }),
  /** The name of a person; null = not assigned. */
  'review.assigned': z.object({ assignee: z.string().max(80).nullable() }),
  /** Hidden from the queue until this instant, or until the facts change; null ends it. */
  'review.snoozed': z.object({ until: instant.nullable(), facts: factsSchema }),
  /** The customer of this order and that of another order of the profile are one person. Names no details. */
  'customer.joined': z.object({ otherOrder: z.string().max(255) }),
  /** Undoes a join, by its event's id. */
  'customer.separated': z.object({ joined: z.string() }),
  'link.shared': z.object({
    channel: shareChannelSchema,
    /** Of the message; absent: no message. */
    language: z.enum(languages).optional(),
  }),
  /** Durable before the request is sent. It is sent once, and never repeated automatically. */
  'operation.requested': z.object({
    /** One decision of a person: connects the result to the request. */
    intent: z.uuid(),
    operation: z.enum(operationKinds),
    /** Wire form, byte for byte; null if the request has no amount. */
    amount: z.string().nullable(),
    /** The payment's; no request carries it unless the profile says so. */
    currency: z.string(),
    reason: z.enum(operationReasons),
    text: z.string().max(maxOperationText),
    /** Whose limit of the day it counts for: a name may change. */
    agentId: z.string().max(64),
    /** The second person who confirmed it with their PIN; null: none was needed. */
    approvedBy: z.string().max(80).nullable(),
    approvedById: z.string().max(64).nullable(),
    /** Of a recurring charge, whose order is a new one. The token is never recorded. */
    charge: z
      .object({
        firstPaymentId: z.string(),
        description: z.string(),
        /** As typed for the first payment. */
        customer: customerSchema.optional(),
        /** When and how the customer agreed. */
        consent: z.string().max(maxOperationText),
      })
      .optional(),
    endpoint: z.string(),
    /** The JSON that was sent, hash and token masked. */
    request: z.string(),
  }),
  'operation.answered': z.object({
    intent: z.uuid(),
    report: operationReportSchema,
    answer: answerSchema,
  }),
  /** The gateway refused it, or the request was certainly not sent (`sent: false`): no money moves. */
  'operation.refused': z.object({
    intent: z.uuid(),
    sent: z.boolean(),
    code: errorCodeSchema,
    message: z.string(),
    answer: answerSchema.nullable(),
  }),
  /** It may have arrived: the result is unknown. */
  'operation.unanswered': z.object({
    intent: z.uuid(),
    code: errorCodeSchema,
    message: z.string(),
    answer: answerSchema.nullable(),
  }),
  /**
   * What a person saw in the provider's dashboard about money after the payment. It settles what no callback and no
   * look-up can: an unknown size, a result that stays unknown, a refund made elsewhere. It never makes a payment paid.
   */
  'movement.recorded': z.object({
    /** The movement that it is about, by its id; null: one that nothing has reported. */
    movement: z.string().max(64).nullable(),
    kind: z.enum(movementKinds).exclude(['paid']),
    outcome: z.enum(recordedOutcomes),
    /** Wire form; null: the amount of the movement. */
    amount: z.string().max(40).nullable(),
    /** The day in the dashboard, YYYY-MM-DD. */
    day: z.iso.date(),
    text: z.string().max(maxOperationText),
    /** Takes an earlier record back, by its event's id. */
    undoes: z.uuid().nullable(),
  }),
  /**
   * A chargeback that a person works on: until when it can be contested, and what was sent. Its outcome is a
   * `movement.recorded`, or a look-up.
   */
  'dispute.noted': z.object({
    /** The movement, by its id. */
    movement: z.string().max(64),
    /** The last day to answer, YYYY-MM-DD; null: unknown. */
    respondBy: z.iso.date().nullable(),
    /** What was sent to the provider; empty: nothing yet. */
    sent: z.string().max(maxOperationText),
  }),
  /**
   * A statement of a provider or a bank, what a person decided about one, or a closed month. It names no order, so that
   * no payment is derived from it.
   */
  'statement.recorded': statementRecordSchema,
  /** Personal data of earlier events was erased. */
  amended: z.object({ events: z.array(z.string()), reason: z.enum(['retention', 'request']) }),
  /**
   * What a person did apart from a payment. It belongs to no profile (`''`) and no order, so that no payment is derived
   * from it.
   */
  'activity.recorded': z.object({ action: activityActionSchema, details: activityDetailsSchema }),
} as const;

export type EventKind = keyof typeof bodies;
export type EventBody<K extends EventKind> = z.infer<(typeof bodies)[K]>;

const frame = z.object({
  id: z.uuid(),
  profileId: z.string(),
  /** Null only for a callback that names no order, an activity, and a statement. */
  orderNumber: z.string().nullable(),
  paymentId: z.string().nullable(),
  /** When it happened, by this PC's clock. */
  happenedAt: instant,
  /** The signed-in agent; `console` for automatic actions. */
  agent: z.string(),
  /** Two events with the same key are the same evidence, delivered again; null = always separate evidence. */
  dedupeKey: z.string().nullable(),
});

const variant = <K extends EventKind>(kind: K) => frame.extend({ kind: z.literal(kind), body: bodies[kind] });

/** An event before it is recorded. */
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
  variant('link.withdrawn'),
  variant('review.resolved'),
  variant('review.reopened'),
  variant('review.assigned'),
  variant('review.snoozed'),
  variant('customer.joined'),
  variant('customer.separated'),
  variant('operation.requested'),
  variant('operation.answered'),
  variant('operation.refused'),
  variant('operation.unanswered'),
  variant('movement.recorded'),
  variant('dispute.noted'),
  variant('statement.recorded'),
  variant('amended'),
  variant('activity.recorded'),
]);
export type EventDraft = z.infer<typeof eventDraftSchema>;
export type DraftOf<K extends EventKind> = Extract<EventDraft, { kind: K }>;

/** The fields that the payment log adds. */
const recording = z.object({ recordedAt: instant, writer: z.string(), writerSeq: z.int() });

export const eventSchema = z.intersection(eventDraftSchema, recording);
export type Event = EventDraft & z.infer<typeof recording>;
export type EventOf<K extends EventKind> = Extract<Event, { kind: K }>;
