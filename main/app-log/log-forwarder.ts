import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { LogForwarding } from '../../shared/settings/log-forwarding.ts';
import type { LogRecord } from './app-log.ts';
import { rotatingFile } from './rotating-file.ts';
import { openConnection, type Connection } from './syslog-connection.ts';
import { syslogMessage } from './syslog-message.ts';

/** Copies the records of the application log to a second file or a syslog server. */

/** Limit of records that wait for a target that cannot be reached; the oldest are dropped and counted. */
const maxWaiting = 1_000;
/** Size limit of the file, bytes. */
const maxBytes = 10_000_000;
/** First and last delay before another attempt; each further one doubles it. */
const firstRetryMs = 1_000;
const maxRetryMs = 60_000;
/** Time limit of the last attempt before the end. */
const closeMs = 1_000;

export type ForwardingState = {
  /** The last failure's code or message, while the target cannot be reached. */
  problem: string | null;
  waiting: number;
  /** Records dropped in this run. */
  dropped: number;
};

export type LogForwarder = ReturnType<typeof createLogForwarder>;

const reasonOf = (thrown: unknown): string => {
  if (!(thrown instanceof Error)) return 'unknown';
  return 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : thrown.message.slice(0, 80);
};

/**
 * `onStateChange` is called when the target fails or works again, with the records dropped since the last time.
 * `retryMs`: see `firstRetryMs`.
 */
export const createLogForwarder = (
  onStateChange: (problem: string | null, dropped: number) => void,
  { retryMs = firstRetryMs }: { retryMs?: number } = {},
) => {
  let target: LogForwarding = null;
  let waiting: LogRecord[] = [];
  let dropped = 0;
  let reported = 0;
  let problem: string | null = null;
  let connection: Connection | null = null;
  let working: Promise<void> | null = null;
  let retry: NodeJS.Timeout | null = null;
  let delayMs = retryMs;
  let isClosed = false;

  const disconnect = (): void => {
    connection?.close();
    connection = null;
  };

  const send = async (records: readonly LogRecord[], to: NonNullable<LogForwarding>): Promise<void> => {
    if (to.to === 'file') {
      await rotatingFile(to.file, maxBytes).append(records.map(({ line }) => line).join(''));
      return;
    }
    if (connection === null) {
      const opened = await openConnection(to);
      opened.onLost(() => {
        if (connection === opened) disconnect();
      });
      connection = opened;
    }
    const sender = { host: hostname(), pid: process.pid };
    for (const record of records) await connection.send(syslogMessage(record, sender, to.protocol === 'udp'));
  };

  const setProblem = (next: string | null): void => {
    if ((problem === null) === (next === null)) {
      problem = next;
      return;
    }
    problem = next;
    const since = dropped - reported;
    reported = dropped;
    onStateChange(next, since);
  };

  const drain = async (): Promise<void> => {
    for (let to = target; to !== null && waiting.length > 0; to = target) {
      // A file takes them at once; a connection one by one, so that none is sent twice.
      const batch = waiting.slice(0, to.to === 'file' ? waiting.length : 1);
      try {
        await send(batch, to);
        const sent = new Set(batch);
        waiting = waiting.filter(one => !sent.has(one));
        delayMs = retryMs;
        setProblem(null);
      } catch (thrown) {
        disconnect();
        setProblem(reasonOf(thrown));
        if (!isClosed) retry = setTimeout(start, delayMs).unref();
        delayMs = Math.min(maxRetryMs, delayMs * 2);
        break;
      }
    }
    working = null;
  };

  const start = (): void => {
    if (retry) clearTimeout(retry);
    retry = null;
    working ??= Promise.resolve().then(drain);
  };

  return {
    /** Forwards to `next` from now on; null = nowhere. */
    setTarget: (next: LogForwarding): void => {
      if (JSON.stringify(next) === JSON.stringify(target)) return;
      target = next;
      disconnect();
      waiting = [];
      problem = null;
      delayMs = retryMs;
      if (retry) clearTimeout(retry);
      retry = null;
    },
    send: (record: LogRecord): void => {
      if (target === null || isClosed) return;
      waiting.push(record);
      if (waiting.length > maxWaiting) {
        waiting.shift();
        dropped += 1;
      }
      if (retry === null) start();
    },
    state: (): ForwardingState => ({ problem, waiting: waiting.length, dropped }),
    /** Sends what waits, once more, and ends. */
    close: async (): Promise<void> => {
      isClosed = true;
      if (waiting.length > 0 && problem === null) start();
      await Promise.race([working, wait(closeMs, undefined, { ref: false })]);
      if (retry) clearTimeout(retry);
      disconnect();
    },
  };
};
