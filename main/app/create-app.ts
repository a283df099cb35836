import { basename, dirname, join } from 'node:path';
import { paymentKey } from '../../shared/payments/payment-key.ts';
import { openStates } from '../../shared/payments/state-groups.ts';
import type { Handlers } from '../../shared/contract/index.ts';
import { createActivityHandlers } from './activity/activity-handlers.ts';
import { createActivityLog, type Activity } from './activity/activity-log.ts';
import type { AppDependencies, AppOptions } from './app-context.ts';
import { createAppEvents } from './app-events.ts';
import { createAppState } from './app-state.ts';
import { createCallbackFileHandlers } from './callbacks/callback-file-handlers.ts';
import { createCallbackHandlers } from './callbacks/callback-handlers.ts';
import { createCallbackReverifier } from './callbacks/callback-reverifier.ts';
import { createCallbackListeners } from './callbacks/callback-listeners.ts';
import { openQuarantine } from '../callbacks/store/quarantine.ts';
import { removeLeftovers } from '../files/remove-leftovers.ts';
import { headFolder } from '../payment-log/heads/head-files.ts';
import { replacementOf } from '../payment-log/sqlite/files/replace-log.ts';
import { createReceiverHandlers } from './callbacks/receiver-handlers.ts';
import { createCancellationHandlers, createCancellationRegistry } from './cancellation.ts';
import { createChangeBroadcaster, suppressWhileLocked } from './desktop/change-broadcaster.ts';
import { createDeepLinks, type DeepLinks } from './desktop/deep-links.ts';
import { createSystemLocale } from './desktop/system-locale.ts';
import { createTrayAndNotifications } from './desktop/tray-and-badge.ts';
import { createWindowErrorHandlers } from './desktop/window-errors.ts';
import { startDailySchedule } from './payment-log/daily-schedule.ts';
import { createHeadSigner } from './payment-log/head-signer.ts';
import { createLogKeys, openWithKey } from './payment-log/log-keys.ts';
import { createPaymentLogHandlers } from './payment-log/payment-log-handlers.ts';
import { createPaymentLogMaintenance } from './payment-log/payment-log-maintenance.ts';
import { createPaymentLogManager } from './payment-log/payment-log-manager.ts';
import { createAutoConfirm } from '../look-ups/auto-confirm.ts';
import { createBulkLookUpHandlers } from './payments/bulk-look-up-handlers.ts';
import { recordOutages } from './payments/gateway-outages.ts';
import { createLookUp } from './payments/look-up.ts';
import { createPaidRecheck } from './payments/paid-recheck.ts';
import { createPaymentHandlers } from './payments/payment-handlers.ts';
import { createStalledPaymentPoller } from './payments/stalled-payment-poller.ts';
import { createDossierHandlers } from './reports/dossier.ts';
import { createExportHandlers } from './reports/exports.ts';
import { createFinishedFiles } from './reports/finished-files.ts';
import { createHandoverNoteHandlers } from './reports/handover-note.ts';
import { createFiguresExportHandlers } from './reports/figures-export.ts';
import { createOverviewHandlers } from './reports/overview.ts';
import { createReviewHandlers } from './review/review-handlers.ts';
import { createReconciliationHandlers } from './reports/reconciliation.ts';
import { createEmbeddedSandbox } from './sandbox/embedded-sandbox.ts';
import { createSandboxHandlers } from './sandbox/sandbox-handlers.ts';
import { createLogForwarding } from './health/log-forwarding.ts';
import { createHealth } from './health/health.ts';
import { createAgentSession } from './settings/agent-session.ts';
import { createAgentRequests } from './settings/agents.ts';
import { createCheckHandlers } from './payments/check-profile.ts';
import { createCredentialCache } from './settings/credential-cache.ts';
import { createCredentialHealth } from './settings/credential-health.ts';
import { applyRules, type RuledHandlers } from './requests/apply-rules.ts';
import { createRunningWork } from './requests/running-work.ts';
import { startIdleLock } from './settings/idle-lock.ts';
import { createProfileHandlers } from './settings/profiles.ts';
import { createSettingsHandlers } from './settings/settings-handlers.ts';
import { recordSettingsProblems } from './settings/settings-problems.ts';
import { createTemplateHandlers } from './settings/templates.ts';
import { raisedHere } from './team/raised-here.ts';
import { createSharingHandlers, createTeamPeople } from './team/people.ts';
import { createTeam } from './team/team.ts';
import { createTeamHandlers } from './team/team-handlers.ts';
import { createUpdates } from './updates/updates.ts';
import { sandboxProfileId } from '../settings/settings-store.ts';
import { createTransferHandlers } from './transfer/transfer-handlers.ts';

