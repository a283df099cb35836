import pino from 'pino';
import type { ErrorRecord, FailureRecord } from '../../app-log/failure-report.ts';
import { createRedactor } from '../../app-log/redact.ts';

/**
 * The intake's own log: one JSON line for each thing that happens, on standard output. A line contains names and
 * numbers of ours: never a body, an order number or an address. Texts of thrown errors are redacted.
 */

type Fields = Readonly<Record<string, string | number | boolean | null>>;

export type IntakeLog = {
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
  /** Writes a failure under its reference. */
  fail(record: FailureRecord): void;
  /** Hides this secret in every further line. */
  addSecret(secret: string): void;
};

/** `write`: receives each line; standard output if left out, unbuffered, because few lines are written. */
export const createIntakeLog = (
  level: 'error' | 'warn' | 'info',
  write?: (line: string) => void,
): IntakeLog => {
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
    info: (message, fields = {}) => logger.info(fields, message),
    warn: (message, fields = {}) => logger.warn(fields, message),
    error: (message, fields = {}) => logger.error(fields, message),
    fail: ({ area, message, reference, error }) =>
      logger.error({ area, reference, error: error === null ? null : clean(error) }, message),
    addSecret: secret => redactor.add(secret),
  };
};
