import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAppLog } from '../../main/app-log/app-log.ts';
import { setFailureSink } from '../../main/app-log/failure-report.ts';
import { startReceiver } from '../../main/callbacks/start-receiver.ts';
import { openCredentialStore } from '../../main/credentials/keychain.ts';
import { createApp } from '../../main/app/create-app.ts';
import type { Notification, Tray } from '../../main/app/common/system.ts';
import { createGateway } from '../../main/gateway/create-gateway.ts';
import type { Gateway } from '../../main/gateway/gateway.ts';
import { followedLog } from '../../main/app/team/followed-log.ts';
import { openPaymentLog } from '../../main/payment-log/list/open-payment-log.ts';
import { startSandbox } from '../../main/sandbox/start-sandbox.ts';
import { withPolicy } from '../../main/policy/managed-settings.ts';
import { readPolicy } from '../../main/policy/read-policy.ts';
import { openSettings } from '../../main/settings/settings-store.ts';
import type { Installer } from '../../main/updates/installer.ts';
import { sharedLogClient } from '../../main/team/shared-log-client.ts';
import {
  ipcRequests,
  type RequestInput,
  type RequestName,
  type RequestOutput,
  type RequestParsed,
  type NewPayment,
  type IpcEventName,
  type PaymentDetail,
} from '../../shared/contract/contract.ts';
import type { Result } from '../../shared/errors.ts';
import type { Role } from '../../shared/agents/roles.ts';
import { profileDefaults, type ProfileDraft } from '../../shared/settings/profile.ts';
import { writeClosedLog } from './closed-log.ts';
import { timeoutMs } from './running-payment-log.ts';
import type { EventDraft } from '../../shared/payments/evidence.ts';
import type { Payment, PaymentState } from '../../shared/payments/payment.ts';

type TestApp = Awaited<ReturnType<typeof startTestApp>>;

