import type {
  RequestInput,
  RequestName,
  RequestOutput,
  IpcApi,
  IpcEvent,
  IpcEventName,
} from '../shared/contract/index.ts';
import type { Result } from '../shared/errors.ts';

declare global {
  interface Window {
    /** The one door to the main process, opened by the preload. */
    readonly api: IpcApi;
  }
}

/** Calls the main process; a door that breaks is an `internal` failure, never an exception. */
export const request = async <N extends RequestName>(
  name: N,
  input: RequestInput<N>,
): Promise<Result<RequestOutput<N>>> => {
  try {
    return await window.api.call(name, input);
  } catch (error) {
    const message = error instanceof Error ? error.message : 'Counterfoil did not respond.';
    return { ok: false, error: { code: 'internal', message } };
  }
};

/** Listens to what main tells by itself; returns its own unsubscribe. */
export const subscribe = <N extends IpcEventName>(
  name: N,
  listener: (payload: IpcEvent<N>) => void,
): (() => void) => window.api.subscribe(name, listener);
