import * as z from 'zod';
import { messageSchema } from '../../messages/message.schema.ts';
import { maxOperationText, operationKinds, operationReasons } from '../../operations/operation-kinds.ts';
import { paymentRowSchema } from '../../payments/payment.ts';
import { defineRequest, localeTag, orderNumber, profileId } from '../define-request.ts';
import { paymentDetailSchema } from './payment-requests.ts';

/** What every operation that a person sends has in common. */
const intentFields = {
  profileId,
  /** Created when the form opens: at most one request is sent for it. */
  intent: z.uuid(),
  /** As typed, in the locale's notation; empty for an operation without an amount. */
  amount: z.string().max(40).default(''),
  locale: localeTag,
  reason: z.enum(operationReasons),
  text: z.string().trim().max(maxOperationText).default(''),
  /** The order number typed again: needed in live profiles. */
  typedOrder: z.string().max(255).default(''),
  /** The second person, who confirms it with their PIN. */
  approval: z
    .object({ agentId: z.string().max(64), pin: z.string().max(64) })
    .nullable()
    .default(null),
  /** Although another operation has no result yet, or the team cannot be asked. */
  insist: z.boolean().default(false),
};

const balanceSchema = z.object({
  paid: z.string().nullable(),
  returned: z.string().nullable(),
  hasUnknownPart: z.boolean(),
  onTheWay: z.string().nullable(),
  remaining: z.string().nullable(),
});

/** One payment id of an order with what can be done about it. */
const offeredPaymentSchema = z.object({
  paymentId: z.string(),
  cardLast4: z.string().nullable(),
  balance: balanceSchema,
  /** The operations that the profile has; `refusal`: why one cannot be sent now. */
  offers: z.array(z.object({ kind: z.enum(operationKinds), refusal: messageSchema.nullable() })),
  /** Until when it can be cancelled (the end of the gateway's day), milliseconds; null if that is not known. */
  voidUntil: z.int().nullable(),
  /** When an authorisation lapses, milliseconds; null if that is not known or nothing is held. */
  holdUntil: z.int().nullable(),
});

const offerSchema = z.object({
  currency: z.string().nullable(),
  payments: z.array(offeredPaymentSchema),
  /** A live profile: the order number has to be typed again. */
  needsOrderNumber: z.boolean(),
  /** Limits of the signed-in person in this currency, wire form; null = none. */
  limits: z.object({
    perOperation: z.string().nullable(),
    leftToday: z.string().nullable(),
    secondPersonFrom: z.string().nullable(),
  }),
  /** People other than the signed-in one who may confirm with a PIN. */
  approvers: z.array(z.object({ id: z.string(), name: z.string() })),
});
export type OperationOffer = z.infer<typeof offerSchema>;

const seriesSchema = z.object({
  firstPaymentId: z.string(),
  /** The order of the first payment; null if it is not in the log. */
  firstOrder: z.string().nullable(),
  /** All payments of the series, oldest first, at most 200. */
  payments: z.array(paymentRowSchema),
  /** Whether a token for another charge is here; its value never leaves main. */
  hasToken: z.boolean(),
  /** An unused order number for the next charge. */
  suggestedOrder: z.string(),
  /** Whether the profile sends charges. */
  isOffered: z.boolean(),
});
export type PaymentSeries = z.infer<typeof seriesSchema>;

/** Requests after the payment: refund, void, capture, retry, and charges of a series. All are assumptions. */
export const operationRequests = {
  'operations.offer': defineRequest(
    'The operations that can be sent for the payments of an order, and why others cannot.',
    { right: 'everyone', effect: 'none' },
    z.object({ profileId, orderNumber }),
    offerSchema,
  ),
  'operations.send': defineRequest(
    'Look the payment up, record an operation, send it once, record the answer.',
    { right: 'operations', effect: 'write', recorded: 'no' },
    z.object({
      ...intentFields,
      orderNumber,
      paymentId: z.string().min(1).max(64),
      operation: z.enum(operationKinds).exclude(['recurring']),
    }),
    paymentDetailSchema,
  ),
  'operations.charge': defineRequest(
    'Charge the stored card of a series again, under a new order number; recorded before it is sent, sent once.',
    { right: 'operations', effect: 'write', recorded: 'no' },
    z.object({
      ...intentFields,
      firstPaymentId: z.string().min(1).max(64),
      /** The order number of the new payment. */
      orderNumber: z.string().max(255),
      description: z.string().max(1024),
      /** When and how the customer agreed. */
      consent: z.string().trim().max(maxOperationText),
    }),
    paymentDetailSchema,
  ),
  'operations.series': defineRequest(
    'The series of recurring payments that an order belongs to; null if it belongs to none.',
    { right: 'everyone', effect: 'none' },
    z.object({ profileId, orderNumber }),
    z.object({ series: seriesSchema.nullable() }),
  ),
} as const;