export type RunningApp = RuledHandlers & {
  /** Runs the daily jobs of the payment log now; see payment-log-maintenance.ts. */
  daily(): Promise<void>;
  /** Navigation targets from the operating system; they wait until an agent is signed in. */
  deepLinks: Omit<DeepLinks, 'handlers'>;
  /** The system shuts down: an installer started now would be interrupted. */
  holdUpdate(): void;
  /** Stops listeners, timers and connections, then closes the log; resolves when everything accepted is on disk. */
  close(): Promise<void>;
};

/** Composes the application layer in dependency order: state, reactions, request handlers. Runs under plain Node. */
export const createApp = async (given: AppOptions): Promise<RunningApp> => {
  const { settings, appLog } = given;
  const clock = (): number => given.clock() + team.clockCorrection();
  const { blocked } = settings;
  const events = createAppEvents();
  const stateChanged = (): void => void events.emit('stateChanged');

  // The replacement of a payment log is removed under its lock.
  for (const folder of [dirname(given.logFile), headFolder(given.logFile)])
    void removeLeftovers(folder, basename(replacementOf(given.logFile)));

  // State
  const locale = createSystemLocale(given.systemLocale);
  const session = createAgentSession(
    settings,
    locale.current,
    () => people.sharing()?.arePeopleShared === true && !team.isConnected(),
  );
  const notify = suppressWhileLocked(given.notify, session.isLocked);
  const keys = createLogKeys(given.credentials);
  const heads = createHeadSigner(given.credentials, given.logFile, clock);
  const team = createTeam(
    { ...given, notify, heads },
    stateChanged,
    (payments, written) => void events.emit('eventsElsewhere', payments, written),
    () => void events.emit('clockCorrected'),
  );
  /** Replacements of the log that a start has completed, until they are recorded. */
  const completed: Activity[] = [];
  const openLog = openWithKey(given, keys, ({ archivedAs, purpose }) => {
    const isArchived = purpose === 'restored' || purpose === 'log-created';
    completed.push({ action: purpose, details: isArchived ? { archive: archivedAs } : {} });
  });
  const logManager = await createPaymentLogManager(
    blocked ? async () => ({ ok: false, error: blocked }) : openLog,
    log => {
      const stop = log.onChange((payments, written) => void events.emit('eventsWritten', payments, written));
      const detach = team.attach(log);
      return async () => {
        stop();
        await detach();
      };
    },
    stateChanged,
  );
  const gateway = recordOutages(given.gateway, appLog, clock);
  const parts: AppDependencies = {
    ...given,
    clock,
    notify,
    team,
    gateway,
    get systemLocale() {
      return locale.current();
    },
    get log() {
      return team.log(logManager.current());
    },
  };
  const files = createFinishedFiles(parts.system, heads);
  const passwords = createCredentialCache(parts.credentials, appLog.addSecret);
  const people = createTeamPeople({ ...given, team, clock, systemLocale: locale.current }, passwords);
  const cancellations = createCancellationRegistry();
  const quarantine = openQuarantine(
    join(dirname(parts.logFile), 'quarantine.json'),
    () => settings.read().settings.receiver.quarantine,
    clock,
    stateChanged,
  );
  const callbacks = createCallbackHandlers(parts, passwords, quarantine);
  const listeners = createCallbackListeners(parts, callbacks.store, quarantine, stateChanged);
  const sandbox = createEmbeddedSandbox(parts, passwords, listeners);
  const activityLog = createActivityLog(parts);
  const flushActivities = async (): Promise<void> => {
    await activityLog.record(completed.splice(0), 'console');
    await activityLog.flush();
  };
  const maintenance = createPaymentLogMaintenance(parts, logManager, heads, activityLog, stateChanged);
  const appState = createAppState(parts, events, {
    session,
    listeners,
    logManager,
    maintenance,
    sandbox,
    people,
    updates: () => updates.state(),
  });
  const { publish } = appState;

  // Reactions
  const lookUp = createLookUp(parts, passwords);
  const deepLinks = createDeepLinks(() => parts.notify('navigation.pending', {}));
  const changeBroadcaster = createChangeBroadcaster(parts);
  const autoConfirm = createAutoConfirm(lookUp, {
    isWanted: () => settings.read().settings.confirmPaid,
    // Each installation has a separate sandbox.
    canAsk: async profileId =>
      profileId !== sandboxProfileId &&
      settings.profile(profileId) !== null &&
      (await passwords.of(profileId)).ok,
    claim: (task, milliseconds) => team.claim(task, milliseconds),
    zoneOf: profileId => settings.profile(profileId)?.gatewayZone ?? 'UTC',
    clock,
  });
  const stalledPayments = createStalledPaymentPoller(
    parts,
    lookUp,
    () => settings.read().settings.lookUpMissing,
  );
  const paidRecheck = createPaidRecheck(
    parts,
    lookUp,
    () => settings.read().settings.recheckPaidDays,
    gateway.isFailing,
  );
  const tray = createTrayAndNotifications(parts, deepLinks, session.isLeft);
  events.on('clockCorrected', () => void maintenance.checkRecordingTime());
  events.on('eventsWritten', (_payments, written) => maintenance.countEvents(written.length));
  events.on('eventsWritten', (payments, written) => changeBroadcaster.onEventsWritten(payments, written));
  const reverifier = createCallbackReverifier({
    hasPassword: callbacks.hasPassword,
    claim: (task, milliseconds) => team.claim(task, milliseconds),
    reverify: async (profileId, given) => {
      if (parts.log.ok) await callbacks.reverify(parts.log.value, profileId, given);
    },
    recent: async limit => (parts.log.ok ? parts.log.value.recentCallbacks(limit) : []),
  });
  events.on('stateChanged', () => reverifier.onConnection(team.isLevel()));
  events.on('eventsElsewhere', (_payments, written) => reverifier.onEventsElsewhere(written));
  events.on('eventsWritten', (_payments, written) => autoConfirm.handleEvents(written));
  events.on('eventsWritten', (payments, written) => tray.onEventsWritten(payments, written));
  events.on('eventsElsewhere', (payments, written) => {
    changeBroadcaster.onEventsWritten(payments, written);
    tray.refresh();
    void raisedHere(logManager.current(), payments ?? []).then(own => {
      const isOwn = ({
        profileId,
        orderNumber,
      }: {
        profileId: string;
        orderNumber: string | null;
      }): boolean => orderNumber !== null && own.has(paymentKey({ profileId, orderNumber }));
      tray.onEventsWritten((payments ?? []).filter(isOwn), written);
      autoConfirm.handleEvents(written.filter(isOwn));
      autoConfirm.handleEvents(
        written.filter(event => !isOwn(event)),
        'elsewhere',
      );
    });
  });
  const onLock = (): void => {
    given.notify('app.locked', session.lock());
    given.system.reloadWindow();
    tray.refresh();
  };
  people.onChange(({ isSignedInGone, isSignedInChanged, signedIn, areProfilesChanged }) => {
    const wasLeft = session.isLeft();
    if ((isSignedInGone || isSignedInChanged) && session.expel()) {
      const ended: Activity = { action: 'signed-out', details: { reason: 'team' } };
      if (!wasLeft) void activityLog.record([ended], signedIn);
      onLock();
    }
    if (areProfilesChanged) void listeners.follow();
    stateChanged();
  });
  events.on('stateChanged', () => {
    if (team.isConnected()) people.catchUp();
    // The lock screen shows who can sign in now.
    if (session.isLocked()) given.notify('app.locked', session.lock());
  });
  events.on('statePublished', () => tray.refresh());
  events.on('stateChanged', () => void flushActivities());
  recordSettingsProblems(parts, stateChanged);

  // Requests
  const bulkLookUps = createBulkLookUpHandlers(parts, lookUp);
  const callbackFile = createCallbackFileHandlers(parts, callbacks.reader, callbacks.candidates);
  const credentialHealth = createCredentialHealth(parts, passwords);
  const forwarding = createLogForwarding(parts, publish);
  const health = createHealth(
    parts,
    credentialHealth.handlers['profiles.health'],
    appState.read,
    forwarding.state,
  );
  const agents = createAgentRequests({
    settings,
    session,
    team: people,
    elapsed: () => performance.now(),
    publish,
    openLinks: async () => {
      const counts = parts.log.ok ? await parts.log.value.counts(null).catch(() => null) : null;
      return counts && openStates.reduce((sum, state) => sum + (counts.states[state] ?? 0), 0);
    },
    onLock,
    onUnlock: () => given.notify('payments.changed', { payments: null }),
  });
  const profiles = createProfileHandlers(parts, passwords, people, async (profileId, passwordChanged) => {
    await listeners.follow();
    if (passwordChanged && parts.log.ok) await callbacks.reverify(parts.log.value, profileId);
    await publish();
  });
  const requestHandlers: Omit<Handlers, 'updates.check' | 'updates.restart'> = {
    ...appState.handlers,
    ...createActivityHandlers(parts, activityLog),
    ...agents.handlers,
    ...profiles,
    ...createCheckHandlers(parts, passwords, credentialHealth.checked),
    ...credentialHealth.handlers,
    ...health.handlers,
    ...forwarding.handlers,
    ...callbacks.handlers,
    ...callbackFile.handlers,
    ...bulkLookUps.handlers,
    ...deepLinks.handlers,
    ...createWindowErrorHandlers(parts),
    ...createCancellationHandlers(cancellations),
    ...createDossierHandlers(parts, heads, files),
    ...createExportHandlers(parts, files, cancellations),
    ...createHandoverNoteHandlers(parts),
    ...createOverviewHandlers(parts),
    ...createFiguresExportHandlers(parts, files),
    ...createPaymentHandlers(parts, passwords, cancellations, lookUp),
    ...createPaymentLogHandlers(parts, logManager, heads, maintenance, keys, publish, agents.confirmSelf),
    ...createReceiverHandlers(parts, listeners, quarantine, sandbox.current, publish),
    ...createReconciliationHandlers(parts, files),
    ...createReviewHandlers(parts, session),
    ...createSandboxHandlers(parts, sandbox, publish),
    ...createSharingHandlers(people, publish),
    ...createSettingsHandlers(parts, listeners.follow, publish),
    ...createTeamHandlers(parts, logManager, heads, publish),
    ...createTemplateHandlers(settings),
    ...createTransferHandlers(parts, passwords, listeners.follow, publish),
  };
  const work = createRunningWork({
    'lookUps.start': bulkLookUps.isRunning,
    'callbacks.storeFile': callbackFile.isStoring,
  });
  const updates = createUpdates(parts, activityLog, {
    onChange: stateChanged,
    isBusy: () => work.isRunning(),
    publish,
  });
  const ruled = applyRules(
    { ...requestHandlers, ...updates.handlers },
    { settings, session, activityLog, work },
  );

  // Start
  if (!blocked) {
    const { startAtLogin } = settings.read().settings;
    if (settings.policy.managed.settings.includes('startAtLogin')) given.system.setStartAtLogin(startAtLogin);
    // The merchant's listener first: the sandbox uses any free port, and must not take the one that a gateway uses.
    await listeners.follow();
    await sandbox.open();
    forwarding.apply();
    events.on('statePublished', forwarding.apply);
    health.start();
    events.on('statePublished', health.changed);
    events.on('statePublished', () => updates.apply());
  }
  await locale.whenKnown();
  appState.start();
  void flushActivities();
  tray.refresh();
  if (!blocked) await updates.start();
  const schedule = startDailySchedule(maintenance, publish);
  const stopIdleLock = startIdleLock(
    given,
    session,
    reason => void ruled.handlers['agents.signOut']({ resume: null, reason }),
  );

  return {
    ...ruled,
    daily: schedule.run,
    deepLinks,
    holdUpdate: () => updates.hold(),
    close: async () => {
      schedule.stop();
      updates.stop();
      const statusWritten = health.close();
      stopIdleLock();
      people.close();
      autoConfirm.stop();
      reverifier.stop();
      stalledPayments.stop();
      paidRecheck.stop();
      bulkLookUps.stop();
      changeBroadcaster.stop();
      tray.stop();
      await Promise.all([
        statusWritten,
        sandbox.close(),
        listeners.close(),
        callbacks.reader.close(),
        parts.gateway.close(),
      ]);
      quarantine.close();
      await logManager.close();
      await settings.close();
      await forwarding.close();
    },
  };
};
