import type { AppState, Handlers } from '../../../shared/contract/contract.ts';
import type { CallbackListeners } from '../callbacks/callback-listeners.ts';
import { withPaymentLog, type AppDependencies } from '../common/app-context.ts';
import type { CredentialCache } from '../settings/credential-cache.ts';
import { fail, ok, type Result } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import { statementExtensions } from '../../../shared/sandbox-statements.ts';
import { timeZoneOf } from '../../../shared/settings/merchant.ts';
import { writeBytes } from '../../export/export-payments.ts';
import { writeStatement } from '../../statements/write-sample.ts';
import { chooseSaveFile } from '../common/choose-save-file.ts';
import { readMovements } from '../statements/month-movements.ts';
import { sandboxProfileId } from '../../settings/settings-store.ts';
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { forEachKind } from '../../../shared/operations/operation-kinds.ts';
import { profileDefaults, type Profile } from '../../../shared/settings/profile.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';

const sandboxProfile = (baseUrl: string, merchantKey: string): Profile => ({
  ...profileDefaults,
  id: sandboxProfileId,
  name: 'Sandbox',
  kind: 'sandbox',
  baseUrl,
  merchantKey,
  // All operations, so that they can be practised.
  operations: {
    ...profileDefaults.operations,
    ...forEachKind(() => true),
    voidAllowed: 'both',
  },
  successUrl: `${baseUrl}/return/success?order={order}`,
  cancelUrl: `${baseUrl}/return/cancel?order={order}`,
});

/**
 * How long the start of the console waits for the keychain, milliseconds. A locked one waits for a person, and the
 * password of the sandbox protects nothing.
 */
const maxKeychainMs = 1_000;

/** The answer; null if it does not come soon. */
const soon = <T>(answer: Promise<T>): Promise<T | null> =>
  Promise.race([answer, wait(maxKeychainMs, null, { ref: false })]);

/** The sandbox gateway inside the console, with its merchant profile. */
type EmbeddedSandbox = ReturnType<typeof createEmbeddedSandbox>;

const createEmbeddedSandbox = (
  { settings, startSandbox }: Pick<AppDependencies, 'settings' | 'startSandbox'>,
  passwords: CredentialCache,
  listeners: CallbackListeners,
) => {
  let sandbox: Sandbox | null = null;
  return {
    /** Starts the gateway and writes its profile. */
    open: async (): Promise<void> => {
      const { merchantKey } = settings.read().sandbox;
      const stored = await soon(passwords.of(sandboxProfileId));
      const merchantPassword = stored?.ok ? stored.value : randomBytes(24).toString('base64url');
      if (!stored?.ok) {
        const kept = stored && (await soon(passwords.set(sandboxProfileId, merchantPassword, 'keychain')));
        // Without a keychain the sandbox still works, with a password for this run.
        if (!kept?.ok) await passwords.set(sandboxProfileId, merchantPassword, 'this-run-only');
      }
      const sandboxListener = await listeners.openSandbox();
      sandbox = await startSandbox({
        port: 0,
        merchantKey,
        merchantPassword,
        callbackUrl: sandboxListener.ok ? sandboxListener.value : null,
        choices: { redirectBack: true },
      });
      const { baseUrl } = sandbox;
      settings.change(stored => ({
        ...stored,
        profiles: [
          sandboxProfile(baseUrl, merchantKey),
          ...stored.profiles.filter(profile => profile.id !== sandboxProfileId),
        ],
      }));
    },
    /** Null until it is open. */
    current: (): Sandbox | null => sandbox,
    state: (): AppState['sandbox'] => ({
      listening: sandbox !== null,
      baseUrl: sandbox?.baseUrl ?? '',
      faults: [...(sandbox?.faults() ?? [])],
    }),
    close: async (): Promise<void> => {
      await sandbox?.close();
    },
  };
};

/** The requests about the sandbox gateway, and the test of the receiver with it. `publish` sends the state to the window. */
const createSandboxHandlers = (
  parts: Pick<AppDependencies, 'system' | 'log' | 'logFile' | 'clock' | 'settings'>,
  sandbox: EmbeddedSandbox,
  publish: () => Promise<unknown>,
) =>
  ({
    'sandbox.faults': async ({ faults }) => {
      sandbox.current()?.setFaults(faults);
      await publish();
      return ok({});
    },
    'sandbox.resend': async ({ orderNumber }) =>
      ok({ sent: (await sandbox.current()?.resend(orderNumber)) ?? 0 }),
    'sandbox.writeStatement': withPaymentLog(
      parts,
      async (log, { dialect }): Promise<Result<{ file: string | null; payments: number }>> => {
        const zone = timeZoneOf(parts.settings.profile(sandboxProfileId));
        const movements = await readMovements(log, sandboxProfileId, parts.clock(), parts.clock() + 1, zone);
        const known = movements.flatMap(({ amount, ...movement }) =>
          amount === null ? [] : { ...movement, amount },
        );
        const chosen = await chooseSaveFile(parts, `sandbox-statement.${statementExtensions[dialect]}`);
        if (!chosen.ok) return chosen;
        const file = chosen.value;
        if (file === null) return ok({ file, payments: 0 });
        const { bytes, payments } = writeStatement(known, dialect);
        const written = await writeBytes(file, async () => bytes);
        return written.ok ? ok({ file, payments }) : written;
      },
    ),
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
  }) satisfies Partial<Handlers>;

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
