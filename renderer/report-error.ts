import type { RequestInput } from '../shared/contract/contract.ts';
import { request } from './ipc-client.ts';

type Kind = RequestInput<'app.reportError'>['kind'];

/** Limit of reports per page: an error at every frame must not overload main. */
const maxReports = 50;
let reports = 0;

/** Reports an exception to the application log; resolves to its reference there, or null. Never rejects. */
export const reportError = async (kind: Kind, thrown: unknown): Promise<string | null> => {
  reports += 1;
  if (reports > maxReports) return null;
  const { name, message, stack } = thrown instanceof Error ? thrown : new Error(String(thrown));
  const reported = await request('app.reportError', {
    kind,
    name: name.slice(0, 100),
    message: message.slice(0, 2_000),
    stack: stack?.slice(0, 16_000) ?? null,
  });
  return reported.ok ? reported.value.reference : null;
};

/** Reports every unhandled error from now on. */
export const reportUnhandledErrors = (): void => {
  window.addEventListener('error', ({ error, message }) => {
    // Chromium's message that a layout took another frame; it is not an error.
    if (message.startsWith('ResizeObserver loop')) return;
    void reportError('error', error ?? message);
  });
  window.addEventListener('unhandledrejection', ({ reason }) => void reportError('rejection', reason));
};
