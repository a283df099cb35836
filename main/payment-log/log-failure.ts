import type { AppError } from '../../shared/errors.ts';
import { inEnglish } from '../../shared/messages/catalogues.ts';

/**
 * A request that the log could not answer, for callers whose return type is not a Result. Apart from the failures
 * themselves: the catalogues are large, and the worker threads need none.
 */
export class LogFailure extends Error {
  override readonly name = 'LogFailure';
  readonly error: AppError;
  constructor(error: AppError) {
    super(inEnglish(error.message));
    this.error = error;
  }
}
