import { dirname, join } from 'node:path';
import { paymentFilterSchema, type AppState, type Handlers } from '../../../shared/contract/contract.ts';
import { openQuarantine, type Quarantine } from '../../callbacks/store/store-callback.ts';
import { startReverifying } from '../../callbacks/store/reverify-later.ts';
import type { AppDependencies, AppEvents } from '../common/app-context.ts';
import type { CredentialCache } from '../settings/credential-cache.ts';
import { createCallbackFileHandlers } from './callback-file-handlers.ts';
import { createCallbackHandlers } from './callback-handlers.ts';
import { createCallbackListeners, type CallbackListeners } from './callback-listeners.ts';
import { ok, type Result } from '../../../shared/errors.ts';
import type { Event } from '../../../shared/payments/evidence.ts';
import { sandboxProfileId } from '../../settings/settings-store.ts';
import { getCACertificates } from 'node:tls';
import type { PaymentState } from '../../../shared/payments/payment.ts';
import { msg } from '../../../shared/messages/message.ts';
import { certificateFacts, readPems } from '../../callbacks/certificate.ts';
import { testFromOutside } from '../../callbacks/test-from-outside.ts';
import { findProfile } from '../settings/find-profile.ts';

/** States of a payment whose money went back: a gateway reports each of them by a callback (§6.1). */
const returnedStates: PaymentState[] = ['refund-seen', 'part-refunded', 'refunded'];

/** The certificates that this computer trusts: a company's own authority is not built in. */
const systemCertificates = (): string[] => [...getCACertificates('default'), ...getCACertificates('system')];

/** The requests about the receiver: its certificate, its quarantine, and a test from outside. */
const createReceiverHandlers = (
  parts: AppDependencies,
  listeners: CallbackListeners,
  quarantine: Quarantine,
  publish: () => Promise<AppState>,
) => {
  const { settings, system, clock } = parts;
  /** Servers that a person has named as their own in this run. */
  const confirmed = new Set<string>();
  return {
    'receiver.testOutside': async ({ profileId, url }) => {
      const profile = findProfile(settings, profileId);
      if (!profile.ok) return profile;
      // The request carries the secret path, and the answer shows what listens there.
      const { origin } = new URL(url);
      if (!confirmed.has(origin)) {
        const isOwn = await system.confirm(
          msg('outside.confirm', { origin }),
          msg('outside.confirm.detail'),
          msg('outside.do'),
        );
        if (!isOwn) return ok({ steps: [] });
        confirmed.add(origin);
      }
      const { mark, hasArrived, end } = listeners.expectProbe();
      const address = new URL(settings.callbackPath(profileId), url);
      const body = new URLSearchParams({ order_number: mark, type: 'test' }).toString();
      try {
        return ok({ steps: await testFromOutside(address, body, hasArrived, systemCertificates()) });
      } finally {
        end();
      }
    },
    'receiver.events': async () => {
      if (!parts.log.ok) return parts.log;
      const log = parts.log.value;
      const profiles = settings.read().profiles.filter(({ id }) => id !== sandboxProfileId);
      return ok({
        profiles: await Promise.all(
          profiles.map(async ({ id }) => {
            const filter = paymentFilterSchema.parse({ profileId: id, states: returnedStates });
            const { rows } = await log.list(filter, null, 1);
            return { profileId: id, ...(await log.callbackTypes(id)), isRefundKnown: rows.length > 0 };
          }),
        ),
      });
    },
    'receiver.chooseCertificate': async () => {
      const certificate = await system.chooseOpenFile('certificate');
      const key = certificate === null ? null : await system.chooseOpenFile('certificate');
      if (certificate === null || key === null) return ok({ certificate: null });
      const pems = await readPems({ certificate, key });
      if (!pems.ok) return pems;
      const facts = certificateFacts(pems.value, clock());
      if (!facts.ok) return facts;
      settings.change(stored => ({
        ...stored,
        settings: {
          ...stored.settings,
          receiver: { ...stored.settings.receiver, tls: { certificate, key } },
        },
      }));
      await listeners.follow();
      await publish();
      return ok({ certificate: facts.value });
    },
    'receiver.resetQuarantine': async () => {
      quarantine.resetQuarantine(parts.requester.name());
      return ok(await publish());
    },
  } satisfies Partial<Handlers>;
};

/** How long one installation verifies the callbacks of a profile for all. */
const claimMs = 60_000;
/** After this time, with a random part, callbacks that another installation was to verify are looked at. */
const retryMs = 90_000;
/** Limit of callbacks that wait. */
const maxWaiting = 5_000;
/** Callbacks that are looked at when the connection is new. */
const sweptCallbacks = 1_000;

type Received = Event & { kind: 'callback.received' };

