import * as z from 'zod';
import type { Result } from '../errors.ts';
import { activityRequests, agentRequests } from './agent-requests.ts';
import { profileRequests } from './profile-requests.ts';
import { findRequests, paymentEvents, paymentRequests } from './payments/payment-requests.ts';
import { draftRequests, templateRequests } from './payments/draft-requests.ts';
import { customerRequests } from './payments/customer-requests.ts';
import { operationRequests } from './payments/operation-requests.ts';
import { refundRunEvents, refundRunRequests } from './payments/refund-run-requests.ts';
import { lookUpEvents, lookUpRequests, reviewRequests } from './payments/look-up-requests.ts';
import { reportEvents, reportRequests, scheduledExportRequests } from './report-requests.ts';
import { callbackEvents, callbackRequests, receiverRequests } from './callback-requests.ts';
import { statementRequests } from './statement-requests.ts';
import { paymentLogEvents, paymentLogRequests, verifyReportSchema } from './payment-log-requests.ts';
import { defineRequest, emptySchema, orderNumber, profileId, type RequestRules } from './define-request.ts';
import { maxShownAlerts } from '../alerts/alert.ts';
import { alertChoicesSchema, alertSchema } from '../alerts/alert.schema.ts';
import { appStateSchema, lockSchema } from './app-state.ts';
import { sandboxFaults } from '../sandbox-faults.ts';
import { statementDialects } from '../sandbox-statements.ts';
import { maxStoredViews } from '../settings/saved-view.ts';
import { savedViewSchema, settingsSchema } from '../settings/settings.ts';
import { importPreviewSchema } from '../administration/settings-transfer.ts';
import { pinSchema } from '../agents/agent.ts';
import { joinStepSchema } from '../team/join-check.ts';
import { sharingPlanSchema } from '../team/sharing.ts';
import { teamStandingSchema } from '../team/team-standing.ts';
import { maxSearchText } from '../max-search-text.ts';
import { lockReasons } from '../activity/activity.ts';
import { healthSchema } from '../health/health.ts';

const navigationTargetSchema = z.discriminatedUnion('screen', [
  z.object({ screen: z.literal('payment'), profileId, orderNumber }),
  z.object({ screen: z.literal('payments'), words: z.string().max(maxSearchText).optional() }),
  z.object({ screen: z.literal('reconciliation') }),
  z.object({ screen: z.literal('new') }),
  z.object({ screen: z.literal('settings'), section: z.enum(['receiver', 'data']), id: z.null() }),
]);
export type NavigationTarget = z.infer<typeof navigationTargetSchema>;

/** Requests about the console itself, its health and its updates. */
const appRequests = {
  'app.read': defineRequest(
    'Everything that the first screen needs; refused while the console is locked.',
    { right: 'everyone', effect: 'none', whileBlocked: true },
    emptySchema,
    appStateSchema,
  ),
  'app.lock': defineRequest(
    'Whether the console is locked, and the data of the lock screen: no payment, profile or address.',
    { right: 'everyone', effect: 'none', whileLocked: true, whileBlocked: true },
    emptySchema,
    lockSchema,
  ),
  'app.takePendingNavigation': defineRequest(
    'The pending navigation target from a deep link, a notification or the tray; returned once.',
    { right: 'everyone', effect: 'none', whileBlocked: true },
    emptySchema,
    z.object({ target: navigationTargetSchema.nullable() }),
  ),
  'app.reportError': defineRequest(
    'Write an error of the renderer to the application log; `reference` identifies the record, null if the limit was reached.',
    { right: 'everyone', effect: 'none', whileLocked: true, whileBlocked: true },
    z.object({
      kind: z.enum(['error', 'rejection', 'render']),
      name: z.string().max(100),
      message: z.string().max(2_000),
      stack: z.string().max(16_000).nullable(),
    }),
    z.object({ reference: z.string().nullable() }),
  ),
  'app.showLog': defineRequest(
    "Show the application log in the system's file manager.",
    { right: 'everyone', effect: 'none', whileBlocked: true },
    emptySchema,
    emptySchema,
  ),
  'health.read': defineRequest(
    'The health of this installation, check by check, with what to do; also printed by `counterfoil --status`.',
    { right: 'everyone', effect: 'none' },
    emptySchema,
    healthSchema,
  ),
  'updates.check': defineRequest(
    'Begin to ask the configured server for a new version; the state says when it is done.',
    { right: 'settings', effect: 'none' },
    emptySchema,
    appStateSchema,
  ),
  'updates.restart': defineRequest(
    'Close the console, install the new version and start it; `update.busy` while something is running.',
    { right: 'everyone', effect: 'none' },
    emptySchema,
    emptySchema,
  ),
} as const;

