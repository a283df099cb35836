import * as z from 'zod';
import type { FieldProblem } from '../../../shared/errors.ts';
import { isLoopbackHttp } from '../../../shared/network-address.ts';
import { msg } from '../../../shared/messages/message.ts';
import { profileSchema } from '../../../shared/settings/profile.ts';
import { isNetwork } from '../../pacing/address-limits.ts';
import {
  clientConfig,
  sharedLogSettingsSchema,
  type SharedLogSettings,
} from '../../payment-log/postgres/connection-settings.ts';
import { problemAt } from '../../settings/schema-problems.ts';

/** The configuration of an intake: one JSON file, and variables of the environment that override it. */

/** A configuration of another version is refused. */
const configVersion = 1;

const port = z.int().min(0).max(65_535);
const path = z.string().min(1).max(1_024);

/** Where a secret is: never the secret. */
const secretSchema = z.union(
  [
    z.strictObject({ file: path }),
    z.strictObject({ env: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,199}$/) }),
  ],
  {
    error: ({ input }) =>
      `${typeof input === 'string' ? 'no secret itself: ' : ''}expected {"file": "…"} or {"env": "…"}`,
  },
);
export type SecretReference = z.infer<typeof secretSchema>;

/** What an intake alerts about, outside the consoles. */
export const intakeAlertKinds = [
  'paid',
  'declined',
  'callbacks-overdue',
  'receiver-unreachable',
  'shared-log-unreachable',
  'certificate-expiring',
] as const;

const webAddress = z
  .url()
  .max(2_048)
  .refine(
    text => URL.canParse(text) && (new URL(text).protocol === 'https:' || isLoopbackHttp(new URL(text))),
    'expected an address that begins with "https://"',
  )
  .refine(text => new URL(text).username === '', 'expected an address without a user and password');

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
  /**
   * The gateway for which the password was entered: what is signed with it is sent to no other server, also if
   * the shared profile names one. Null: no status check.
   */
  gateway: webAddress.nullable().default(null),
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
  alerts: z
    .strictObject({
      /** The kinds of alerts to send; results of payments only if they are named here. */
      kinds: z
        .array(z.enum(intakeAlertKinds))
        .default(intakeAlertKinds.filter(kind => kind !== 'paid' && kind !== 'declined')),
      /** Whether amounts are sent. Names and links never are. */
      showAmounts: z.boolean().default(false),
      /** How long alerts are gathered for one message, seconds. */
      everySeconds: z.int().min(1).max(86_400).default(60),
      webhook: z.strictObject({ url: webAddress, secret: secretSchema }).nullable().default(null),
    })
    .prefault({}),
  /** How long `/readyz` answers 503 before the listener closes. */
  drainMs: z.int().min(0).max(60_000).default(5_000),
  logLevel: z.enum(['error', 'warn', 'info']).default('info'),
});
export type IntakeConfig = z.infer<typeof intakeConfigSchema>;

/** Every reference to a secret, with its path. */
export const secretReferences = ({
  profiles,
  database,
  alerts,
}: Pick<IntakeConfig, 'profiles' | 'database' | 'alerts'>): { path: string; reference: SecretReference }[] =>
  [
    ...profiles.map(({ password }, at) => ({ path: `profiles.${at}.password`, reference: password })),
    { path: 'database.password', reference: database?.password ?? null },
    { path: 'alerts.webhook.secret', reference: alerts.webhook?.secret ?? null },
  ].flatMap(({ path: at, reference }) => (reference === null ? [] : [{ path: at, reference }]));

/** The settings of the shared log, with the password that the configuration refers to; null without a database. */
export const sharedLogSettings = (
  { database }: Pick<IntakeConfig, 'database'>,
  password: string | null,
): SharedLogSettings | null => {
  if (database === null) return null;
  const { name, password: _reference, ...rest } = database;
  return sharedLogSettingsSchema.parse({ ...rest, database: name, password });
};

/** What the client refuses, such as a connection without TLS to another computer. */
const databaseProblems = (config: IntakeConfig): FieldProblem[] => {
  const settings = sharedLogSettings(config, null);
  const client = settings === null ? null : clientConfig(settings, 'counterfoil-intake');
  if (client === null || client.ok) return [];
  const { fields, message } = client.error;
  return (fields ?? [{ path: 'ca', message }]).map(one => problemAt(['database', one.path], one.message));
};

/** What does not hold between the values of a configuration. */
export const contradictions = (config: IntakeConfig): FieldProblem[] => {
  const { profiles, admin, listen, strict, confirmPaid, database } = config;
  return [
    ...(['id', 'callbackPath'] as const).flatMap(field =>
      profiles.flatMap((profile, at) =>
        profiles.findIndex(other => other[field] === profile[field]) < at
          ? [problemAt(['profiles', at, field], msg('policy.problem.twice'))]
          : [],
      ),
    ),
    ...databaseProblems(config),
    ...(admin.port !== 0 && admin.port === listen.port
      ? [problemAt(['admin', 'port'], msg('intake.problem.same-port'))]
      : []),
    ...(strict && database === null ? [problemAt(['strict'], msg('intake.problem.strict-alone'))] : []),
    ...(confirmPaid && database === null
      ? [problemAt(['confirmPaid'], msg('intake.problem.confirm-alone'))]
      : []),
    ...(confirmPaid
      ? profiles.flatMap(({ password, gateway }, at) =>
          password !== null && gateway === null
            ? [problemAt(['profiles', at, 'gateway'], msg('intake.problem.confirm-gateway'))]
            : [],
        )
      : []),
  ];
};
