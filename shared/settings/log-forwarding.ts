import * as z from 'zod';

/** Where the application log is copied to, besides its own file. It contains no payment data. */

export const syslogProtocols = ['udp', 'tcp', 'tls'] as const;
export type SyslogProtocol = (typeof syslogProtocols)[number];

/** The registered ports: RFC 5426, RFC 6587, RFC 5425. */
export const syslogPorts: Readonly<Record<SyslogProtocol, number>> = { udp: 514, tcp: 601, tls: 6514 };

export const logForwardingSchema = z
  .discriminatedUnion('to', [
    /** Absolute path; older files end in `.1` to `.4`. */
    z.strictObject({ to: z.literal('file'), file: z.string().min(1).max(4096) }),
    z.strictObject({
      to: z.literal('syslog'),
      host: z
        .string()
        .trim()
        .min(1)
        .max(255)
        .regex(/^[^\s/]+$/),
      port: z.int().min(1).max(65_535),
      protocol: z.enum(syslogProtocols),
      /** Path of a PEM file with the certificate authority, for `tls`; null = the system's. */
      ca: z.string().max(4096).nullable().default(null),
    }),
  ])
  .nullable();
export type LogForwarding = z.infer<typeof logForwardingSchema>;