/** Events of this area. */
const appEvents = {
  'app.changed': appStateSchema,
  'app.locked': lockSchema,
  /** The window shall lock itself now, as by its shortcut: a typed form is kept. */
  'app.lockRequested': z.object({ reason: z.enum(lockReasons) }),
  /** A navigation target is pending; the event does not name it, since the console may be locked. */
  'navigation.pending': emptySchema,
} as const;

/** A joining text contains the password of the account, and is never returned. */
const joiningText = z.string().max(120_000);

/** Requests about the payment log that several installations share. */
const teamRequests = {
  'team.check': defineRequest(
    'Check the server of a join code step by step; changes nothing.',
    { right: 'settings', effect: 'none' },
    z.object({ text: joiningText }),
    z.object({ server: z.string(), role: z.string(), steps: z.array(joinStepSchema), canJoin: z.boolean() }),
  ),
  'team.join': defineRequest(
    'Join the shared payment log of a join code: from now on, every event of this installation is sent.',
    { right: 'settings', effect: 'write', recorded: 'required' },
    z.object({ text: joiningText }),
    appStateSchema,
  ),
  'team.plan': defineRequest(
    'The people of the team, and what of this installation the team lacks.',
    { right: 'settings', effect: 'none' },
    emptySchema,
    sharingPlanSchema,
  ),
  'team.share': defineRequest(
    'From now on, profiles and people are those of the team. `adding`: profiles and people of this installation are added to it, people confirmed by an administrator of the team if it has one.',
    { right: 'settings', effect: 'write', recorded: 'required' },
    z.object({
      adding: z.object({ person: z.uuid().nullable(), pin: pinSchema.nullable() }).nullable(),
    }),
    appStateSchema,
  ),
  'team.verify': defineRequest(
    'Compare the chain of this installation with the shared payment log, verify the chains of all installations there, and rebuild the list of payments, comparing.',
    { right: 'log', effect: 'none' },
    emptySchema,
    z.object({ isComplete: z.boolean(), report: verifyReportSchema }),
  ),
  'team.beginChain': defineRequest(
    'Continue as a new installation after another copy of this one has written to the shared payment log (`log.fork`).',
    { right: 'settings', effect: 'write', recorded: 'required' },
    emptySchema,
    appStateSchema,
  ),
  'team.leave': defineRequest(
    'Leave the shared payment log: nothing more is passed on; what is there stays, and so does the payment log of this PC.',
    { right: 'settings', effect: 'write', recorded: 'required' },
    emptySchema,
    appStateSchema,
  ),
} as const;

/** Events of this area. */
const teamEvents = {
  'team.changed': z.object({ standing: teamStandingSchema.nullable() }),
} as const;

const settingsChangeSchema = settingsSchema
  .omit({ agent: true })
  .partial()
  .extend({
    /** All views that the signed-in person sees; those of other people stay. More than `maxViews` only if there were. */
    views: z.array(savedViewSchema).max(maxStoredViews).optional(),
    /** The address at which the user agreed to open the receiver to other computers. */
    confirmedHost: z.string().max(255).optional(),
  });

