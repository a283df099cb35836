import * as z from 'zod';
import { isLoopbackHttp } from '../../../shared/loopback.ts';
import { languages } from '../../../shared/messages/language.ts';
import { secretSchema } from './secret-reference.ts';

/** Alerts that an intake sends to people outside the consoles. */

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

const mailbox = z.email().max(254);

export const alertsConfigSchema = z
  .strictObject({
    /** The kinds of alerts to send; results of payments only if they are named here. */
    kinds: z
      .array(z.enum(intakeAlertKinds))
      .default(intakeAlertKinds.filter(kind => kind !== 'paid' && kind !== 'declined')),
    /** Whether amounts are sent. Names and links never are. */
    showAmounts: z.boolean().default(false),
    /** How long alerts are gathered for one message, seconds. */
    everySeconds: z.int().min(1).max(86_400).default(60),
    /** The language of e-mails. */
    language: z.enum(languages).default('en'),
    webhook: z.strictObject({ url: webAddress, secret: secretSchema }).nullable().default(null),
    email: z
      .strictObject({
        host: z.string().min(1).max(255),
        port: z.int().min(1).max(65_535).default(587),
        /** `implicit`: TLS from the start. `off`: only to this computer. */
        tls: z.enum(['starttls', 'implicit', 'off']).default('starttls'),
        user: z.string().min(1).max(255).nullable().default(null),
        password: secretSchema.nullable().default(null),
        from: mailbox,
        to: z.array(mailbox).min(1).max(20),
      })
      .refine(({ tls, host }) => tls !== 'off' || ['127.0.0.1', '::1', 'localhost'].includes(host), {
        error: 'expected TLS to another computer',
        path: ['tls'],
      })
      .nullable()
      .default(null),
  })
  .prefault({});
export type AlertsConfig = z.infer<typeof alertsConfigSchema>;
