import type { IpcEvent, IpcEventName } from '../../../shared/contract/contract.ts';
import type { Result } from '../../../shared/errors.ts';
import type { UpdateObstacle } from '../../../shared/updates/update-state.ts';
import type { AppLog } from '../../app-log/app-log.ts';
import type { StartReceiver } from '../../callbacks/receiver.ts';
import type { CredentialStore } from '../../credentials/credential-store.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import type { OpenLog, PaymentLog } from '../../payment-log/payment-log.ts';
import type { StartSandbox } from '../../sandbox/sandbox.ts';
import type { SharedLogClient } from '../../team/shared-log-client.ts';
import type { Team } from '../../team/team.ts';
import type { SettingsStore } from '../../settings/settings-store.ts';
import type { Installer } from '../../updates/installer.ts';
import type { AppSettings } from './app-settings.ts';
import type { Requester } from './requester.ts';
import type { System } from './system.ts';
import { EventEmitter } from 'node:events';
import type { Event } from '../../../shared/payments/evidence.ts';
import type { PaymentKey } from '../../../shared/payments/payment-row.ts';

/**
 * A handler that needs the payment log. While the log cannot be opened, it returns the error of opening it.
 * `parts`: read at each request, because the log may be replaced.
 */
export const withPaymentLog =
  <Input, Output>(
    parts: { readonly log: Result<PaymentLog> },
    handle: (log: PaymentLog, input: Input) => Promise<Result<Output>>,
  ) =>
  async (input: Input): Promise<Result<Output>> =>
    parts.log.ok ? handle(parts.log.value, input) : parts.log;

/** Events inside the application layer. Listeners run in the order in which they were added. */
export type AppEvents = EventEmitter<{
  /** A part of the state that the window shows has changed. */
  stateChanged: [];
  /** The state was sent to the window. */
  statePublished: [];
  /** The correction of the clock by the shared payment log's server has changed. */
  clockCorrected: [];
  /** Other installations wrote events to the shared payment log; `payments` null: too many to name. */
  eventsElsewhere: [payments: readonly PaymentKey[] | null, events: readonly Event[]];
  /** The same events, once it is known which payments this installation has written about itself. */
  eventsElsewhereSorted: [
    { ownPayments: readonly PaymentKey[]; own: readonly Event[]; others: readonly Event[] },
  ];
  /** The console was locked. */
  locked: [];
  /** Events were written to the payment log of this installation; `payments` null: any payment may have changed. */
  eventsWritten: [payments: readonly PaymentKey[] | null, events: readonly Event[]];
}>;

/** The hub through which parts react to each other without importing each other. */
export const createAppEvents = (): AppEvents => new EventEmitter();

/** The dependencies of the application layer; none of them uses Electron. */
export type AppDependencies = {
  version: string;
  host: string;
  /** BCP 47. */
  systemLocale: string;
  settings: AppSettings;
  requester: Requester;
  /** The current log. A log that could not be opened is a state that the window shows, not a crash. */
  readonly log: Result<PaymentLog>;
  logFile: string;
  credentials: CredentialStore;
  gateway: Gateway;
  sharedLogs: SharedLogClient;
  /** The other installations, if this one has joined a shared payment log. */
  team: Team;
  startReceiver: StartReceiver;
  startSandbox: StartSandbox;
  system: System;
  /** What installs new versions; loaded at the first check. `obstacle`: why it cannot. */
  updates: { obstacle: UpdateObstacle | null; load: () => Promise<Installer> };
  notify<N extends IpcEventName>(name: N, payload: IpcEvent<N>): void;
  /** Milliseconds since 1970. */
  clock: () => number;
  /** Failures, for the administrator of this PC. */
  appLog: AppLog;
};

/**
 * The options of the application layer. It opens and reopens the log itself. The system's language is known only once
 * the application is ready, and nothing else waits for it.
 */
export type AppOptions = Omit<AppDependencies, 'log' | 'systemLocale' | 'team' | 'settings' | 'requester'> & {
  settings: SettingsStore;
  openLog: OpenLog;
  systemLocale: Promise<string>;
};
