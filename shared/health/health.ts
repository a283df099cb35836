import * as z from 'zod';
import { messageSchema } from '../messages/message.schema.ts';

/** The health of this installation, check by check: for the health page, and for `counterfoil --status`. */

export const healthChecks = [
  'payment-log',
  'loss',
  'verification',
  'daily-tasks',
  'backup',
  'scheduled-export',
  'receiver',
  'quarantine',
  'refused-delivery',
  'certificate',
  'profile',
  'keychain',
  'settings',
  'policy',
  'shared-log',
  'disk',
  'disk-encryption',
  'sandbox',
  'place',
] as const;

/** Whether the disk of the payment log is encrypted, as far as the system says. */
export const diskEncryptions = ['on', 'off', 'unknown'] as const;
export type DiskEncryption = (typeof diskEncryptions)[number];

/** `unknown`: cannot be checked now, such as the keychain while no console runs. */
export const healthStates = ['good', 'attention', 'broken', 'unknown'] as const;
export type HealthState = (typeof healthStates)[number];

export const healthCheckSchema = z.object({
  name: z.enum(healthChecks),
  /** The profile's id, for `profile`. */
  profileId: z.string().nullable(),
  state: z.enum(healthStates),
  /** What was found, in one sentence. */
  finding: messageSchema,
  /** What to do; null if nothing. */
  todo: messageSchema.nullable(),
});
export type HealthCheck = z.infer<typeof healthCheckSchema>;

export const healthSchema = z.object({
  /** Milliseconds since 1970. */
  at: z.int(),
  checks: z.array(healthCheckSchema),
});
export type Health = z.infer<typeof healthSchema>;
