import type * as z from 'zod';
import type { paymentOptionsSchema } from '../payments/payment-options.schema.ts';
import type { Profile } from './profile.ts';

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

const lifetimes = [minLifeMinutes, 30, 60, 120, 240, 480, 720];

/** The options that a profile allows for one payment. What it does not send is not offered. */
export type OfferedOptions = {
  /** Lifetimes in minutes, ascending; the last one is the profile's. One entry: the lifetime is fixed. */
  lifetimes: readonly number[];
  billingAddress: boolean;
  customData: boolean;
  requestCardToken: boolean;
  cardToken: boolean;
  recurring: boolean;
};

/** What decides which options a profile offers. */
export type OfferingProfile = Pick<Profile, 'extras' | 'operations'>;

/** Only what the profile sends can differ for a payment: the interface does not show these fields (§2.1). */
export const offeredOptions = ({ extras, operations }: OfferingProfile): OfferedOptions => {
  const { sessionExpiry } = extras;
  return {
    lifetimes:
      sessionExpiry === 0
        ? [defaultLifeMinutes]
        : [...lifetimes.filter(minutes => minutes < sessionExpiry), sessionExpiry],
    billingAddress: extras.sendCustomer || extras.billingAddress !== '',
    customData: extras.customData !== '',
    requestCardToken: extras.reqToken,
    cardToken: extras.cardToken,
    recurring: operations.recurring || extras.recurringInit,
  };
};

/** Options of an earlier payment without those that the profile no longer allows. */
export const allowedOptions = (
  profile: OfferingProfile,
  options: PaymentOptions | undefined,
): PaymentOptions => {
  const offered = offeredOptions(profile);
  const longest = profile.extras.sessionExpiry;
  const { language, expiryMinutes, billingAddress, customData, requestCardToken, recurring } = options ?? {};
  return {
    ...(language === undefined ? {} : { language }),
    ...(expiryMinutes !== undefined && expiryMinutes <= longest ? { expiryMinutes } : {}),
    ...(billingAddress && offered.billingAddress ? { billingAddress } : {}),
    ...(customData && offered.customData ? { customData } : {}),
    ...(requestCardToken !== undefined && offered.requestCardToken ? { requestCardToken } : {}),
    ...(recurring !== undefined && offered.recurring ? { recurring } : {}),
  };
};