/** The console without its window: every real part, in a separate folder. */
export const startTestApp = async (
  folder = mkdtempSync(join(tmpdir(), 'counterfoil-app-')),
  {
    clock = () => Date.now(),
    policyFile = `${folder}-policy.json`,
    version = '0.0.0',
    gateway = createGateway({ clock: Date.now }),
    loadInstaller,
    evidence = [],
    isInTime = false,
  }: {
    clock?: () => number;
    policyFile?: string;
    version?: string;
    gateway?: Gateway;
    /** Makes updates possible. */
    loadInstaller?: () => Promise<Installer>;
    /** What its payment log has before it starts, of another installation; `isInTime`: as `writeClosedLog` has it. */
    evidence?: readonly EventDraft[];
    isInTime?: boolean;
  } = {},
) => {
  const saved = `${folder}-saved`;
  mkdirSync(saved, { recursive: true });
  const policy = readPolicy(policyFile, join(folder, 'policy.last.json'));
  const settings = withPolicy(openSettings(join(folder, 'settings.json'), 'anna'), policy);
  const logFile = join(folder, 'payments.db');
  if (evidence.length > 0) await writeClosedLog(logFile, evidence, { isInTime });
  const appLog = openAppLog(join(folder, 'logs', 'app.log'));
  setFailureSink(appLog.fail);
  const listeners = new Set<() => void>();
  /** The events sent to the window, by name. */
  const notices: { name: IpcEventName; notice: unknown }[] = [];
  let filesToOpen: (string | null)[] = [];
  let filesToSave: (string | null)[] = [];
  const copied: string[] = [];
  /** The pages that were printed into a PDF. */
  const printed: string[] = [];
  const opened: string[] = [];
  const outside: {
    notifications: (Notification & { press: () => void })[];
    tray: Tray | null;
    reloads: number;
    restarts: number;
    /** What a person was asked outside the page: the message's key and its address; and what they answer. */
    asked: string[];
    answer: boolean;
    startsAtLogin: boolean;
    idleSeconds: number;
    lockSystem: () => void;
  } = {
    notifications: [],
    tray: null,
    reloads: 0,
    asked: [],
    answer: true,
    restarts: 0,
    startsAtLogin: false,
    idleSeconds: 0,
    lockSystem: () => undefined,
  };
  const app = await createApp({
    version,
    host: 'node',
    systemLocale: Promise.resolve('en-GB'),
    settings,
    openLog: onStateError =>
      openPaymentLog({
        file: logFile,
        writer: settings.read().chain ?? settings.read().installation,
        onStateError,
        timeoutMs,
        followed: followedLog(settings),
      }),
    logFile,
    credentials: openCredentialStore({ service: `Counterfoil test ${settings.read().installation}` }),
    gateway,
    sharedLogs: sharedLogClient,
    startReceiver,
    startSandbox,
    updates: {
      obstacle: loadInstaller ? null : 'not-installed',
      load: loadInstaller ?? (() => Promise.reject(new Error('no installer'))),
    },
    system: {
      copyText: text => copied.push(text),
      chooseSaveFile: async name =>
        filesToSave.length > 0 ? (filesToSave.shift() ?? null) : join(saved, name),
      chooseOpenFile: async () => filesToOpen.shift() ?? null,
      chooseFolder: async () => filesToOpen.shift() ?? null,
      confirm: async ({ key, values }) => {
        outside.asked.push(JSON.stringify([key, values]));
        return outside.answer;
      },
      openExternal: async url => {
        opened.push(url);
        return { ok: true, value: undefined };
      },
      printToPdf: async html => {
        printed.push(html);
        return Buffer.from(`%PDF ${html}`);
      },
      showInFolder: file => {
        opened.push(file);
      },
      showNotification: (notification, onPress) => {
        outside.notifications.push({ ...notification, press: onPress });
      },
      isSandboxed: true,
      canStartAtLogin: true,
      setStartAtLogin: isEnabled => {
        outside.startsAtLogin = isEnabled;
      },
      idleSeconds: () => outside.idleSeconds,
      onSystemLock: listener => {
        outside.lockSystem = listener;
        return () => undefined;
      },
      restart: () => {
        outside.restarts += 1;
      },
      reloadWindow: () => {
        outside.reloads += 1;
      },
      showTray: tray => {
        outside.tray = tray;
      },
    },
    notify: (name, payload) => {
      notices.push({ name, notice: payload });
      for (const listener of listeners) listener();
    },
    clock,
    appLog,
  });

  const request = async <N extends RequestName>(
    name: N,
    input: RequestInput<N>,
  ): Promise<Result<RequestOutput<N>>> => {
    const handler = app.handlers[name];
    return handler(ipcRequests[name].input.parse(input) as RequestParsed<N>);
  };

  /** Resolves with the payment once it satisfies the condition; driven by the console's own events. */
  const until = (orderNumber: string, holds: (payment: Payment) => boolean): Promise<PaymentDetail> =>
    new Promise((resolve, reject) => {
      const look = async (): Promise<void> => {
        const read = await request('payments.read', { profileId: 'sandbox', orderNumber });
        if (!read.ok || !holds(read.value.payment)) return;
        listeners.delete(again);
        resolve(read.value);
      };
      const again = (): void => {
        look().catch(reject);
      };
      listeners.add(again);
      again();
    });

  /** Ends with the application log on disk: nothing is written into the folder afterwards. */
  const close = async (): Promise<void> => {
    await app.close();
    await appLog.flush();
  };

  return {
    folder,
    policyFile,
    /** The path of exports unless `willSave` sets another. */
    saved,
    logFile,
    copied,
    printed,
    opened,
    notices,
    handlers: app.handlers,
    request,
    /** The value of a request; throws the code of its error. */
    value: async <N extends RequestName>(name: N, input: RequestInput<N>): Promise<RequestOutput<N>> =>
      value(await request(name, input)),
    /** What the window shows of settings, profiles, people and the payment log. */
    state: async (): Promise<RequestOutput<'app.read'>> => value(await request('app.read', {})),
    /** A payment with its evidence. */
    read: async (orderNumber: string, profileId = 'sandbox'): Promise<PaymentDetail> =>
      value(await request('payments.read', { profileId, orderNumber })),
    /** A new payment of the sandbox that was paid. */
    paid: async (changes: Partial<NewPayment> = {}): Promise<Payment> => {
      const { payment } = value(await request('payments.create', newPayment(changes)));
      await press(payment);
      return (await until(payment.orderNumber, inState('paid-confirmed'))).payment;
    },
    /** Adds a person; `oldPin`: of the administrator who does. */
    addPerson: async (
      name: string,
      role: Role = 'agent',
      pin: string | null = null,
      oldPin: string | null = null,
    ) => value(await request('agents.save', { id: null, name, role, pin, oldPin })),
    /** Signs in the first person, who has no PIN, and removes the others that have none. */
    backToFirst: async (): Promise<void> => {
      const [first, ...others] = value(await request('app.lock', {})).agents;
      value(await request('agents.signIn', { id: first?.id ?? '', pin: null }));
      for (const { id, hasPin } of others)
        if (!hasPin) value(await request('agents.remove', { id, pin: null }));
    },
    /** The code of a request's error; throws if the request succeeds. */
    refusal: async <N extends RequestName>(name: N, input: RequestInput<N>): Promise<string> => {
      const answer = await request(name, input);
      if (answer.ok) throw new Error(`${name} succeeded`);
      return answer.error.code;
    },
    until,
    /** The records of the application log so far. */
    appLog: async (): Promise<string> => {
      await appLog.flush();
      return existsSync(appLog.file) ? readFileSync(appLog.file, 'utf8') : '';
    },
    daily: () => app.daily(),
    openAddress: (text: string) => app.deepLinks.openAddress(text),
    /** The requests to the operating system. */
    outside,
    /** The files that a user chooses in dialogs, in turn; further dialogs are cancelled. */
    willOpen: (...files: (string | null)[]): void => {
      filesToOpen = files;
    },
    /** The paths that a user chooses for saving, in turn. */
    willSave: (...files: (string | null)[]): void => {
      filesToSave = files;
    },
    close,
    remove: async () => {
      await close();
      rmSync(folder, { recursive: true, force: true });
      rmSync(saved, { recursive: true, force: true });
      rmSync(policyFile, { force: true });
    },
  };
};

