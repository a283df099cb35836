import type * as z from 'zod';
import type { Result } from '../errors.ts';
import { appRequests, appEvents } from './app.ts';
import { settingsRequests } from './settings.ts';
import { activityRequests } from './activity.ts';
import { agentRequests } from './agents.ts';
import { profileRequests } from './profiles.ts';
import { paymentRequests, paymentEvents } from './payments.ts';
import { lookUpRequests, lookUpEvents } from './look-ups.ts';
import { reportRequests, reportEvents } from './reports.ts';
import { templateRequests } from './templates.ts';
import { callbackRequests, callbackEvents } from './callbacks.ts';
import { receiverRequests } from './receiver.ts';
import { reviewRequests } from './review.ts';
import { sandboxRequests } from './sandbox.ts';
import { healthRequests } from './health.ts';
import { paymentLogRequests, paymentLogEvents } from './payment-log.ts';
import { teamEvents, teamRequests } from './team.ts';
import type { RequestRules } from './define-request.ts';

export { settingsSchema, type Settings } from '../settings/settings.ts';
export type { CertificateFacts, ReceiverHealth } from '../callbacks/receiver-health.ts';
export { sandboxFaultSchema, type SandboxFault, sandboxFaults } from '../sandbox-faults.ts';
export { lockSchema, type AppState, type Lock } from './app-state.ts';
export type { TeamStanding } from '../team/team-standing.ts';
export type { Health, HealthCheck, HealthState } from '../health/health.ts';
export type { NavigationTarget } from './app.ts';
export type { ActivityFilter, ActivityRow } from './activity.ts';
export type { Resume } from './agents.ts';
export type { CheckStep, DryRun } from './profiles.ts';
export {
  type PaymentDetail,
  type PaymentTotals,
  paymentFilterSchema,
  type PaymentFilter,
  type PaymentPage,
  type NewPayment,
} from './payments.ts';
export type { ReconciliationPage } from './reports.ts';
export type { VerifyReport, RestoreCandidate } from './payment-log.ts';

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
  ...profileRequests,
  ...paymentRequests,
  ...lookUpRequests,
  ...reportRequests,
  ...templateRequests,
  ...callbackRequests,
  ...receiverRequests,
  ...reviewRequests,
  ...sandboxRequests,
  ...paymentLogRequests,
  ...healthRequests,
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
  ...paymentEvents,
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
