import * as z from 'zod';
import { digests, sessionPaths, statusForms, uppercasings } from '../gateway-variants.ts';

/** What a connection check can find out about a profile, and the fields that it can suspect. */

/** A setting that worked in place of the profile's: never changed without a person. */
export const betterSettingSchema = z.union([
  z.strictObject({ statusForm: z.enum(statusForms) }),
  z.strictObject({ sessionPath: z.enum(sessionPaths) }),
  z.strictObject({ digest: z.enum(digests) }),
  z.strictObject({ requestUppercasing: z.enum(uppercasings) }),
]);
export type BetterSetting = z.infer<typeof betterSettingSchema>;

/** The fields of a profile that may be wrong, by their names in its form. */
export const checkedFields = [
  'merchantKey',
  'password',
  'baseUrl',
  'sessionPath',
  'statusForm',
  'digest',
  'requestUppercasing',
  'successUrl',
  'cancelUrl',
  'methods',
  'defaultCurrency',
  'amountRule',
] as const;
export type CheckedField = (typeof checkedFields)[number];
