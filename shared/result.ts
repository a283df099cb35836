import type { AppError, ErrorCode } from './errors.ts';

/** A value or a failure with a code: what every fallible function here returns. Free of schemas, for the window's sake. */
export type Result<T> = { ok: true; value: T } | { ok: false; error: AppError };

export const ok = <T>(value: T): { ok: true; value: T } => ({ ok: true, value });

export const fail = (
  code: ErrorCode,
  message: string,
  rest: Omit<AppError, 'code' | 'message'> = {},
): { ok: false; error: AppError } => ({ ok: false, error: { code, message, ...rest } });