/** The value of a request; throws the code of its error. */
export const value = <T>(result: { ok: true; value: T } | { ok: false; error: { code: string } }): T => {
  if (!result.ok) throw new Error(result.error.code);
  return result.value;
};

/** A merchant's test profile. */
export const shopProfile: ProfileDraft = {
  ...profileDefaults,
  successUrl: 'https://shop.test/thank-you?order={order}',
  cancelUrl: 'https://shop.test/cancelled?order={order}',
  name: 'Shop',
  kind: 'test',
  baseUrl: 'https://pay.example.com',
  merchantKey: 'shop-key',
};

/** Adds a merchant's test profile; resolves to its id. */
export const addShop = async (
  app: Pick<TestApp, 'value'>,
  changes: Partial<ProfileDraft> = {},
  password = 'correct horse',
): Promise<string> => {
  const profile = { ...shopProfile, ...changes };
  return (await app.value('profiles.save', { id: null, profile, password, thisRunOnly: true })).id;
};

/** Turns the receiver on; resolves to its address for a profile, empty if it does not listen. */
export const openReceiver = async (
  app: Pick<TestApp, 'value' | 'state'>,
  profileId: string,
  changes: { quarantine?: number; port?: number; host?: string } = {},
): Promise<string> => {
  const { settings } = await app.state();
  const { receiver } = await app.value('settings.change', {
    receiver: { ...settings.receiver, enabled: true, ...changes },
    ...(changes.host === undefined ? {} : { confirmedHost: changes.host }),
  });
  return receiver.addresses.find(one => one.profileId === profileId)?.url ?? '';
};

/** A completed form. */
export const newPayment = (changes: Partial<NewPayment> = {}): RequestInput<'payments.create'> => ({
  profileId: 'sandbox',
  idempotencyKey: crypto.randomUUID(),
  amount: '123.40',
  currency: 'EUR',
  orderNumber: `T-${crypto.randomUUID().slice(0, 8)}`,
  description: 'Two nights, room 12',
  locale: 'en-GB',
  ...changes,
});

/** Presses a scenario's button on the payment page of a link, like a payer. */
export const press = (payment: Pick<Payment, 'link'>, scenario = 'pay'): Promise<Response> =>
  fetch(payment.link?.url ?? '', { method: 'POST', body: new URLSearchParams({ scenario }) });

export const inState =
  (...states: PaymentState[]) =>
  (payment: Payment): boolean =>
    states.includes(payment.state);

/** Whether the sandbox's first callback has arrived, shortly after the link: the payment is then at rest. */
export const hasCallback = ({ paymentIds }: Payment): boolean => paymentIds.length > 0;

export type { TestApp };
