import type * as z from 'zod';
import type { Result } from '../errors.ts';
import { appEvents, appRequests } from './app-requests.ts';
import { settingsRequests } from './settings-requests.ts';
import { alertEvents, alertRequests } from './alert-requests.ts';
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
import { sandboxRequests } from './sandbox-requests.ts';
import { statementRequests } from './statement-requests.ts';
import { paymentLogEvents, paymentLogRequests } from './payment-log-requests.ts';
import { teamEvents, teamRequests } from './team-requests.ts';
import type { RequestRules } from './define-request.ts';

export { settingsSchema, type Settings } from '../settings/settings.ts';
export type { CertificateFacts, ReceiverHealth } from '../callbacks/receiver-health.ts';
export { sandboxFaultSchema, type SandboxFault, sandboxFaults } from '../sandbox-faults.ts';
export { lockSchema, type AppState, type Lock } from './app-state.ts';
export type { TeamStanding } from '../team/team-standing.ts';
export type { HealthCheck, HealthState } from '../health/health.ts';
export type { NavigationTarget } from './app-requests.ts';
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
