import { sendListProgress } from './payment-log/list-progress.ts';
import { basename, dirname } from 'node:path';
import { headFolder } from '../payment-log/heads/head-files.ts';
import { removeLeftovers } from '../files/remove-leftovers.ts';
import { interruptedReplacement, replacementOf } from '../payment-log/sqlite/files/replace-log.ts';
import { createActivityFeature } from './activity/activity-feature.ts';
import type { Activity } from './activity/activity-log.ts';
import { createAlertsFeature } from './desktop/alerts-feature.ts';
import { createPersonalAlerts } from './alerts/personal-alerts.ts';
import { createAppState } from './app-state.ts';
import { createCallbacksFeature } from './callbacks/callbacks-feature.ts';
import { createAppEvents, type AppDependencies, type AppOptions } from './common/app-context.ts';
import { withoutSignedIn } from './common/app-settings.ts';
import { createRequester } from './common/requester.ts';
import { createCancellationRegistry } from './common/cancellation.ts';
import { startParts, stopParts, type Part } from './common/feature.ts';
import { sendWhileHere } from './common/send-while-here.ts';
import { createCheckHandlers } from './connection/check-profile.ts';
import { suppressWhileLocked } from './desktop/change-broadcaster.ts';
import type { DeepLinks } from './desktop/deep-links.ts';
import { createCustomerHandlers } from './customers/customer-handlers.ts';
import { createDesktopFeature } from './desktop/desktop-feature.ts';
import { createDraftsFeature } from './drafts/drafts-feature.ts';
import { createHealth } from './health/read-health.ts';
import { createHeadSigner } from './payment-log/head-signer.ts';
import { createOperationHandlers } from './operations/operation-handlers.ts';
import { createMovementHandlers } from './operations/record-movement.ts';
import { createRefundRun } from './operations/refund-run.ts';
import { createPaymentMutex } from '../pacing/limiter.ts';
import { createPaymentLogFeature } from './payment-log/payment-log-feature.ts';
import { createPaymentLogManager } from './payment-log/payment-log-manager.ts';
import { recordOutages } from './payments/gateway-outages.ts';
import { createPaymentsFeature } from './payments/payments-feature.ts';
import { createReportsFeature } from './reports/reports-feature.ts';
import { applyRules, type RuledHandlers } from './requests/apply-rules.ts';
import { createRunningWork } from './requests/running-work.ts';
import { createReviewHandlers } from './review/review-handlers.ts';
import { createScheduledExportFeature } from './scheduled-export/scheduled-export-feature.ts';
import { createStatementHandlers } from './statements/statement-handlers.ts';
import { createSandboxFeature } from './sandbox/sandbox-feature.ts';
import { createAgentSession } from './settings/agent-session.ts';
import { createCredentialCache } from './settings/credential-cache.ts';
import { createIdleLock, createLockScreen } from './settings/idle-lock.ts';
import { createSettingsFeature } from './settings/settings-feature.ts';
import { createTeamFeature, createTeamPeople } from './team/team-feature.ts';
import { createTeam } from './team/create-team.ts';
import { createTransferHandlers } from './transfer/transfer-handlers.ts';
import { createUpdates } from './updates/updates.ts';

export type RunningApp = RuledHandlers & {
  /** Runs the daily jobs of the payment log now; see payment-log-maintenance.ts. */
  daily(): Promise<void>;
  /** Navigation targets from the operating system; they wait until an agent is signed in. */
  deepLinks: Omit<DeepLinks, 'handlers'>;
  /** The system shuts down: an installer started now would be interrupted. */
  holdUpdate(): void;
  /** After closing: gives the system the version that it is to install, where that takes time. */
  stageUpdate(): Promise<void>;
  /** Stops listeners, timers and connections, then closes the log; resolves when everything accepted is on disk. */
  close(): Promise<void>;
};

/**
 * Composes the application layer in the order of dependencies: nothing is used before it is created. First what all
 * features share, then the features, then the rules around their handlers. Runs under plain Node.
 */
