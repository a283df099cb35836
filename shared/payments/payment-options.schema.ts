import * as z from 'zod';
import { languages } from '../messages/message.ts';

/** The fields of `billing_address` (field notes); an absent one is not sent. */
const billingAddressSchema = z.object({
  address: z.string().trim().max(255).optional(),
  zip: z.string().trim().max(32).optional(),
  city: z.string().trim().max(128).optional(),
  state: z.string().trim().max(128).optional(),
  country: z.string().trim().max(64).optional(),
  phone: z.string().trim().max(40).optional(),
});

/** What was chosen for one payment; an absent option is the profile's value. */
export const paymentOptionsSchema = z.object({
  /** Of the messages to the customer; not sent to the gateway. */
  language: z.enum(languages).optional(),
  /** `session_expiry`, minutes. */
  expiryMinutes: z.int().min(1).max(720).optional(),
  billingAddress: billingAddressSchema.optional(),
  /** Entries of `custom_data`; they replace entries of the profile with the same name. */
  customData: z.record(z.string().min(1).max(64), z.string().max(1024)).optional(),
  /** `req_token`. */
  requestCardToken: z.boolean().optional(),
  /** `recurring_init`: the card may be charged again later. */
  recurring: z.boolean().optional(),
});
