import * as z from 'zod';

/**
 * The closed list of everything that can go wrong across a boundary.
 * The renderer has a sentence for each in its catalogue; `details` fills it in.
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

/** One field that was refused: `path` is the field's name in the form or on the wire. */
export const fieldProblemSchema = z.object({ path: z.string(), message: z.string() });
export type FieldProblem = z.infer<typeof fieldProblemSchema>;

export const appErrorSchema = z.object({
  code: errorCodeSchema,
  /** What is wrong, in one plain English sentence; never holds a secret, a link or a token. */
  message: z.string(),
  /** What to do next. */
  hint: z.string().optional(),
  /** The fields at fault, when there are any. */
  fields: z.array(fieldProblemSchema).optional(),
  /** Values for the catalogue's sentence, and a reference to the payment that holds the evidence. */
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
});
export type AppError = z.infer<typeof appErrorSchema>;

export { fail, ok, type Result } from './result.ts';
