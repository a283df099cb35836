import type { Connection } from './connection.ts';

/** Minimum interval between two notifications of one installation: each one wakes every console. */
const intervalMs = 25;

/**
 * Returns a function that notifies the other installations of what this one has committed: at once, and of all that follows
 * within the interval after it. In a statement alone: commits with a notification wait for each other. A notification
 * that is lost only delays their next read.
 */
export const announcer = (connection: Connection, channel: string): (() => void) => {
  let timer: NodeJS.Timeout | null = null;
  let isWaiting = false;
  const send = (): void => {
    isWaiting = false;
    timer = setTimeout(() => {
      timer = null;
      if (isWaiting) send();
    }, intervalMs);
    timer.unref();
    if (connection.isOpen()) connection.query(`NOTIFY ${channel}`).catch(() => undefined);
  };
  return () => {
    isWaiting = true;
    if (timer === null) send();
  };
};