/** Requests about the settings. */
const settingsRequests = {
  'settings.change': defineRequest(
    'Change some settings; the others stay. `agents.signIn` changes the signed-in agent.',
    {
      right: 'settings',
      rightDependsOnInput: true,
      effect: 'write',
      recorded: 'required',
      fixedByPolicy: true,
    },
    settingsChangeSchema,
    appStateSchema,
  ),
  'settings.dismissRecovery': defineRequest(
    'Dismiss the message about settings that the last start could not read.',
    { right: 'settings', effect: 'write', recorded: 'no' },
    emptySchema,
    appStateSchema,
  ),
  'settings.continueWithoutTeam': defineRequest(
    'After `settings.team-lost`: use the settings without the team, and start the console again.',
    { right: 'everyone', effect: 'write', recorded: 'no', whileBlocked: true },
    emptySchema,
    emptySchema,
  ),
  'settings.export': defineRequest(
    'Write settings and profiles, without passwords, into a file that the user chooses; null if they cancelled.',
    { right: 'settings', effect: 'export', recorded: 'required' },
    emptySchema,
    z.object({ file: z.string().nullable() }),
  ),
  'settings.previewImport': defineRequest(
    'What the settings file that the user chooses would change; changes nothing. Null if they cancelled.',
    { right: 'settings', effect: 'none' },
    emptySchema,
    z.object({ preview: importPreviewSchema.nullable() }),
  ),
  'settings.import': defineRequest(
    'Apply a previewed settings file, all of it or nothing; passwords are entered afterwards.',
    { right: 'settings', effect: 'write', recorded: 'required' },
    z.object({ id: z.uuid() }),
    appStateSchema,
  ),
} as const;

/** Requests about the sandbox gateway. */
const sandboxRequests = {
  'sandbox.faults': defineRequest(
    'Select the faults that the sandbox gateway simulates.',
    { right: 'links', effect: 'none' },
    z.object({ faults: z.array(z.enum(sandboxFaults)).max(sandboxFaults.length) }),
    emptySchema,
  ),
  'sandbox.resend': defineRequest(
    "Send an order's callbacks again, as the gateway's dashboard can (§6.2).",
    { right: 'links', effect: 'write', recorded: 'no' },
    z.object({ orderNumber }),
    z.object({ sent: z.int() }),
  ),
  'sandbox.writeStatement': defineRequest(
    'Write a statement of the sandbox’s payments of the last 45 days, with a difference of each kind, to a file that the user chooses; `file` is null if they cancelled.',
    { right: 'export', effect: 'export', recorded: 'required' },
    z.object({ dialect: z.enum(statementDialects) }),
    z.object({ file: z.string().nullable(), payments: z.int() }),
  ),
  'sandbox.openDashboard': defineRequest(
    "Open the sandbox's dashboard in the browser.",
    { right: 'links', effect: 'none' },
    emptySchema,
    emptySchema,
  ),
} as const;

/** Requests about the alerts of the signed-in person. */
const alertRequests = {
  'alerts.read': defineRequest(
    'The latest alerts of the signed-in person, newest first, and which of them they have seen.',
    { right: 'everyone', effect: 'none' },
    emptySchema,
    z.object({ alerts: z.array(alertSchema).max(maxShownAlerts) }),
  ),
  'alerts.markSeen': defineRequest(
    'Mark alerts as seen by the signed-in person.',
    { right: 'everyone', effect: 'write', recorded: 'no' },
    z.object({ ids: z.array(z.string().max(400)).max(maxShownAlerts) }),
    emptySchema,
  ),
  'alerts.choose': defineRequest(
    'Choose where the signed-in person sees each kind of alert, and their quiet hours, which a policy may fix.',
    { right: 'everyone', effect: 'write', recorded: 'no' },
    alertChoicesSchema,
    appStateSchema,
  ),
} as const;

/** Events of this area. */
const alertEvents = {
  /** The alerts of the signed-in person may have changed. */
  'alerts.changed': emptySchema,
} as const;

