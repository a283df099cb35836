import * as z from 'zod';

/** Where a shared payment log is: without account and password. */
export const sharedLogServerSchema = z.object({
  /** A name, an address, or the folder of a socket on this computer. */
  /** One name, address or folder of a socket: the client tries no second one. */
  host: z
    .string()
    .max(255)
    .regex(/^(?:\/[^\s,]*|[^\s,/@?]+)$/, 'one host or address, no list, port or URL'),
  port: z.int().min(1).max(65_535).default(5432),
  database: z.string().min(1).max(63),
  /** As it is used in SQL without quotes; the names of the roles begin with it. */
  schema: z
    .string()
    .regex(/^[a-z_][a-z0-9_]{0,39}$/)
    .default('counterfoil'),
  /** `off` is refused except on this computer; absent: `off` there, `verify-full` elsewhere. */
  tls: z.enum(['verify-full', 'off']).optional(),
  /**
   * The certificates of authorities as PEM text, or, in a policy and in the configuration of an intake, the path of
   * such a file; null: those of the system. A joining text contains the text.
   */
  ca: z.string().max(65_536).nullable().default(null),
});
export type SharedLogServer = z.output<typeof sharedLogServerSchema>;

/** Whether a text is PEM, and no path. */
export const isPem = (text: string): boolean => text.trimStart().startsWith('-----BEGIN CERTIFICATE-----');

/** Names host and schema, without credentials. */
export const sharedLogName = ({ host, port, database, schema }: SharedLogServer): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}/${database}/${schema}`;
