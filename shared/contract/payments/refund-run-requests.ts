import * as z from 'zod';
import { appErrorSchema } from '../../errors.schema.ts';
import { messageSchema } from '../../messages/message.schema.ts';
import { maxOperationText, operationReasons, operationStates } from '../../operations/operation-kinds.ts';
import { maxPerJob } from '../../look-ups/bulk-look-up.ts';
import { paymentRowSchema } from '../../payments/payment.ts';
import { defineRequest, emptySchema, orderNumber, profileId } from '../define-request.ts';

/** One payment id of a selected order, with everything that is left of it: only that is refunded in a run. */
const itemSchema = z.object({
  row: paymentRowSchema,
  paymentId: z.string(),
  cardLast4: z.string().nullable(),
  /** Wire form, more than zero. */
  remaining: z.string(),
  currency: z.string(),
  needsOrderNumber: z.boolean(),
  /**
   * Why it can be refunded only on its own page: a second person confirms the amount, or money went back elsewhere and
   * what is left is not known.
   */
  onlyOnPage: z.enum(['second-person', 'unknown-part']).nullable(),
});

/** What became of one payment of the run; `not-offered`: it could not be refunded, so no question was asked. */
const resultSchema = z.object({
  orderNumber: z.string(),
  paymentId: z.string().nullable(),
  amount: z.string().nullable(),
  currency: z.string().nullable(),
  outcome: z.enum([...operationStates, 'skipped', 'not-offered', 'not-reached']),
  /** Why, in words of main or of the gateway. */
  message: z.union([messageSchema, z.string()]).nullable(),
});
export type RefundResult = z.infer<typeof resultSchema>;

/** Refunds of several payments, one after the other, each confirmed by a person. */
const refundRunSchema = z.object({
  /** `asking`: waits for the person. */
  phase: z.enum(['reading', 'asking', 'sending', 'ended']),
  /** The current payment; null while it is read, and after the end. */
  item: itemSchema.nullable(),
  /** The number of the current order, of all selected ones. */
  place: z.int(),
  total: z.int(),
  /** The problem to correct before the current refund can be sent. */
  problem: appErrorSchema.nullable(),
  wantsToStop: z.boolean(),
  results: z.array(resultSchema),
});
export type RefundRun = z.infer<typeof refundRunSchema>;

const answerSchema = z.object({ run: refundRunSchema.nullable() });

/** Requests about refunds of several payments. */
export const refundRunRequests = {
  'refunds.start': defineRequest(
    'Refund payments one after the other; refused while another run is not closed. Nothing is sent yet.',
    { right: 'operations', effect: 'job', recorded: 'no' },
    z.object({ payments: z.array(z.object({ profileId, orderNumber })).min(1).max(maxPerJob) }),
    answerSchema,
  ),
  'refunds.send': defineRequest(
    'Refund everything that is left of the current payment, and ask about the next one.',
    { right: 'operations', effect: 'write', recorded: 'no' },
    z.object({
      /** Of the current payment: what was confirmed. */
      paymentId: z.string().max(64),
      reason: z.enum(operationReasons),
      text: z.string().trim().max(maxOperationText),
      typedOrder: z.string().max(255),
    }),
    answerSchema,
  ),
  'refunds.control': defineRequest(
    'Skip the current payment, stop after the refund that is being sent, or dismiss the results.',
    { right: 'operations', effect: 'none' },
    z.object({ to: z.enum(['skip', 'stop', 'forget']) }),
    answerSchema,
  ),
  'refunds.read': defineRequest(
    'The run of refunds that is in progress or has just ended.',
    { right: 'everyone', effect: 'none' },
    emptySchema,
    answerSchema,
  ),
} as const;

/** Events of this area. */
export const refundRunEvents = { 'refunds.changed': answerSchema } as const;
