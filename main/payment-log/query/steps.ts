/**
 * Algorithms that are the same for an engine that answers at once and one that answers later. Such an algorithm is a
 * generator: it yields each answer of the engine and continues with its value.
 */

/** What an engine returns: SQLite a value, PostgreSQL a promise. */
export type Answer<T> = T | Promise<T>;

/** An algorithm; `runNow` and `runLater` run it. */
export type Steps<T> = Generator<unknown, T, unknown>;

/** The value of an answer: `const rows = yield* step(read())`. */
export function* step<T>(answer: Answer<T>): Steps<T> {
  return (yield answer) as T;
}

/** For an engine whose answers are values. */
export const runNow = <T>(steps: Steps<T>): T => {
  let next = steps.next();
  while (next.done !== true) next = steps.next(next.value);
  return next.value;
};

/** For an engine whose answers are promises. Rejects with the engine's errors. */
export const runLater = async <T>(steps: Steps<T>): Promise<T> => {
  let next = steps.next();
  while (next.done !== true) next = steps.next(await next.value);
  return next.value;
};
