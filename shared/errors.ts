import type { Message } from './messages/message.ts';

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
  'agent.not-allowed',
  'app.locked',
  'keychain.unavailable',
  'keychain.locked',
  'keychain.denied',
  'payment.missing',
  'payment.duplicate',
  'payment.raised-elsewhere',
  'payment.same-intent',
  'payment.link-unusable',
  'operation.refused',
  'operation.under-way',
  'operation.team-away',
  'operation.limit',
  'operation.needs-approval',
  'gateway.unreachable',
  'gateway.tls',
  'gateway.timeout',
  'gateway.broken',
  'gateway.refused',
  'gateway.signature-refused',
  /** The sandbox ended since this payment, and keeps nothing. */
  'gateway.sandbox-forgot',
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
  'log.unreachable',
  'log.denied',
  'log.fork',
  'log.older',
  'log.other',
  /** The list of payments is being made. */
  'log.incomplete',
  'file.unwritable',
  'file.in-use',
  'file.no-room',
  'settings.newer',
  'settings.team-lost',
  'settings.unreadable',
  'settings.unwritable',
  'policy.managed',
  'link.refused',
  'update.unreachable',
  'update.refused',
  'update.busy',
  /** It was to be installed when the console closed. */
  'update.failed',
  'internal',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** One refused field: `path` is the field's name in the form or on the wire. */
export type FieldProblem = { path: string; message: Message };

export type AppError = {
  code: ErrorCode;
  /** The cause, in one sentence; never contains a secret, a link or a token. */
  message: Message;
  /** The next step. */
  hint?: Message | undefined;
  /** The refused fields, if any. */
  fields?: FieldProblem[] | undefined;
  /** Values for the catalogue's message, and a reference to the payment with the evidence. */
  details?: Record<string, string | number | boolean | null> | undefined;
};

/**
 * A value or a failure with a code: the return type of every fallible function. Without schemas, so that the renderer
 * can import it cheaply.
 */
export type Result<T> = { ok: true; value: T } | { ok: false; error: AppError };

export const ok = <T>(value: T): { ok: true; value: T } => ({ ok: true, value });

/** The code of an error of the system, the database or a library; empty if it has none. */
export const codeOf = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';

export const fail = (
  code: ErrorCode,
  message: Message,
  rest: Omit<AppError, 'code' | 'message'> = {},
): { ok: false; error: AppError } => ({ ok: false, error: { code, message, ...rest } });
