import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { AppState, Handlers } from '../../shared/contract/index.ts';
import { fail, ok } from '../../shared/errors.ts';
import { profileDefaults, type Profile } from '../../shared/settings/profile.ts';
import { reportFailure } from '../app-log/failure-report.ts';
import type { PaymentLog } from '../payment-log/payment-log.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { sandboxProfileId } from '../settings/settings-store.ts';
import { createAgentHandlers } from './settings/agents.ts';
import { createCallbackFileHandlers } from './callbacks/callback-file-handlers.ts';
import { createCallbackHandlers } from './callbacks/callback-handlers.ts';
import { createAutoConfirm } from './payments/auto-confirm.ts';
import { blockedHandlers, durableHandlers } from './settings/durable-handlers.ts';
import { credentialHealth } from './settings/credential-health.ts';
import { createDossierHandlers } from './reports/dossier.ts';
import { createExportHandlers } from './reports/exports.ts';
import { recordOutages } from './payments/gateway-outages.ts';
import { windowReports } from './desktop/window-errors.ts';
import { createHeadSigner } from './payment-log/head-signer.ts';
import { createPaymentLogMaintenance } from './payment-log/payment-log-maintenance.ts';
import { createBulkLookUpHandlers } from './payments/bulk-look-up-handlers.ts';
import { createPaymentLogManager } from './payment-log/payment-log-manager.ts';
import { createStalledPaymentPoller } from './payments/stalled-payment-poller.ts';
import { suppressWhileLocked, createChangeBroadcaster } from './desktop/change-broadcaster.ts';
import { createTrayAndNotifications } from './desktop/tray-and-badge.ts';
import { createOverviewHandlers } from './reports/overview.ts';
import { checkScripts } from './settings/custom-scripts.ts';
import type { AppOptions, AppDependencies } from './app-context.ts';
import { createCredentialCache } from './settings/credential-cache.ts';
import { createLookUp } from './payments/look-up.ts';
import { createPaymentHandlers } from './payments/payment-handlers.ts';
import { createDeepLinks, type DeepLinks } from './desktop/deep-links.ts';
import { createProfileHandlers } from './settings/profiles.ts';
import { openQuarantine } from './callbacks/quarantine.ts';
import { createReceiverHandlers } from './callbacks/receiver-handlers.ts';
import { checkReceiverChange } from './callbacks/receiver-change.ts';
import { createCallbackListeners } from './callbacks/callback-listeners.ts';
import { checkViews } from './settings/saved-views.ts';
import { createTemplateHandlers } from './settings/templates.ts';
import { createReconciliationHandlers } from './reports/reconciliation.ts';
import { createHandoverNoteHandlers } from './reports/handover-note.ts';
import { createCancellationRegistry } from './desktop/cancellation.ts';

const hour = 3_600_000;
/** Milliseconds after the start until the day's duties: the desk's first minute belongs to the person. */
const initialDailyTasks = 30_000;

export type RunningApp = {
  handlers: Handlers;
  /** What is done once a day for the log, now; see payment-log-maintenance.ts. */
  daily(): Promise<void>;
  /** Where the window is asked to go from outside, once somebody is at the desk. */
  places: Omit<DeepLinks, 'handlers'>;
  /** Stops doors, timers and connections, then closes the log; resolves when everything accepted is on disk. */
  close(): Promise<void>;
};

const sandboxProfile = (baseUrl: string, merchantKey: string): Profile => ({
  ...profileDefaults,
  id: sandboxProfileId,
  name: 'Sandbox',
  kind: 'sandbox',
  baseUrl,
  merchantKey,
  successUrl: `${baseUrl}/return/success?order={order}`,
  cancelUrl: `${baseUrl}/return/cancel?order={order}`,
});

/**
 * Puts the console together: sandbox gateway, doors for callbacks, and a
 * handler for every call of the contract. Runs under plain Node.
 */
