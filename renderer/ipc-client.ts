import type {
  CallInput,
  CallName,
  CallOutput,
  DeskApi,
  Notice,
  NoticeName,
} from '../shared/contract/index.ts';
import type { Result } from '../shared/errors.ts';

declare global {
  interface Window {
    /** The one door to the main process, opened by the preload. */
    readonly desk: DeskApi;
  }
}

/** Calls the main process; a door that breaks is an `internal` failure, never an exception. */
export const call = async <N extends CallName>(
  name: N,
  input: CallInput<N>,
): Promise<Result<CallOutput<N>>> => {
  try {
    return await window.desk.call(name, input);
  } catch (error) {
    const message = error instanceof Error ? error.message : 'The desk did not answer.';
    return { ok: false, error: { code: 'internal', message } };
  }
};

/** Listens to what main tells by itself; returns its own unsubscribe. */
export const subscribe = <N extends NoticeName>(
  name: N,
  listener: (notice: Notice<N>) => void,
): (() => void) => window.desk.subscribe(name, listener);
