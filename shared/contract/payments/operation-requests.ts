import * as z from 'zod';
import { messageSchema } from '../../messages/message.schema.ts';
import {
  hasAmount,
  maxOperationText,
  operationKinds,
  operationReasons,
  operationStates,
} from '../../operations/operation-kinds.ts';
import { movementKinds, recordedOutcomes } from '../../payments/payment-kinds.ts';
import { paymentRowSchema } from '../../payments/payment.ts';
import { defineRequest, localeTag, orderNumber, profileId } from '../define-request.ts';
import { paymentDetailSchema } from './payment-requests.ts';

const balanceSchema = z.object({
  paid: z.string().nullable(),
  returned: z.string().nullable(),
  hasUnknownPart: z.boolean(),
  onTheWay: z.string().nullable(),
  remaining: z.string().nullable(),
});

/** What is known of one payment id of an order. */
const targetFields = {
  paymentId: z.string(),
  cardLast4: z.string().nullable(),
  balance: balanceSchema,
  /** Until when it can be cancelled (the end of the gateway's day), milliseconds; null if that is not known. */
  voidUntil: z.int().nullable(),
  /** When an authorisation lapses, milliseconds; null if that is not known or nothing is held. */
  holdUntil: z.int().nullable(),
};

/** What a form of any operation of an order needs. */
const formFields = {
  currency: z.string().nullable(),
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
};

const offerSchema = z.object({
  ...formFields,
  payments: z.array(
    z.object({
      ...targetFields,
      /** The operations that the profile has; `refusal`: why one cannot be sent now. */
      offers: z.array(z.object({ kind: z.enum(operationKinds), refusal: messageSchema.nullable() })),
    }),
  ),
});
export type OperationOffer = z.infer<typeof offerSchema>;

/** Something without a result, whose money may still move. */
const openSchema = z.object({
  id: z.string(),
  kind: z.enum([...operationKinds, 'chargeback']),
  /** Wire form; null if it has none or that is unknown. */
  amount: z.string().nullable(),
  /** Null: it was not requested by a person of this team. */
  agent: z.string().nullable(),
  at: z.int(),
  state: z.enum(operationStates),
});
export type OpenOperation = z.infer<typeof openSchema>;

const begunSchema = z.object({
  /** One opened form: used up by the first `operations.send`, also by a refused one. */
  intent: z.uuid(),
  ...formFields,
  ...targetFields,
  /** Why this operation cannot be sent now; null if it can. */
  refusal: messageSchema.nullable(),
  /** What has no result yet for this payment; `operations.send` names those that the person saw. */
  open: z.array(openSchema),
});
export type BegunOperation = z.infer<typeof begunSchema>;

/** All of it, or as typed in the locale's notation. */
const amountChoice = z
  .union([
    z.strictObject({ whole: z.literal(true) }),
    z.strictObject({ text: z.string().max(40), locale: localeTag }),
  ])
  .nullable();

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

/** The payment that an operation acts on; of a recurring charge the first payment of the series, and its order. */
const target = z.object({
  profileId,
  orderNumber,
  paymentId: z.string().min(1).max(64),
  operation: z.enum(operationKinds),
});

/** Requests after the payment: refund, void, capture, retry, charges of a series (assumptions), and a person's record. */
export const operationRequests = {
  'operations.offer': defineRequest(
    'The operations that can be sent for the payments of an order, and why others cannot.',
    { right: 'everyone', effect: 'none' },
    z.object({ profileId, orderNumber }),
    offerSchema,
  ),
  'operations.begin': defineRequest(
    'Open the form of one operation: its intent, and what is known of the payment now.',
    { right: 'operations', effect: 'none' },
    target,
    begunSchema,
  ),
  'operations.send': defineRequest(
    'Look the payment up, record an operation, send it once, record the answer.',
    { right: 'operations', effect: 'write', recorded: 'no' },
    target
      .extend({
        intent: z.uuid(),
        /** Null for an operation without an amount. */
        amount: amountChoice,
        /** A recurring charge alone has it: the order number of the new payment, and how the customer agreed. */
        charge: z
          .object({
            orderNumber: z.string().max(255),
            description: z.string().max(1024),
            consent: z.string().trim().max(maxOperationText),
          })
          .nullable()
          .default(null),
        reason: z.enum(operationReasons),
        text: z.string().trim().max(maxOperationText).default(''),
        /** The order number typed again: needed in live profiles. */
        typedOrder: z.string().max(255).default(''),
        /** The second person, who confirms it with their PIN. */
        approval: z
          .object({ agentId: z.string().max(64), pin: z.string().max(64) })
          .nullable()
          .default(null),
        /** The open operations that the person saw and insists about; empty: not insisting. */
        seen: z.array(z.string().max(64)).max(100).default([]),
      })
      .refine(
        ({ operation, charge, amount }) =>
          (amount === null) === hasAmount(operation, 'none') &&
          (charge !== null) === hasAmount(operation, 'order'),
      ),
    paymentDetailSchema,
  ),
  'operations.series': defineRequest(
    'The series of recurring payments that an order belongs to; null if it belongs to none.',
    { right: 'everyone', effect: 'none' },
    z.object({ profileId, orderNumber }),
    z.object({ series: seriesSchema.nullable() }),
  ),
  'movements.record': defineRequest(
    "Record what the provider's dashboard shows about money after a payment.",
    { right: 'review', effect: 'write', recorded: 'required' },
    z.object({
      profileId,
      orderNumber,
      paymentId: z.string().min(1).max(64),
      /** The movement that it is about; null: one that is not listed. */
      movement: z.string().max(64).nullable(),
      kind: z.enum(movementKinds).exclude(['paid']),
      outcome: z.enum(recordedOutcomes),
      /** What was carried out; null: the amount of the movement. */
      amount: amountChoice,
      day: z.iso.date(),
      text: z.string().trim().max(maxOperationText),
    }),
    paymentDetailSchema,
  ),
  'movements.noteDispute': defineRequest(
    'Note until when a chargeback can be contested, and what was sent to the provider.',
    { right: 'review', effect: 'write', recorded: 'required' },
    z.object({
      profileId,
      orderNumber,
      movement: z.string().max(64),
      respondBy: z.iso.date().nullable(),
      sent: z.string().trim().max(maxOperationText),
    }),
    paymentDetailSchema,
  ),
  'movements.disputeCalendar': defineRequest(
    'Write the deadline of a chargeback to a calendar file that the user chooses; `file` is null if they cancelled.',
    { right: 'review', effect: 'export', recorded: 'required' },
    z.object({ profileId, orderNumber }),
    z.object({ file: z.string().nullable() }),
  ),
  'movements.undo': defineRequest(
    'Take back what was recorded from the dashboard, by its event.',
    { right: 'review', effect: 'write', recorded: 'required' },
    z.object({ profileId, orderNumber, recorded: z.uuid() }),
    paymentDetailSchema,
  ),
} as const;
