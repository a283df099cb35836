import type { RequestInput } from '../shared/contract/index.ts';
import { request } from './ipc-client.ts';

type Kind = RequestInput<'app.reportError'>['kind'];

/** Errors of one page that are reported: one that fails at every frame must not keep main busy. */
const maxReports = 50;
let reports = 0;

/** Reports what was thrown to the application log; resolves to its reference there, or null. Never rejects. */
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

/** Reports every error that nothing else handles, from now on. */
export const reportUnhandledErrors = (): void => {
  window.addEventListener('error', ({ error, message }) => {
    // Chromium's notice that a layout took another frame; it carries no error.
    if (message.startsWith('ResizeObserver loop')) return;
    void reportError('error', error ?? message);
  });
  window.addEventListener('unhandledrejection', ({ reason }) => void reportError('rejection', reason));
};