/**
 * Verifies callbacks that another installation has stored without the password of their profile, such as an intake: one
 * installation that has it verifies them for all. `reverify` verifies callbacks of one profile and records what is valid,
 * unless that is recorded; `recent`: the last callbacks of all installations.
 */
export const createCallbackReverifier = ({
  hasPassword,
  claim,
  reverify,
  recent,
}: {
  hasPassword: (profileId: string) => Promise<boolean>;
  claim: (task: string, milliseconds: number) => Promise<boolean>;
  reverify: (profileId: string, callbacks: readonly Event[]) => Promise<Result<undefined>>;
  recent: (limit: number) => Promise<readonly Event[]>;
}) => {
  let waiting: Received[] = [];
  let timer: NodeJS.Timeout | null = null;
  let wasConnected = false;
  let isSweepDue = false;
  let isStopped = false;

  const work = async (callbacks: readonly Received[], isOverdue: boolean): Promise<void> => {
    for (const [profileId, own] of Map.groupBy(callbacks, one => one.profileId)) {
      if (profileId === sandboxProfileId || !(await hasPassword(profileId))) continue;
      // A claim postpones it: its holder may never verify.
      const isMine = isOverdue || (await claim(`verify:${profileId}`, claimMs));
      const isDone = isMine && (await reverify(profileId, own)).ok;
      if (!isDone) later(own);
    }
  };
  /** The other installation may have ended meanwhile, or the log could not be read or written. */
  const later = (callbacks: readonly Received[]): void => {
    if (isStopped) return;
    waiting = [...waiting, ...callbacks].slice(-maxWaiting);
    timer ??= setTimeout(
      () => {
        timer = null;
        verify(waiting.splice(0), true);
        if (isSweepDue) sweep();
      },
      retryMs * (1 + Math.random() / 2),
    ).unref();
  };
  const verify = (callbacks: readonly Received[], isOverdue = false): void =>
    void work(callbacks, isOverdue).catch(() => later(callbacks));
  const sweep = (): void => {
    isSweepDue = false;
    recent(sweptCallbacks)
      .then(events => verify(events.filter(isWithoutPassword)))
      .catch(() => {
        isSweepDue = true;
        later([]);
      });
  };
  const isWithoutPassword = (event: Event): event is Received =>
    event.kind === 'callback.received' && event.body.verification.verdict === 'no-password';

  return {
    /** Call it with what other installations have written. */
    onEventsElsewhere(events: readonly Event[]): void {
      const received = events.filter(isWithoutPassword);
      if (received.length > 0) verify(received);
    },
    /** Call it with every change of the connection to the shared log. */
    onConnection(isConnected: boolean): void {
      const isNew = isConnected && !wasConnected;
      wasConnected = isConnected;
      if (isNew) sweep();
    },
    stop(): void {
      isStopped = true;
      if (timer) clearTimeout(timer);
    },
  };
};

/** Callbacks: the listeners that receive them, the inspector, and files of them. */
export const createCallbacksFeature = (
  parts: AppDependencies,
  events: AppEvents,
  passwords: CredentialCache,
  publish: () => Promise<AppState>,
) => {
  const { settings, team } = parts;
  const stateChanged = (): void => void events.emit('stateChanged');
  const quarantine = openQuarantine(
    join(dirname(parts.logFile), 'quarantine.json'),
    () => settings.read().settings.receiver.quarantine,
    parts.clock,
    stateChanged,
  );
  const callbacks = createCallbackHandlers(parts, passwords, quarantine);
  const listeners = createCallbackListeners(parts, callbacks.store, quarantine, stateChanged);
  const file = createCallbackFileHandlers(parts, callbacks.reader, callbacks.candidates);
  const reverifier = createCallbackReverifier({
    hasPassword: callbacks.hasPassword,
    claim: (task, milliseconds) => team.claim(task, milliseconds),
    reverify: callbacks.reverify,
    recent: async limit => (parts.log.ok ? parts.log.value.recentCallbacks(limit) : []),
  });
  const reverifying = startReverifying(profileId => callbacks.reverify(profileId));
  events.on('stateChanged', () => reverifier.onConnection(team.isLevel()));
  events.on('eventsElsewhere', (_payments, written) => reverifier.onEventsElsewhere(written));

  return {
    listeners,
    /** Verifies the unverified callbacks of a profile again, whose password has changed; later too, if that fails. */
    reverify: reverifying.add,
    isStoringFile: file.isStoring,
    handlers: {
      ...callbacks.handlers,
      ...file.handlers,
      ...createReceiverHandlers(parts, listeners, quarantine, publish),
    },
    needsSettings: true as const,
    start: listeners.follow,
    stop: async (): Promise<void> => {
      reverifier.stop();
      await reverifying.close();
      await Promise.all([listeners.close(), callbacks.reader.close()]);
      quarantine.close();
    },
  };
};
