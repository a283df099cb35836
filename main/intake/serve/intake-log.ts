import pino from 'pino';
import type { ErrorRecord, FailureRecord } from '../../app-log/failure-report.ts';
import { createRedactor } from '../../app-log/redact.ts';

/**
 * The intake's own log: one JSON line for each thing that happens, on standard output. A line contains names and
 * numbers of ours: never a body, an order number or an address. Texts of thrown errors are redacted.
 */

type Fields = Readonly<Record<string, string | number | boolean | null>>;

export type IntakeLog = ReturnType<typeof createIntakeLog>;

/** `write`: receives each line; standard output if left out, unbuffered, because few lines are written. */
export const createIntakeLog = (level: 'error' | 'warn' | 'info', write?: (line: string) => void) => {
  const redactor = createRedactor();
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: label => ({ level: label }) },
    },
    write ? { write } : pino.destination({ dest: 1, sync: true }),
  );
  const clean = (error: ErrorRecord): object => ({
    name: error.name,
    message: redactor.redact(error.message),
    code: error.code,
    stack: error.stack === null ? null : redactor.redact(error.stack),
    cause: error.cause === null ? null : clean(error.cause),
  });
  return {
    info: (message: string, fields: Fields = {}): void => logger.info(fields, message),
    warn: (message: string, fields: Fields = {}): void => logger.warn(fields, message),
    error: (message: string, fields: Fields = {}): void => logger.error(fields, message),
    /** Writes a failure under its reference. */
    fail: ({ area, message, reference, error }: FailureRecord): void =>
      logger.error({ area, reference, error: error === null ? null : clean(error) }, message),
    /** Hides this secret in every further line. */
    addSecret: (secret: string): void => redactor.add(secret),
  };
};
