import { DatabaseError, Query, type Client, type QueryConfig, type QueryResult } from 'pg';

/** What the client calls; its type declarations leave it out. */
type Internals = {
  submit(connection: Synchronising): unknown;
  handleCommandComplete(message: unknown, connection: Synchronising): void;
  handleError(error: Error, connection: Synchronising): void;
};
type Synchronising = { sync(): void };

/** More rows than it returns: with a limit the client does not end the transaction when it sends the statement. */
const maxRows = 100;

/**
 * Runs a statement at once, and commits it when `commitWhen` resolves to true. In the extended protocol a statement's
 * transaction ends with the `Sync` that follows it, which is sent only then. If it resolves to false, `undo` is called,
 * which must close the connection: the server then undoes the statement.
 */
export const runHeld = (
  client: Client,
  statement: QueryConfig,
  commitWhen: Promise<boolean>,
  undo: () => void,
): Promise<QueryResult> =>
  new Promise((resolve, reject) => {
    const limited = { ...statement, rows: maxRows };
    const query = new Query(limited, (error: Error | undefined, result) => {
      if (error) reject(error);
      else resolve(result);
    }) as Query & Internals;
    const submit = query.submit.bind(query);
    const complete = query.handleCommandComplete.bind(query);
    const failed = query.handleError.bind(query);
    let isSynchronised = false;
    const synchronise = (connection: Synchronising): void => {
      if (!isSynchronised) connection.sync();
      isSynchronised = true;
    };
    query.submit = connection => {
      void commitWhen.then(mayCommit => {
        if (mayCommit) synchronise(connection);
        else if (!isSynchronised) undo();
      });
      return submit(connection);
    };
    query.handleCommandComplete = message => complete(message, { sync: () => undefined });
    query.handleError = (error, connection) => {
      // After its errors the server skips everything up to a Sync; after others there is nothing to end.
      if (error instanceof DatabaseError) synchronise(connection);
      isSynchronised = true;
      failed(error, connection);
    };
    client.query(query);
  });
