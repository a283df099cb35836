import type { Handlers } from '../../../shared/contract/index.ts';
import { fail, ok } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import type { AppDependencies } from '../app-context.ts';
import type { EmbeddedSandbox } from './embedded-sandbox.ts';

/** The requests about the sandbox gateway. `publish` sends the state to the window. */
export const createSandboxHandlers = (
  { system }: Pick<AppDependencies, 'system'>,
  sandbox: EmbeddedSandbox,
  publish: () => Promise<unknown>,
): Pick<Handlers, 'sandbox.faults' | 'sandbox.resend' | 'sandbox.openDashboard'> => ({
  'sandbox.faults': async ({ faults }) => {
    sandbox.current()?.setFaults(faults);
    await publish();
    return ok({});
  },
  'sandbox.resend': async ({ orderNumber }) =>
    ok({ sent: (await sandbox.current()?.resend(orderNumber)) ?? 0 }),
  'sandbox.openDashboard': async () => {
    const running = sandbox.current();
    if (!running) return fail('link.refused', msg('sandbox.not-running'));
    const opened = await system.openExternal(running.dashboardUrl);
    return opened.ok ? ok({}) : opened;
  },
});
