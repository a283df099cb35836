import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { Desk, Handlers } from '../../shared/contract/index.ts';
import { fail, ok } from '../../shared/errors.ts';
import { profileDefaults, type Profile } from '../../shared/settings/profile.ts';
import { reportFailure } from '../app-log/failure-report.ts';
import type { PaymentLog } from '../payment-log/payment-log.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { sandboxProfileId } from '../settings/settings-store.ts';
import { agentDesk } from './settings/agents.ts';
import { callbackFileDesk } from './callbacks/callback-file-handlers.ts';
import { callbackDesk } from './callbacks/callback-handlers.ts';
import { confirmations } from './payments/auto-confirm.ts';
import { blockedHandlers, durableHandlers } from './settings/durable-handlers.ts';
import { credentialHealth } from './settings/credential-health.ts';
import { dossierDesk } from './reports/dossier.ts';
import { exportDesk } from './reports/exports.ts';
import { recordOutages } from './payments/gateway-outages.ts';
import { windowReports } from './desktop/window-errors.ts';
import { keepHeads } from './payment-log/head-signer.ts';
import { logCare } from './payment-log/payment-log-maintenance.ts';
import { lookUpsDesk } from './payments/bulk-look-up-handlers.ts';
import { keepLog } from './payment-log/payment-log-manager.ts';
import { missingSteps } from './payments/stalled-payment-poller.ts';
import { holdWhileLocked, windowNews } from './desktop/change-broadcaster.ts';
import { outsideDesk } from './desktop/tray-and-badge.ts';
import { overviewDesk } from './reports/overview.ts';
import { checkSentences } from './settings/custom-scripts.ts';
import type { DeskGiven, DeskParts } from './app-context.ts';
import { holdPasswords } from './settings/credential-cache.ts';
import { paymentDesk } from './payments/payment-handlers.ts';
import { placeDesk, type Places } from './desktop/deep-links.ts';
import { profileDesk } from './settings/profiles.ts';
import { openQuarantine } from './callbacks/quarantine.ts';
import { receiverDesk } from './callbacks/receiver-handlers.ts';
import { checkReceiverChange } from './callbacks/receiver-change.ts';
import { receivers } from './callbacks/callback-listeners.ts';
import { checkViews } from './settings/saved-views.ts';
import { templateDesk } from './settings/templates.ts';
import { reconciliationDesk } from './reports/reconciliation.ts';
import { shiftNoteDesk } from './reports/handover-note.ts';
import { openWaits } from './desktop/cancellation.ts';

const hour = 3_600_000;
/** Milliseconds after the start until the day's duties: the desk's first minute belongs to the person. */
const firstDuties = 30_000;

