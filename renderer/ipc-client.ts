import type {
  RequestInput,
  RequestName,
  RequestOutput,
  IpcApi,
  IpcEvent,
  IpcEventName,
} from '../shared/contract/contract.ts';
import type { Result } from '../shared/errors.ts';
import { msg, quoted } from '../shared/messages/message.ts';

declare global {
  interface Window {
    /** The only connection to the main process, created by the preload. */
    readonly api: IpcApi;
  }
}

/** Sends a request to the main process; a broken connection is an `internal` failure, never an exception. */
export const request = async <N extends RequestName>(
  name: N,
  input: RequestInput<N>,
): Promise<Result<RequestOutput<N>>> => {
  try {
    return await window.api.request(name, input);
  } catch (error) {
    const message = error instanceof Error ? quoted(error.message) : msg('error.internal');
    return { ok: false, error: { code: 'internal', message } };
  }
};

/** Subscribes to an event of main; returns the function that unsubscribes. */
export const subscribe = <N extends IpcEventName>(
  name: N,
  listener: (payload: IpcEvent<N>) => void,
): (() => void) => window.api.subscribe(name, listener);
