import type { AppError, ErrorCode } from './errors.ts';

/**
 * A value or a failure with a code: the return type of every fallible function. Without schemas, so that the renderer
 * can import it cheaply.
 */
export type Result<T> = { ok: true; value: T } | { ok: false; error: AppError };

export const ok = <T>(value: T): { ok: true; value: T } => ({ ok: true, value });

export const fail = (
  code: ErrorCode,
  message: string,
  rest: Omit<AppError, 'code' | 'message'> = {},
): { ok: false; error: AppError } => ({ ok: false, error: { code, message, ...rest } });
