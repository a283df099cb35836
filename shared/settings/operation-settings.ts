import * as z from 'zod';
import { voidMoments } from '../gateway-variants.ts';
import { forEachKind } from '../operations/operation-kinds.ts';

/** Limits for people: currencies with amounts, as `EUR 500.00, JPY 20000`; '' = none. See amount-limits.ts. */
export const operationLimitsSchema = z.object({
  perOperation: z.string().max(1024).default(''),
  perDay: z.string().max(1024).default(''),
  /** From this amount on a second person must agree. */
  secondPersonFrom: z.string().max(1024).default(''),
});
export type OperationLimits = z.infer<typeof operationLimitsSchema>;

/** Operations on payments, which the interface does not show; all off by default (field notes). */
export const operationSettingsSchema = z.object({
  ...forEachKind(() => z.boolean().default(false)),
  voidAllowed: z.enum(voidMoments).default('same-day'),
  sendCurrencyInRecurring: z.boolean().default(false),
  sendCustomerInRecurring: z.boolean().default(false),
  /** Attempts that a status request by order number asks for, sent as `size`; 0 = not sent. */
  statusSize: z.int().min(0).max(100).default(0),
  /** Days after which an authorisation that was not captured lapses; 0 = not known. */
  holdDays: z.int().min(0).max(60).default(7),
  limits: operationLimitsSchema.prefault({}),
});
export type OperationSettings = z.infer<typeof operationSettingsSchema>;