export type RunningDesk = {
  handlers: Handlers;
  /** What is done once a day for the log, now; see payment-log-maintenance.ts. */
  daily(): Promise<void>;
  /** Where the window is asked to go from outside, once somebody is at the desk. */
  places: Omit<Places, 'handlers'>;
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
export const createDesk = async (given: DeskGiven): Promise<RunningDesk> => {
  const { settings } = given;
  let ready = false;
  const { blocked } = settings;
  const keeper = await keepLog(
    blocked ? async () => ({ ok: false, error: blocked }) : given.openLog,
    log => log.onChange((changedPayments, events) => heard(changedPayments, events)),
    () => {
      if (ready) void changed();
    },
  );
  let systemLocale = 'en';
  const agents = agentDesk({
    settings,
    elapsed: () => performance.now(),
    systemLocale: () => systemLocale,
    changed: () => changed(),
    onLock: () => {
      given.notify('desk.locked', agents.lock());
      given.system.reloadWindow();
      outside.refresh();
    },
    // None by name: everything is to be read anew.
    onUnlock: () => given.notify('payments.changed', { payments: [] }),
  });
  const parts: DeskParts = {
    ...given,
    notify: holdWhileLocked(given.notify, () => agents.isLocked()),
    gateway: recordOutages(given.gateway, given.appLog, given.clock),
    get systemLocale() {
      return systemLocale;
    },
    get log() {
      return keeper.current();
    },
  };
  const heads = keepHeads(parts.credentials, parts.logFile, parts.clock);
  const passwords = holdPasswords(parts.credentials, parts.appLog.addSecret);
  const waits = openWaits();
  const payments = paymentDesk(parts, passwords, waits);
  const places = placeDesk(() => parts.notify('place.waits', {}));
  const quarantine = openQuarantine(
    join(dirname(parts.logFile), 'quarantine.json'),
    () => settings.read().settings.receiver.quarantine,
    parts.clock,
    () => void changed(),
  );
  const callbacks = callbackDesk(parts, passwords, quarantine);
  const file = callbackFileDesk(parts, callbacks.reader, callbacks.candidates);
  const doors = receivers(parts, callbacks.keep, quarantine, () => void changed());
  const rounds = lookUpsDesk(parts, payments.lookUp);
  const missing = missingSteps(parts, payments.lookUp, () => settings.read().settings.lookUpMissing);
  const confirming = confirmations(payments.lookUp, {
    isWanted: () => settings.read().settings.confirmPaid,
    zoneOf: profileId => settings.profile(profileId)?.gatewayZone ?? 'UTC',
    clock: parts.clock,
  });
  const news = windowNews(parts);
  let sandbox: Sandbox | null = null;

  const read = async (): Promise<Desk> => {
    const counts = parts.log.ok ? await parts.log.value.counts(null).catch(() => null) : null;
    return {
      version: parts.version,
      host: parts.host,
      systemLocale: parts.systemLocale,
      canStartAtLogin: parts.system.canStartAtLogin,
      settings: settings.read().settings,
      profiles: await profiles.views(),
      ...agents.state(),
      receiver: doors.health(),
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
        problem: keeper.trouble(),
        ...care.state(),
      },
    };
  };

  const changed = async (): Promise<Desk> => {
    // The window gets a state that is on disk, or says that it is not.
    await settings.flush();
    const desk = await read();
    parts.notify('desk.changed', desk);
    outside.refresh();
    return desk;
  };

  const health = credentialHealth(parts, passwords);
  const profiles = profileDesk(
    parts,
    passwords,
    async (profileId, passwordChanged) => {
      await doors.follow();
      if (passwordChanged && parts.log.ok) await callbacks.judgeAgain(parts.log.value, profileId);
      await changed();
    },
    health.checked,
  );

  const openSandbox = async (): Promise<void> => {
    const { merchantKey } = settings.read().sandbox;
    const kept = await passwords.of(sandboxProfileId);
    const merchantPassword = kept.ok ? kept.value : randomBytes(24).toString('base64url');
    if (!kept.ok) {
      // Without a keychain the sandbox still works: its password is worth nothing and lasts for this run.
      const stored = await passwords.keep(sandboxProfileId, merchantPassword, 'keychain');
      if (!stored.ok) await passwords.keep(sandboxProfileId, merchantPassword, 'this-run-only');
    }
    const door = await doors.openSandbox();
    sandbox = await parts.startSandbox({
      port: 0,
      merchantKey,
      merchantPassword,
      callbackUrl: door.ok ? door.value : null,
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

  const heard: Parameters<PaymentLog['onChange']>[0] = (changedPayments, events) => {
    care.wrote(events.length);
    news.heard(changedPayments, events);
    confirming.consider(events);
    outside.heard(changedPayments, events);
  };

  const outside = outsideDesk(parts, places, () => agents.isLeft());
  const care = logCare(parts, keeper, heads, changed);

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
    await doors.follow();
    await openSandbox();
  }
  systemLocale = await given.systemLocale;
  ready = true;
  outside.refresh();

  const daily = (): void => {
    care
      .daily()
      .catch((thrown: unknown) =>
        reportFailure('background', 'The daily jobs of the payment log failed.', thrown),
      );
  };
  const first = setTimeout(daily, firstDuties);
  const hourly = setInterval(daily, hour);
  first.unref();
  hourly.unref();

  const handlers = agents.guard(
    durableHandlers(settings, {
      ...agents.handlers,
      ...payments.handlers,
      ...callbacks.handlers,
      ...file.handlers,
      ...profiles.handlers,
      ...health.handlers,
      ...care.handlers,
      ...places.handlers,
      ...rounds.handlers,
      ...overviewDesk(parts),
      ...templateDesk(settings),
      ...reconciliationDesk(parts),
      ...shiftNoteDesk(parts),
      ...dossierDesk(parts, heads),
      ...exportDesk(parts, heads, waits),
      'payments.stopWaiting': async ({ request }) => ok({ stopped: waits.stop(request) }),
      ...receiverDesk(parts, doors, quarantine, () => sandbox, changed),
      ...windowReports(parts),
      'desk.read': async () => ok(await read()),
      'settings.dismissRecovery': async () => {
        settings.change(stored => ({ ...stored, recovery: null }));
        return ok(await changed());
      },
      'settings.change': async ({ openTo, ...change }) => {
        if (change.activeProfileId !== undefined && !settings.profile(change.activeProfileId)) {
          return fail('profile.missing', 'This merchant profile is not on this PC.');
        }
        if (change.receiver !== undefined) {
          const { receiver } = settings.read().settings;
          const allowed = checkReceiverChange(receiver, change.receiver, openTo ?? null);
          if (!allowed.ok) return allowed;
        }
        const views = checkViews(change.views ?? []);
        if (!views.ok) return views;
        const sentences = checkSentences(change.sentences);
        if (!sentences.ok) return sentences;
        const defined = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
        settings.change(stored => ({ ...stored, settings: { ...stored.settings, ...defined } }));
        if (change.startAtLogin !== undefined) parts.system.setStartAtLogin(change.startAtLogin);
        if (change.receiver !== undefined) await doors.follow();
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
    daily: () => care.daily(),
    places,
    close: async () => {
      clearTimeout(first);
      clearInterval(hourly);
      confirming.stop();
      missing.stop();
      rounds.stop();
      news.stop();
      outside.stop();
      await Promise.all([sandbox?.close(), doors.close(), callbacks.reader.close(), parts.gateway.close()]);
      quarantine.close();
      await keeper.close();
      await settings.close();
    },
  };
};