export const createApp = async (given: AppOptions): Promise<RunningApp> => {
  const { settings } = given;
  let ready = false;
  const { blocked } = settings;
  const logManager = await createPaymentLogManager(
    blocked ? async () => ({ ok: false, error: blocked }) : given.openLog,
    log => log.onChange((changedPayments, events) => onEventsWritten(changedPayments, events)),
    () => {
      if (ready) void changed();
    },
  );
  let systemLocale = 'en';
  const agents = createAgentHandlers({
    settings,
    elapsed: () => performance.now(),
    systemLocale: () => systemLocale,
    changed: () => changed(),
    onLock: () => {
      given.notify('app.locked', agents.lock());
      given.system.reloadWindow();
      trayAndNotifications.refresh();
    },
    // None by name: everything is to be read anew.
    onUnlock: () => given.notify('payments.changed', { payments: [] }),
  });
  const parts: AppDependencies = {
    ...given,
    notify: suppressWhileLocked(given.notify, () => agents.isLocked()),
    gateway: recordOutages(given.gateway, given.appLog, given.clock),
    get systemLocale() {
      return systemLocale;
    },
    get log() {
      return logManager.current();
    },
  };
  const heads = createHeadSigner(parts.credentials, parts.logFile, parts.clock);
  const passwords = createCredentialCache(parts.credentials, parts.appLog.addSecret);
  const cancellations = createCancellationRegistry();
  const lookUp = createLookUp(parts, passwords);
  const places = createDeepLinks(() => parts.notify('navigation.pending', {}));
  const quarantine = openQuarantine(
    join(dirname(parts.logFile), 'quarantine.json'),
    () => settings.read().settings.receiver.quarantine,
    parts.clock,
    () => void changed(),
  );
  const callbacks = createCallbackHandlers(parts, passwords, quarantine);
  const file = createCallbackFileHandlers(parts, callbacks.reader, callbacks.candidates);
  const listeners = createCallbackListeners(parts, callbacks.store, quarantine, () => void changed());
  const rounds = createBulkLookUpHandlers(parts, lookUp);
  const missing = createStalledPaymentPoller(parts, lookUp, () => settings.read().settings.lookUpMissing);
  const autoConfirm = createAutoConfirm(lookUp, {
    isWanted: () => settings.read().settings.confirmPaid,
    zoneOf: profileId => settings.profile(profileId)?.gatewayZone ?? 'UTC',
    clock: parts.clock,
  });
  const changeBroadcaster = createChangeBroadcaster(parts);
  let sandbox: Sandbox | null = null;

  const read = async (): Promise<AppState> => {
    const counts = parts.log.ok ? await parts.log.value.counts(null).catch(() => null) : null;
    return {
      version: parts.version,
      host: parts.host,
      systemLocale: parts.systemLocale,
      canStartAtLogin: parts.system.canStartAtLogin,
      settings: settings.read().settings,
      profiles: await profiles.views(),
      ...agents.state(),
      receiver: listeners.health(),
      settingsFile: {
        problem: settings.blocked ?? settings.problem(),
        recovery: settings.read().recovery,
      },
      sandbox: {
        listening: sandbox !== null,
        baseUrl: sandbox?.baseUrl ?? '',
        faults: [...(sandbox?.faults() ?? [])],
      },
      log: {
        file: parts.logFile,
        payments: counts ? Object.values(counts.states).reduce((sum, count) => sum + count, 0) : 0,
        problem: logManager.currentError(),
        ...maintenance.state(),
      },
    };
  };

  const changed = async (): Promise<AppState> => {
    // The window gets a state that is on disk, or says that it is not.
    await settings.flush();
    const app = await read();
    parts.notify('app.changed', app);
    trayAndNotifications.refresh();
    return app;
  };

  const health = credentialHealth(parts, passwords);
  const profiles = createProfileHandlers(
    parts,
    passwords,
    async (profileId, passwordChanged) => {
      await listeners.follow();
      if (passwordChanged && parts.log.ok) await callbacks.reverify(parts.log.value, profileId);
      await changed();
    },
    health.checked,
  );

  const openSandbox = async (): Promise<void> => {
    const { merchantKey } = settings.read().sandbox;
    const stored = await passwords.of(sandboxProfileId);
    const merchantPassword = stored.ok ? stored.value : randomBytes(24).toString('base64url');
    if (!stored.ok) {
      // Without a keychain the sandbox still works: its password is worth nothing and lasts for this run.
      const stored = await passwords.set(sandboxProfileId, merchantPassword, 'keychain');
      if (!stored.ok) await passwords.set(sandboxProfileId, merchantPassword, 'this-run-only');
    }
    const sandboxListener = await listeners.openSandbox();
    sandbox = await parts.startSandbox({
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
  };

  const onEventsWritten: Parameters<PaymentLog['onChange']>[0] = (changedPayments, events) => {
    maintenance.advanceTarget(events.length);
    changeBroadcaster.heard(changedPayments, events);
    autoConfirm.handleEvents(events);
    trayAndNotifications.heard(changedPayments, events);
  };

  const trayAndNotifications = createTrayAndNotifications(parts, places, () => agents.isLeft());
  const maintenance = createPaymentLogMaintenance(parts, logManager, heads, changed);

  settings.onProblem(() => {
    const problem = settings.problem();
    if (problem) {
      parts.appLog.write('error', 'settings', problem.message, { cause: problem.details?.['cause'] ?? null });
    } else parts.appLog.write('info', 'settings', 'The settings are saved again.');
    if (ready) void changed();
  });
  // The merchant's door first: the sandbox takes any free port, and must not take the one that a gateway knows.
  const unusable = blocked ?? settings.read().recovery;
  if (unusable)
    parts.appLog.write('error', 'settings', 'The settings could not be read in full.', {
      code: blocked?.code ?? 'recovered',
      problems: settings.read().recovery?.problems.length ?? 0,
    });
  if (!blocked) {
    await listeners.follow();
    await openSandbox();
  }
  systemLocale = await given.systemLocale;
  ready = true;
  trayAndNotifications.refresh();

  const daily = (): void => {
    maintenance
      .daily()
      .catch((thrown: unknown) =>
        reportFailure('background', 'The daily jobs of the payment log failed.', thrown),
      );
  };
  const first = setTimeout(daily, initialDailyTasks);
  const hourly = setInterval(daily, hour);
  first.unref();
  hourly.unref();

  const handlers = agents.guard(
    durableHandlers(settings, {
      ...agents.handlers,
      ...createPaymentHandlers(parts, passwords, cancellations, lookUp),
      ...callbacks.handlers,
      ...file.handlers,
      ...profiles.handlers,
      ...health.handlers,
      ...maintenance.handlers,
      ...places.handlers,
      ...rounds.handlers,
      ...createOverviewHandlers(parts),
      ...createTemplateHandlers(settings),
      ...createReconciliationHandlers(parts),
      ...createHandoverNoteHandlers(parts),
      ...createDossierHandlers(parts, heads),
      ...createExportHandlers(parts, heads, cancellations),
      'payments.cancelWait': async ({ requestId }) => ok({ stopped: cancellations.cancel(requestId) }),
      ...createReceiverHandlers(parts, listeners, quarantine, () => sandbox, changed),
      ...windowReports(parts),
      'app.read': async () => ok(await read()),
      'settings.dismissRecovery': async () => {
        settings.change(stored => ({ ...stored, recovery: null }));
        return ok(await changed());
      },
      'settings.change': async ({ confirmedHost, ...change }) => {
        if (change.activeProfileId !== undefined && !settings.profile(change.activeProfileId)) {
          return fail('profile.missing', 'This merchant profile is not on this computer.');
        }
        if (change.receiver !== undefined) {
          const { receiver } = settings.read().settings;
          const allowed = checkReceiverChange(receiver, change.receiver, confirmedHost ?? null);
          if (!allowed.ok) return allowed;
        }
        const views = checkViews(change.views ?? []);
        if (!views.ok) return views;
        const sentences = checkScripts(change.sentences);
        if (!sentences.ok) return sentences;
        const defined = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
        settings.change(stored => ({ ...stored, settings: { ...stored.settings, ...defined } }));
        if (change.startAtLogin !== undefined) parts.system.setStartAtLogin(change.startAtLogin);
        if (change.receiver !== undefined) await listeners.follow();
        return ok(await changed());
      },
      'sandbox.faults': async ({ faults }) => {
        sandbox?.setFaults(faults);
        await changed();
        return ok({});
      },
      'sandbox.resend': async ({ orderNumber }) => ok({ sent: (await sandbox?.resend(orderNumber)) ?? 0 }),
      'sandbox.openDashboard': async () => {
        if (!sandbox) return fail('link.refused', 'The sandbox is not running.');
        const opened = await parts.system.openExternal(sandbox.dashboardUrl);
        return opened.ok ? ok({}) : opened;
      },
    }),
  );

  return {
    handlers: blocked ? blockedHandlers(handlers, blocked) : handlers,
    daily: () => maintenance.daily(),
    places,
    close: async () => {
      clearTimeout(first);
      clearInterval(hourly);
      autoConfirm.stop();
      missing.stop();
      rounds.stop();
      changeBroadcaster.stop();
      trayAndNotifications.stop();
      await Promise.all([
        sandbox?.close(),
        listeners.close(),
        callbacks.reader.close(),
        parts.gateway.close(),
      ]);
      quarantine.close();
      await logManager.close();
      await settings.close();
    },
  };
};
