import { codeOf } from '../../../../shared/errors.ts';

/** An error of the journal, which a new list does not mend. */
export class JournalError extends Error {
  override readonly name = 'JournalError';
  readonly code: string;
  constructor(cause: unknown) {
    super('the journal cannot be read', { cause });
    this.code = codeOf(cause);
  }
}

/** Runs work on the journal alone. Throws a JournalError for each exception. */
export const onJournal = <T>(work: () => T): T => {
  try {
    return work();
  } catch (thrown) {
    throw new JournalError(thrown);
  }
};

/** Whether a list's file is damaged: it has to be made again, since no repetition ends this error. */
export const isBroken = (thrown: unknown): boolean =>
  !(thrown instanceof JournalError) && /^SQLITE_(CORRUPT|NOTADB|MISMATCH|CONSTRAINT)/.test(codeOf(thrown));
