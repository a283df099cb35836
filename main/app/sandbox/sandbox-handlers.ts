import type { Handlers } from '../../../shared/contract/contract.ts';
import { fail, ok } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import type { AppDependencies } from '../common/app-context.ts';
import { sandboxProfileId } from '../../settings/settings-store.ts';
import type { EmbeddedSandbox } from './embedded-sandbox.ts';

/** The requests about the sandbox gateway, and the test of the receiver with it. `publish` sends the state to the window. */
export const createSandboxHandlers = (
  parts: Pick<AppDependencies, 'system' | 'log'>,
  sandbox: EmbeddedSandbox,
  publish: () => Promise<unknown>,
): Pick<Handlers, 'sandbox.faults' | 'sandbox.resend' | 'sandbox.openDashboard' | 'receiver.test'> => ({
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
    const opened = await parts.system.openExternal(running.dashboardUrl);
    return opened.ok ? ok({}) : opened;
  },
  'receiver.test': async () => {
    const gateway = sandbox.current();
    if (gateway === null) return fail('receiver.failed', msg('receiver.test.no-sandbox'));
    const startedAt = performance.now();
    const { orderNumber, httpStatus } = await gateway.testCallback();
    const durationMs = performance.now() - startedAt;
    const page = parts.log.ok ? await parts.log.value.eventPage(sandboxProfileId, orderNumber, null) : null;
    const arrived = page?.events.find(event => event.kind === 'callback.received');
    return ok({
      orderNumber,
      httpStatus,
      durationMs,
      stored: arrived !== undefined,
      verified: arrived?.body.verification.verdict === 'verified',
    });
  },
});
