import * as z from 'zod';
import { isNetwork } from '../../pacing/address-limits.ts';
import { profileSchema } from '../../../shared/settings/profile.ts';
import { sharedLogSettingsSchema } from '../../payment-log/postgres/connection-settings.ts';
import { alertsConfigSchema } from './alerts-config.ts';
import { secretSchema } from './secret-reference.ts';

/** The configuration of an intake: one JSON file, and variables of the environment that override it. */

/** A configuration of another version is refused. */
const configVersion = 1;

const port = z.int().min(0).max(65_535);
const path = z.string().min(1).max(1_024);

const intakeProfileSchema = z.strictObject({
  /** The same id as in the consoles that see these payments. */
  id: profileSchema.shape.id.refine(value => value !== 'sandbox', 'the name "sandbox" is reserved'),
  name: profileSchema.shape.name,
  /** 128 random bits: the gateway sends no other secret by which an address could be recognised. */
  callbackPath: z
    .string()
    .regex(/^\/[0-9a-f]{32}$/, 'expected "/" and 32 hexadecimal digits')
    // The path of the example is public.
    .refine(
      value => !/^\/0+$/.test(value),
      'expected 32 random digits: the output of "openssl rand -hex 16"',
    ),
  /** Null: callbacks are stored unverified, and a console that has the password verifies them. */
  password: secretSchema.nullable().default(null),
  digest: profileSchema.shape.digest.default('md5'),
  refundAmountInCallback: profileSchema.shape.refundAmountInCallback,
});

export const intakeConfigSchema = z.strictObject({
  /** For editors; not read. */
  $schema: z.string().optional(),
  version: z.literal(configVersion),
  listen: z
    .strictObject({
      host: z.string().min(1).max(255).default('127.0.0.1'),
      port: port.default(8420),
      /** PEM files. */
      tls: z.strictObject({ certificate: path, key: path }).nullable().default(null),
      /** Limits of open connections: of all, and of one address; a proxy needs the same for both. */
      connections: z.int().min(16).max(10_000).default(512),
      connectionsPerAddress: z.int().min(1).max(10_000).default(512),
      /** Proxies whose X-Forwarded-For is believed: addresses and networks. */
      trustedProxies: z
        .array(z.string().refine(isNetwork, 'expected an address or a network, such as "10.0.0.0/8"'))
        .max(100)
        .default([]),
    })
    .prefault({}),
  /** Pages that customers see after the payment page, at `/return/thank-you` and `/return/cancelled`. */
  returnPages: z
    .strictObject({
      enabled: z.boolean().default(false),
      /** The name that customers know; null: no name. */
      merchant: z.string().trim().min(1).max(120).nullable().default(null),
    })
    .prefault({}),
  /** Health and metrics. */
  admin: z
    .strictObject({ host: z.string().min(1).max(255).default('127.0.0.1'), port: port.default(9464) })
    .prefault({}),
  /** The shared log; null: the journal alone. */
  database: z
    .strictObject({
      host: sharedLogSettingsSchema.shape.host,
      port: sharedLogSettingsSchema.shape.port,
      name: sharedLogSettingsSchema.shape.database,
      schema: sharedLogSettingsSchema.shape.schema,
      role: sharedLogSettingsSchema.shape.role,
      tls: sharedLogSettingsSchema.shape.tls,
      /** A PEM file; null: the authorities of the system. */
      ca: path.nullable().default(null),
      password: secretSchema.nullable().default(null),
    })
    .nullable()
    .default(null),
  /** The folder of the journal; only one intake may use it. */
  state: path.default('/var/lib/counterfoil-intake'),
  profiles: z.array(intakeProfileSchema).min(1).max(1_000),
  /** How long a callback's answer waits for the shared log. */
  acknowledgeWithinMs: z.int().min(100).max(5_000).default(1_000),
  /** Whether a callback that is only in the journal is answered 503. */
  strict: z.boolean().default(false),
  /** Limit of unverified callbacks. */
  quarantine: z.int().min(0).max(10_000_000).default(10_000),
  /** Days after which personal data is erased; null: never. */
  retentionDays: z.int().min(1).max(36_500).nullable().default(null),
  /** Whether this intake may be the keeper of the shared log: one installation erases by age for all. */
  keeper: z.boolean().default(true),
  /** Whether payments that a callback reports as paid are looked up; needs the shared profiles. */
  confirmPaid: z.boolean().default(false),
  /** Messages to people outside the consoles. */
  alerts: alertsConfigSchema,
  /** How long `/readyz` answers 503 before the listener closes. */
  drainMs: z.int().min(0).max(60_000).default(5_000),
  logLevel: z.enum(['error', 'warn', 'info']).default('info'),
});
export type IntakeConfig = z.infer<typeof intakeConfigSchema>;
