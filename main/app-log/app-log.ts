import type { Area, ErrorRecord, FailureRecord } from './failure-report.ts';
import { createRedactor } from './redact.ts';
import { systemClock } from '../clock.ts';
import { closeSync, constants, mkdirSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import { appendFile, mkdir, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The application log: failures, for the administrator of this PC. Evidence is only in the payment log. */

/** Number of closed files that are kept. */
const maxFiles = 4;

/** Appends, never through a symbolic link in the file's place; Windows has no such flag. */
const appendFlags = constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0);
const fileMode = 0o600;

/** A text file that is closed as `FILE.1` when it would exceed `limitBytes`; the folder is created by the first write. */
const rotatingFile = (file: string, limitBytes: number) => {
  const olderFile = (index: number): string => (index === 0 ? file : `${file}.${index}`);
  const renamings = Array.from({ length: maxFiles }, (_, index): [string, string] => [
    olderFile(maxFiles - 1 - index),
    olderFile(maxFiles - index),
  ]);
  /**
   * Stops at the first file that cannot be renamed, so that no older one is replaced: on Windows another program may
   * hold it open. The file then grows until a later append can rename it.
   */
  const rotate = async (): Promise<void> => {
    try {
      for (const [from, to] of renamings) if (await stat(from).catch(() => null)) await rename(from, to);
    } catch {
      // Tried again by the next append.
    }
  };
  /** As `rotate`, blocking. */
  const rotateSync = (): void => {
    try {
      for (const [from, to] of renamings) if (statSync(from, { throwIfNoEntry: false })) renameSync(from, to);
    } catch {
      // Tried again by the next append.
    }
  };
  const isFull = (size: number | undefined, text: string): boolean =>
    size !== undefined && size > 0 && size + Buffer.byteLength(text) > limitBytes;

  return {
    /** Rejects with file system errors. */
    append: async (text: string): Promise<void> => {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      const size = (await stat(file).catch(() => null))?.size;
      if (isFull(size, text)) await rotate();
      await appendFile(file, text, { flag: appendFlags, mode: fileMode });
    },
    /** As `append`, blocking. Throws file system errors. */
    appendSync: (text: string): void => {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      if (isFull(statSync(file, { throwIfNoEntry: false })?.size, text)) rotateSync();
      const handle = openSync(file, appendFlags, fileMode);
      writeSync(handle, text);
      closeSync(handle);
    },
  };
};

export type Level = 'error' | 'warn' | 'info';
type Details = Readonly<Record<string, string | number | boolean | null>>;

export type AppLog = ReturnType<typeof openAppLog>;

/** File size limit, bytes. */
const maxBytes = 1_000_000;
/** Length limit of one text in a record, characters. */
const maxChars = 8_000;
/** Limit of records waiting to be written; further ones are counted and dropped. */
const maxWaiting = 2_000;

/**
 * Opens the application log: JSON lines, one record each, every text redacted. `file`: path of the current file; its
 * folder is created by the first write. `version`: of the console, in every record, so that a forwarded one says what
 * wrote it. `clock`: milliseconds since 1970. If the log cannot be written, the application continues without it.
 */
export const openAppLog = (
  file: string,
  {
    version,
    clock = systemClock,
    limitBytes = maxBytes,
  }: { version?: string; clock?: () => number; limitBytes?: number } = {},
) => {
  const redactor = createRedactor();
  let waiting: string[] = [];
  let dropped = 0;
  let writing: Promise<void> | null = null;

  const clean = (text: string): string => {
    const redacted = redactor.redact(text);
    return redacted.length > maxChars ? `${redacted.slice(0, maxChars - 1)}…` : redacted;
  };
  const cleanError = (error: ErrorRecord): ErrorRecord => ({
    name: clean(error.name),
    message: clean(error.message),
    stack: error.stack === null ? null : clean(error.stack),
    code: error.code === null ? null : clean(error.code),
    cause: error.cause === null ? null : cleanError(error.cause),
  });
  const cleanDetails = (details: Details): Details =>
    Object.fromEntries(
      Object.entries(details).map(([key, value]) => [key, typeof value === 'string' ? clean(value) : value]),
    );

  const target = rotatingFile(file, limitBytes);

  const drainQueue = (): string => {
    const lines = waiting;
    waiting = [];
    if (dropped > 0) lines.push(lineOf('warn', 'process', 'Further records were dropped.', { dropped }));
    dropped = 0;
    return lines.join('');
  };

  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      const text = drainQueue();
      try {
        await target.append(text);
      } catch {
        // The application continues without the log.
      }
    }
    writing = null;
  };

  const lineOf = (level: Level, area: Area, message: string, details: Details, rest: object = {}): string =>
    `${JSON.stringify({
      time: new Date(clock()).toISOString(),
      version,
      level,
      area,
      message: clean(message),
      ...rest,
      ...(Object.keys(details).length === 0 ? {} : { details: cleanDetails(details) }),
    })}\n`;

  const add = (line: string): void => {
    if (waiting.length >= maxWaiting) dropped += 1;
    else waiting.push(line);
    writing ??= Promise.resolve().then(drain);
  };

  return {
    /** Absolute path of the current file. */
    file,
    /** Writes a failure under its reference. */
    fail: ({ area, message, reference, error }: FailureRecord): void =>
      add(lineOf('error', area, message, {}, { reference, error: error && cleanError(error) })),
    /** Writes information that is not a failure. `message` is a sentence without values. */
    write: (level: Level, area: Area, message: string, details: Details = {}): void =>
      add(lineOf(level, area, message, details)),
    /** Hides this secret in every record from now on. */
    addSecret: (secret: string): void => redactor.add(secret),
    /** Resolves when every previous record is in the file, or could not be written. */
    flush: async (): Promise<void> => {
      await writing;
    },
    /** As `flush`, blocking: for the moment before the process ends. */
    flushSync: (): void => {
      if (waiting.length === 0) return;
      const text = drainQueue();
      try {
        target.appendSync(text);
      } catch {
        // The application continues without the log.
      }
    },
  };
};
