import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { Desk, Handlers } from '../../shared/contract.ts';
import { fail, ok } from '../../shared/errors.ts';
import { profileDefaults, type Profile } from '../../shared/profile.ts';
import type { PaymentLog } from '../log/payment-log.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { sandboxProfileId } from '../settings/settings-store.ts';
import { agentDesk } from './agents.ts';
import { callbackFileDesk } from './callback-file.ts';
import { callbackDesk } from './callbacks.ts';
import { confirmations } from './confirmations.ts';
import { credentialHealth } from './credential-health.ts';
import { dossierDesk } from './dossier.ts';
import { exportDesk } from './exports.ts';
import { keepHeads } from './heads.ts';
import { logCare } from './log-care.ts';
import { lookUpsDesk } from './look-ups.ts';
import { keepLog } from './log-keeper.ts';
import { missingSteps } from './missing-steps.ts';
import { windowNews } from './news.ts';
import { outsideDesk } from './outside.ts';
import { overviewDesk } from './overview.ts';
import { checkSentences } from './own-sentences.ts';
import type { DeskGiven, DeskParts } from './parts.ts';
import { holdPasswords } from './passwords.ts';
import { paymentDesk } from './payments.ts';
import { placeDesk, type Places } from './places.ts';
import { profileDesk } from './profiles.ts';
import { openQuarantine } from './quarantine.ts';
import { receiverDesk } from './receiver.ts';
import { receivers } from './receivers.ts';
import { checkViews } from './saved-views.ts';
import { templateDesk } from './templates.ts';
import { reconciliationDesk } from './reconciliation.ts';
import { shiftNoteDesk } from './shift-note.ts';
import { openWaits } from './waits.ts';

const hour = 3_600_000;
/** Milliseconds after the start until the day's duties: the desk's first minute belongs to the person. */
const firstDuties = 30_000;

export type RunningDesk = {
  handlers: Handlers;
  /** What is done once a day for the log, now; see log-care.ts. */
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
});

/**
 * Puts the console together: sandbox gateway, doors for callbacks, and a
 * handler for every call of the contract. Runs under plain Node.
 */
export const createDesk = async (given: DeskGiven): Promise<RunningDesk> => {
  const { settings } = given;
  let ready = false;
  const keeper = await keepLog(
    given.openLog,
    log => log.onChange((changedPayments, events) => heard(changedPayments, events)),
    () => {
      if (ready) void changed();
    },
  );
  let systemLocale = 'en';
  const parts: DeskParts = {
    ...given,
    get systemLocale() {
      return systemLocale;
    },
    get log() {
      return keeper.current();
    },
  };
  const heads = keepHeads(parts.credentials, parts.logFile, parts.clock);
  const passwords = holdPasswords(parts.credentials);
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
  const file = callbackFileDesk(parts, callbacks.inspecting);
  const doors = receivers(parts, callbacks.keep, quarantine, () => void changed());
  const rounds = lookUpsDesk(parts, payments.lookUp);
  const missing = missingSteps(parts, payments.lookUp, () => settings.read().settings.lookUpMissing);
  const confirming = confirmations(payments.lookUp, () => settings.read().settings.confirmPaid);
  const news = windowNews(parts);
  let sandbox: Sandbox | null = null;

  const read = async (): Promise<Desk> => {
    const counts = parts.log.ok ? await parts.log.value.counts(null).catch(() => null) : null;
    return {
      version: parts.version,
      host: parts.host,
      systemLocale: parts.systemLocale,
      settings: settings.read().settings,
      profiles: await profiles.views(),
      ...agents.state(),
      receiver: doors.health(),
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
    news.heard(changedPayments, events);
    confirming.consider(events);
    outside.heard(changedPayments, events);
  };

  const agents = agentDesk(settings, parts.clock, changed);
  const outside = outsideDesk(parts, places, () => agents.isLeft());
  const care = logCare(parts, keeper, heads, changed);

  // The merchant's door first: the sandbox takes any free port, and must not take the one that a gateway knows.
  await doors.follow();
  await openSandbox();
  systemLocale = await given.systemLocale;
  ready = true;
  outside.refresh();

  const first = setTimeout(() => void care.daily(), firstDuties);
  const hourly = setInterval(() => void care.daily(), hour);
  first.unref();
  hourly.unref();

  return {
    handlers: agents.guard({
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
      'desk.read': async () => ok(await read()),
      'settings.change': async change => {
        if (change.activeProfileId !== undefined && !settings.profile(change.activeProfileId)) {
          return fail('profile.missing', 'This merchant profile is not on this PC.');
        }
        const views = checkViews(change.views ?? []);
        if (!views.ok) return views;
        const sentences = checkSentences(change.sentences);
        if (!sentences.ok) return sentences;
        const defined = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
        settings.change(stored => ({ ...stored, settings: { ...stored.settings, ...defined } }));
        if (change.receiver !== undefined) await doors.follow();
        return ok(await changed());
      },
      'sandbox.faults': async ({ faults }) => {
        sandbox?.setFaults(faults);
        await changed();
        return ok({});
      },
      'sandbox.resend': async ({ orderNumber }) => ok({ sent: (await sandbox?.resend(orderNumber)) ?? 0 }),
    }),
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
      await Promise.all([sandbox?.close(), doors.close(), file.close(), parts.gateway.close()]);
      quarantine.close();
      await keeper.close();
    },
  };
};
