import type { Handlers, RequestName } from '../../../shared/contract/contract.ts';

/** A part of the application layer that begins and ends with it. */
export type Part = {
  /** Runs once, after every part was created, in the order of creation. */
  start?: () => void | Promise<void>;
  /** Runs once, in the reverse order: what a part was created with is still there. */
  stop?: () => void | Promise<void>;
  /** It is not started while the settings cannot be used. */
  needsSettings?: true;
};

/** What a folder of the application layer gives: the handlers of its requests, and its life cycle. */
export type Feature<N extends RequestName> = Part & { handlers: Pick<Handlers, N> };

/** Starts the parts one after the other. `isBlocked`: the settings cannot be used. */
export const startParts = async (parts: readonly Part[], isBlocked: boolean): Promise<void> => {
  for (const { start, needsSettings } of parts) if (!isBlocked || needsSettings !== true) await start?.();
};

/** Stops the parts, the last one first. A part that fails does not keep the others open; its error is thrown at the end. */
export const stopParts = async (parts: readonly Part[]): Promise<void> => {
  const failures: unknown[] = [];
  for (const { stop } of parts.toReversed())
    try {
      await stop?.();
    } catch (thrown) {
      failures.push(thrown);
    }
  if (failures.length > 0) throw failures[0];
};
