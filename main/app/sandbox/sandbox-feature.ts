import type { AppState } from '../../../shared/contract/contract.ts';
import type { CallbackListeners } from '../callbacks/callback-listeners.ts';
import type { AppDependencies } from '../common/app-context.ts';
import type { CredentialCache } from '../settings/credential-cache.ts';
import { createEmbeddedSandbox } from './embedded-sandbox.ts';
import { createSandboxHandlers } from './sandbox-handlers.ts';

/** The sandbox gateway inside the console. */
export const createSandboxFeature = (
  parts: AppDependencies,
  passwords: CredentialCache,
  listeners: CallbackListeners,
  publish: () => Promise<AppState>,
) => {
  const sandbox = createEmbeddedSandbox(parts, passwords, listeners);
  return {
    state: sandbox.state,
    handlers: createSandboxHandlers(parts, sandbox, publish),
    needsSettings: true as const,
    start: sandbox.open,
    stop: sandbox.close,
  };
};
