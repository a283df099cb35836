import * as z from 'zod';

/**
 * The closed list of error codes across process boundaries. The renderer has a message for each in its catalogue,
 * with values from `details`.
 */
export const errorCodes = [
  'input.invalid',
  'input.card-number',
  'message.refused',
  'profile.missing',
  'profile.password-missing',
  'agent.wrong-pin',
  'agent.wait',
  'app.locked',
  'keychain.unavailable',
  'keychain.locked',
  'keychain.denied',
  'payment.missing',
  'payment.duplicate',
  'payment.link-unusable',
  'gateway.unreachable',
  'gateway.tls',
  'gateway.timeout',
  'gateway.refused',
  'gateway.signature-refused',
  'gateway.redirected',
  'gateway.server-error',
  'gateway.not-json',
  'gateway.other-shape',
  'gateway.unsafe-link',
  'gateway.too-large',
  'gateway.cancelled',
  'callback.unreadable',
  'callback.too-large',
  'receiver.port-taken',
  'receiver.failed',
  'receiver.certificate',
  'receiver.quarantine-full',
  'log.unavailable',
  'log.full',
  'log.read-only',
  'log.newer',
  'log.corrupt',
  'log.busy',
  'log.missing',
  'log.altered',
  'file.unwritable',
  'file.in-use',
  'file.no-room',
  'settings.newer',
  'settings.unreadable',
  'settings.unwritable',
  'link.refused',
  'internal',
] as const;

export const errorCodeSchema = z.enum(errorCodes);
export type ErrorCode = z.infer<typeof errorCodeSchema>;

/** One refused field: `path` is the field's name in the form or on the wire. */
export const fieldProblemSchema = z.object({ path: z.string(), message: z.string() });
export type FieldProblem = z.infer<typeof fieldProblemSchema>;

export const appErrorSchema = z.object({
  code: errorCodeSchema,
  /** The cause, in one plain English sentence; never contains a secret, a link or a token. */
  message: z.string(),
  /** The next step. */
  hint: z.string().optional(),
  /** The refused fields, if any. */
  fields: z.array(fieldProblemSchema).optional(),
  /** Values for the catalogue's message, and a reference to the payment with the evidence. */
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
});
export type AppError = z.infer<typeof appErrorSchema>;

export { fail, ok, type Result } from './result.ts';