export const createApp = async (given: AppOptions): Promise<RunningApp> => {
  const { settings, appLog } = given;
  const events = createAppEvents();
  const stateChanged = (): void => void events.emit('stateChanged');

  // The replacement of a payment log is removed under its lock.
  for (const folder of [dirname(given.logFile), headFolder(given.logFile)])
    void removeLeftovers(folder, basename(replacementOf(given.logFile)));

  // What all features share
  /** What the team's server adds to the clock of this computer, so that all installations record the same time. */
  let correctionMs = 0;
  const clock = (): number => given.clock() + correctionMs;
  /** BCP 47: English until the system's language is known. */
  let systemLocale = 'en';
  const session = createAgentSession(settings);
  const requester = createRequester(session);
  const personalAlerts = createPersonalAlerts(settings, session);
  const notify = suppressWhileLocked(given.notify, session.isLocked);
  const heads = createHeadSigner(given.credentials, given.logFile, clock);
  const team = createTeam(
    { ...given, notify, heads },
    stateChanged,
    (payments, written) => void events.emit('eventsElsewhere', payments, written),
    milliseconds => {
      correctionMs = milliseconds;
      events.emit('clockCorrected');
    },
  );
  /** Replacements of the log that a start has completed, until they are recorded. */
  const completed: Activity[] = [];
  const openLog: AppOptions['openLog'] = async onStateError => {
    const interrupted = interruptedReplacement(given.logFile);
    const opened = await given.openLog(onStateError);
    if (opened.ok && interrupted)
      completed.push({ action: interrupted.purpose, details: { archive: interrupted.archivedAs } });
    return opened;
  };
  const { blocked } = settings;
  const logManager = await createPaymentLogManager(
    blocked ? async () => ({ ok: false, error: blocked }) : openLog,
    log => {
      const stop = log.onChange((payments, written) => void events.emit('eventsWritten', payments, written));
      const detach = team.attach(log);
      const stopSending = sendListProgress(log, { notify });
      return async () => {
        stop();
        stopSending();
        await detach();
      };
    },
    stateChanged,
  );
  const gateway = sendWhileHere(recordOutages(given.gateway, appLog, clock), requester);
  const parts: AppDependencies = {
    ...given,
    clock,
    notify,
    team,
    gateway,
    settings: withoutSignedIn(settings),
    requester,
    get systemLocale() {
      return systemLocale;
    },
    get log() {
      return team.log(logManager.current());
    },
  };
  const passwords = createCredentialCache(parts.credentials, appLog.addSecret);
  const people = createTeamPeople(
    { ...given, team, clock, requester, systemLocale: () => systemLocale },
    passwords,
  );
  const lock = createLockScreen(
    settings,
    session,
    () => systemLocale,
    () => people.sharing()?.arePeopleShared === true && !team.isConnected(),
  );
  const cancellations = createCancellationRegistry();
  const appState = createAppState(parts, events, session, logManager);
  const { publish } = appState;

  /** Folders that a person chose in the system's dialog. */
  const chosenFolders = new Set<string>();

  // Features
  const activity = createActivityFeature(parts, events, completed);
  const callbacks = createCallbacksFeature(parts, events, passwords, publish);
  const { reverify, listeners } = callbacks;
  const followReceiver = listeners.follow;
  const sandbox = createSandboxFeature(parts, passwords, listeners, publish);
  const settingsFeature = createSettingsFeature(parts, events, {
    session,
    lock,
    people,
    passwords,
    publish,
    notifyAlways: given.notify,
    followReceiver,
    reverify,
    chosenFolders,
  });
  const { confirmOther, showLock, checked } = settingsFeature;
  const profileHealth = settingsFeature.handlers['profiles.health'];
  const health = createHealth(parts, events, profileHealth, appState.read);
  const paymentLog = createPaymentLogFeature(parts, events, {
    logManager,
    heads,
    activityLog: activity.log,
    publish,
  });
  const orders = createPaymentMutex();
  const payments = createPaymentsFeature(parts, events, { passwords, cancellations, orders });
  const connection = { handlers: createCheckHandlers(parts, passwords, checked) };
  const operations = createOperationHandlers(parts, {
    passwords,
    cancellations,
    lookUp: payments.lookUp,
    orders,
    session,
    confirmOther,
  });
  const refunds = createRefundRun(parts, operations);
  const drafts = createDraftsFeature(parts, events, session);
  const reports = createReportsFeature(parts, heads, cancellations);
  const customers = { handlers: createCustomerHandlers(parts, cancellations) };
  const scheduledExport = createScheduledExportFeature(
    parts,
    events,
    { files: reports.files, activityLog: activity.log, chosenFolders },
    publish,
  );
  const review = { handlers: createReviewHandlers(parts, session) };
  const transfer = { handlers: createTransferHandlers(parts, passwords, followReceiver, publish) };
  const teamFeature = createTeamFeature(parts, events, {
    people,
    session,
    activityLog: activity.log,
    logManager,
    heads,
    publish,
    showLock,
    followReceiver,
  });
  const desktop = createDesktopFeature(parts, events, session.isLeft, personalAlerts);
  const alerts = createAlertsFeature(parts, events, {
    personal: personalAlerts,
    session,
    deepLinks: desktop.deepLinks,
    receiver: () => listeners.health(),
    hasExportFailed: () => scheduledExport.state().problem !== null,
    publish,
  });
  const work = createRunningWork({
    'lookUps.start': payments.isLookingUpMany,
    'refunds.start': refunds.isRunning,
    'callbacks.storeFile': callbacks.isStoringFile,
    'scheduledExport.run': () => scheduledExport.isRunning(),
  });
  const updates = createUpdates(parts, activity.log, events, { isBusy: () => work.isRunning(), publish });
  appState.connect({
    alertChoices: personalAlerts.choices,
    receiver: () => listeners.health(),
    watchedProfiles: payments.watchedProfiles,
    sandbox: sandbox.state,
    sharing: () => people.sharing(),
    updates: () => updates.state(),
    scheduledExport: () => scheduledExport.state(),
    log: paymentLog.state,
  });

  // Requests
  const ruled = applyRules(
    {
      ...appState.handlers,
      ...activity.handlers,
      ...callbacks.handlers,
      ...sandbox.handlers,
      ...settingsFeature.handlers,
      ...health.handlers,
      ...paymentLog.handlers,
      ...payments.handlers,
      ...drafts.handlers,
      ...connection.handlers,
      ...operations,
      ...createMovementHandlers(parts),
      ...refunds.handlers,
      ...reports.handlers,
      ...createStatementHandlers(parts, reports.files),
      ...scheduledExport.handlers,
      ...review.handlers,
      ...customers.handlers,
      ...transfer.handlers,
      ...teamFeature.handlers,
      ...desktop.handlers,
      ...alerts.handlers,
      ...updates.handlers,
    },
    { settings, session, requester, activityLog: activity.log, work },
  );
  const idleLock = createIdleLock(
    given,
    session,
    reason => void ruled.handlers['agents.signOut']({ resume: null, reason }),
  );

  /** In the order of their start; they are stopped in the reverse order. */
  const all: readonly Part[] = [
    // What the others write until their end is still forwarded, saved and stored.
    { stop: () => settings.close() },
    { stop: () => logManager.close() },
    { stop: () => gateway.close() },
    // The merchant's listener first: the sandbox uses any free port, and must not take the one that a gateway uses.
    callbacks,
    sandbox,
    settingsFeature,
    health,
    {
      start: async () => {
        systemLocale = await given.systemLocale;
      },
    },
    appState,
    activity,
    paymentLog,
    payments,
    drafts,
    scheduledExport,
    teamFeature,
    desktop,
    alerts,
    updates,
    idleLock,
  ];
  await startParts(all, blocked !== null);

  return {
    ...ruled,
    daily: paymentLog.daily,
    deepLinks: desktop.deepLinks,
    holdUpdate: () => updates.hold(),
    stageUpdate: () => updates.atQuit(),
    close: () => stopParts(all),
  };
};