export { settingsSchema, type Settings } from '../settings/settings.ts';
export type { CertificateFacts, ReceiverHealth } from '../callbacks/receiver-health.ts';
export { type SandboxFault, sandboxFaults } from '../sandbox-faults.ts';
export { lockSchema, type AppState, type Lock } from './app-state.ts';
export type { TeamStanding } from '../team/team-standing.ts';
export type { HealthCheck, HealthState } from '../health/health.ts';
export type { ActivityFilter, ActivityRow } from './agent-requests.ts';
export type { Resume } from './agent-requests.ts';
export type { CheckStep, DryRun } from './profile-requests.ts';
export {
  type PaymentDetail,
  type PaymentTotals,
  paymentFilterSchema,
  type PaymentFilter,
  type PaymentPage,
  type ListedPage,
  type NewPayment,
} from './payments/payment-requests.ts';
export type { DraftsKept, StoredDraft } from './payments/draft-requests.ts';
export type { FoundPayments } from './payments/payment-requests.ts';
export type {
  BegunOperation,
  OpenOperation,
  OperationOffer,
  PaymentSeries,
} from './payments/operation-requests.ts';
export type { RefundResult, RefundRun } from './payments/refund-run-requests.ts';
export type { ReconciliationPage } from './report-requests.ts';
export type { VerifyReport, RestoreCandidate } from './payment-log-requests.ts';

/**
 * The contract between the processes: every request with its rules, and every event, once, with one file for each area.
 * The preload's allow-list, main's handlers and their order of checks, the renderer's client and the table in
 * docs/build/contract.md are derived from it.
 */
export const ipcRequests = {
  ...appRequests,
  ...settingsRequests,
  ...agentRequests,
  ...activityRequests,
  ...alertRequests,
  ...profileRequests,
  ...paymentRequests,
  ...draftRequests,
  ...customerRequests,
  ...findRequests,
  ...operationRequests,
  ...refundRunRequests,
  ...lookUpRequests,
  ...reportRequests,
  ...statementRequests,
  ...scheduledExportRequests,
  ...templateRequests,
  ...callbackRequests,
  ...receiverRequests,
  ...reviewRequests,
  ...sandboxRequests,
  ...paymentLogRequests,
  ...teamRequests,
} as const;

export type RequestName = keyof typeof ipcRequests;
export const requestNames = Object.keys(ipcRequests) as RequestName[];
export type RequestInput<N extends RequestName> = z.input<(typeof ipcRequests)[N]['input']>;
/** A handler's input: validated, with defaults. */
export type RequestParsed<N extends RequestName> = z.output<(typeof ipcRequests)[N]['input']>;
export type RequestOutput<N extends RequestName> = z.output<(typeof ipcRequests)[N]['output']>;

/** The rules of a request. */
export const rulesOf = (name: RequestName): RequestRules => ipcRequests[name].rules;
/** The requests whose declaration contains these rules. */
export type RequestNameWith<R extends Partial<RequestRules>> = {
  [N in RequestName]: (typeof ipcRequests)[N]['rules'] extends R ? N : never;
}[RequestName];

/** Events that main sends to the renderer. While the console is locked, only `app.locked`. */
export const ipcEvents = {
  ...appEvents,
  ...alertEvents,
  ...paymentEvents,
  ...refundRunEvents,
  ...lookUpEvents,
  ...reportEvents,
  ...callbackEvents,
  ...paymentLogEvents,
  ...teamEvents,
} as const;
export type IpcEventName = keyof typeof ipcEvents;
export const ipcEventNames = Object.keys(ipcEvents) as IpcEventName[];
export type IpcEvent<N extends IpcEventName> = z.output<(typeof ipcEvents)[N]>;

/** The object that the preload adds to `window`. */
export type IpcApi = {
  request<N extends RequestName>(name: N, input: RequestInput<N>): Promise<Result<RequestOutput<N>>>;
  /** Returns the function that unsubscribes. */
  subscribe<N extends IpcEventName>(name: N, listener: (payload: IpcEvent<N>) => void): () => void;
};

/** A request without a handler does not compile. */
export type Handlers = {
  [N in RequestName]: (input: RequestParsed<N>) => Promise<Result<RequestOutput<N>>>;
};
