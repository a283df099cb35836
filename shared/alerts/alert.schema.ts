import * as z from 'zod';
import { paymentStateSchema } from '../payments/payment.ts';
import { messageSchema } from '../messages/message.schema.ts';
import { settingsSchema } from '../settings/settings.ts';
import {
  alertKinds,
  alertPlaces,
  defaultAlertChoices,
  expiringChoices,
  outcomeScopes,
  type AlertChoices,
} from './alert.ts';

const placeSchema = z.enum(alertPlaces);
const { places } = defaultAlertChoices;

export const alertChoicesSchema = z.object({
  places: z.object({
    paid: placeSchema.default(places.paid),
    declined: placeSchema.default(places.declined),
    'link-expiring': placeSchema.default(places['link-expiring']),
    'callbacks-overdue': placeSchema.default(places['callbacks-overdue']),
    'receiver-unreachable': placeSchema.default(places['receiver-unreachable']),
    'export-failed': placeSchema.default(places['export-failed']),
    'assigned-to-me': placeSchema.default(places['assigned-to-me']),
  }),
  outcomesOf: z.enum(outcomeScopes),
  expiringMinutes: z.literal(expiringChoices),
  quietHours: z.union([z.literal('computer'), settingsSchema.shape.notifications.shape.quietHours]),
}) satisfies z.ZodType<AlertChoices>;

/** Limit of alerts that are remembered as seen, for each person. */
export const maxSeenAlerts = 200;

/** What this computer keeps for a person: their choices (null: never chosen), and the marks of the alerts they saw. */
export const personalAlertsSchema = z.object({
  choices: alertChoicesSchema.nullable(),
  seen: z.array(z.string().regex(/^[0-9a-f]{16}$/)).max(maxSeenAlerts),
});

/** An alert as the window shows it: without a link, with the customer's name as it was typed here. */
export const alertSchema = z.object({
  id: z.string().max(400),
  kind: z.enum(alertKinds),
  /** Milliseconds. */
  at: z.int(),
  seen: z.boolean(),
  payment: z
    .object({
      profileId: z.string(),
      orderNumber: z.string(),
      amount: z.string().nullable(),
      currency: z.string().nullable(),
      /** The customer's name; null if none was typed. */
      customer: z.string().nullable(),
      state: paymentStateSchema,
      checkedAt: z.int().nullable(),
      /** What needs attention since, in place of the outcome; null: nothing. */
      label: messageSchema.nullable(),
    })
    .nullable(),
  /** Who assigned the payment. */
  by: z.string().nullable(),
  /** When the link expires, milliseconds. */
  expiresAt: z.int().nullable(),
});
export type Alert = z.infer<typeof alertSchema>;
