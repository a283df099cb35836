import type * as z from 'zod';
import type { paymentOptionsSchema } from './payment-options.schema.ts';

export type PaymentOptions = z.infer<typeof paymentOptionsSchema>;
export type BillingAddress = NonNullable<PaymentOptions['billingAddress']>;

/** Lifetime of a link without `session_expiry`, minutes (§3.3). */
export const defaultLifeMinutes = 60;

/** The shortest lifetime that the form offers, minutes. */
export const minLifeMinutes = 15;

/** The fields of a billing address, in the order of a form. */
export const billingFields = [
  'address',
  'zip',
  'city',
  'state',
  'country',
  'phone',
] as const satisfies readonly (keyof BillingAddress)[];
