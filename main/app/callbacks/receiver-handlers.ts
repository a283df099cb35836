import type { AppState, Handlers } from '../../../shared/contract/index.ts';
import { fail, ok } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import { certificateFacts, readPems } from '../../callbacks/certificate.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { sandboxProfileId } from '../../settings/settings-store.ts';
import type { AppDependencies } from '../app-context.ts';
import type { Quarantine } from './quarantine.ts';
import type { CallbackListeners } from './callback-listeners.ts';

/** The requests about the receiver: its certificate, its quarantine, and a test of the whole path. */
export const createReceiverHandlers = (
  parts: AppDependencies,
  listeners: CallbackListeners,
  quarantine: Quarantine,
  sandbox: () => Sandbox | null,
  publish: () => Promise<AppState>,
): Pick<Handlers, 'receiver.chooseCertificate' | 'receiver.resetQuarantine' | 'receiver.test'> => {
  const { settings, system, clock } = parts;
  return {
    'receiver.chooseCertificate': async () => {
      const certificate = await system.chooseOpenFile('certificate');
      const key = certificate === null ? null : await system.chooseOpenFile('certificate');
      if (certificate === null || key === null) return ok({ certificate: null });
      const pems = await readPems({ certificate, key });
      if (!pems.ok) return pems;
      const facts = certificateFacts(pems.value, clock());
      if (!facts.ok) return facts;
      settings.change(stored => ({
        ...stored,
        settings: {
          ...stored.settings,
          receiver: { ...stored.settings.receiver, tls: { certificate, key } },
        },
      }));
      await listeners.follow();
      await publish();
      return ok({ certificate: facts.value });
    },
    'receiver.resetQuarantine': async () => {
      quarantine.resetQuarantine(settings.read().settings.agent);
      return ok(await publish());
    },
    'receiver.test': async () => {
      const gateway = sandbox();
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
  };
};
