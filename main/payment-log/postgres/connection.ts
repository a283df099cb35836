import { Client, types, type ClientConfig } from 'pg';
import { type Result, ok } from '../../../shared/errors.ts';
import { DeadlineError, toSharedLogFailure } from './shared-log-failures.ts';

/** Default deadline of a request. */
const defaultDeadlineMs = 10_000;
/** How long a connection may take to close. */
const closeTimeoutMs = 1_000;
/** Requests that wait for their turn at most; more would only be answered too late. */
const maxWaiting = 1_000;
/** Type number of bigint, which the client would return as text. */
const bigint = 20;

export type Value = string | number | boolean | Buffer | null | readonly (string | number | Buffer | null)[];

type QueryOptions = { name?: string; deadlineMs?: number };

/**
 * One connection, which answers one request after the other. A request that is not answered in time closes it: its next
 * answer would be the wrong one. A request that waits that long for its turn ends alone and is never sent.
 */
export type Connection = {
  /** `name`: the statement is prepared once under this name. Rejects with the client's errors and DeadlineError. */
  query<Row>(text: string, values?: readonly Value[], options?: QueryOptions): Promise<Row[]>;
  /** The codes of the warnings since the last call. */
  takeWarnings(): string[];
  onNotification(listener: (payload: string) => void): void;
  /** Called once when the connection is lost; at once if it is lost already. */
  onLost(listener: () => void): void;
  isOpen(): boolean;
  close(): Promise<void>;
};

/** Errors: `log.unreachable`, `log.denied`, `log.other`. */
export const connect = async (config: ClientConfig): Promise<Result<Connection>> => {
  const client = new Client({
    ...config,
    types: {
      getTypeParser: (type, format) =>
        (type as number) === bigint && format !== 'binary' ? Number : types.getTypeParser(type, format),
    },
  });
  let warnings: string[] = [];
  let isOpen = true;
  const lostListeners: (() => void)[] = [];
  const lose = (): void => {
    if (!isOpen) return;
    isOpen = false;
    for (const listener of lostListeners.splice(0)) listener();
  };
  /** With a request in flight this closes the socket without waiting for an answer. */
  const abandon = (): void => {
    lose();
    void client.end().catch(() => undefined);
  };
  client.on('notice', notice => {
    if (notice.severity === 'WARNING') warnings.push(notice.code ?? '');
  });
  let waiting = 0;
  let previous: Promise<unknown> = Promise.resolve();
  client.on('error', lose);
  client.on('end', lose);
  try {
    await client.connect();
  } catch (thrown) {
    void client.end().catch(() => undefined);
    return toSharedLogFailure(thrown);
  }

  return ok({
    query: async <Row>(
      text: string,
      values: readonly Value[] = [],
      { name, deadlineMs = defaultDeadlineMs }: QueryOptions = {},
    ) => {
      if (waiting >= maxWaiting) throw new DeadlineError('Too many requests wait for the database.');
      const statement = { text, values: [...values], ...(name === undefined ? {} : { name }) };
      let timer: NodeJS.Timeout | undefined;
      let isGivenUp = false;
      let giveUp: (error: DeadlineError) => void = () => undefined;
      const givenUp = new Promise<never>((_, reject) => {
        giveUp = reject;
      });
      timer = setTimeout(() => {
        isGivenUp = true;
        giveUp(new DeadlineError('The database was busy for too long.'));
      }, deadlineMs);
      waiting += 1;
      const answer = previous.then(() => {
        waiting -= 1;
        if (isGivenUp) return null;
        clearTimeout(timer);
        timer = setTimeout(() => {
          giveUp(new DeadlineError('The database did not answer in time.'));
          abandon();
        }, deadlineMs);
        return client.query(statement);
      });
      previous = answer.catch(() => undefined);
      try {
        const { rows } = (await Promise.race([answer, givenUp])) ?? { rows: [] };
        return rows as Row[];
      } finally {
        clearTimeout(timer);
      }
    },
    takeWarnings: () => {
      const taken = warnings;
      warnings = [];
      return taken;
    },
    onNotification: listener => client.on('notification', ({ payload = '' }) => listener(payload)),
    onLost: listener => {
      if (isOpen) lostListeners.push(listener);
      else listener();
    },
    isOpen: () => isOpen,
    close: async () => {
      lose();
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<void>(resolve => {
        timer = setTimeout(resolve, closeTimeoutMs);
      });
      await Promise.race([client.end().catch(() => undefined), timeout]);
      clearTimeout(timer);
    },
  });
};
