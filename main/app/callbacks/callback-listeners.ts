import { createHash, randomUUID } from 'node:crypto';
import type { CertificateFacts, ReceiverHealth } from '../../../shared/contract/contract.ts';
import { ok, type AppError, type Result } from '../../../shared/errors.ts';
import { certificateFacts, readPems } from '../../callbacks/certificate.ts';
import type { Delivery, Receiver } from '../../callbacks/receiver.ts';
import { sandboxProfileId } from '../../settings/settings-store.ts';
import type { AppDependencies } from '../common/app-context.ts';
import { createLimiter } from '../../pacing/limiter.ts';
import type { Quarantine } from '../../callbacks/store/quarantine.ts';

/** Retry interval of a listener that could not start, milliseconds: its network may appear or its port become free. */
const retryMs = 5_000;

type StoreCallback = (delivery: Delivery) => Promise<Result<{ verified: boolean }>>;

const addressOf = (receiver: Receiver, path: string, scheme: 'http' | 'https' = 'http'): string => {
  const host = receiver.host.includes(':') ? `[${receiver.host}]` : receiver.host;
  return `${scheme}://${host}:${receiver.port}${path}`;
};

export type CallbackListeners = ReturnType<typeof createCallbackListeners>;

/**
 * The console's two listeners for callbacks: the embedded sandbox's, always on loopback, and the merchant's, off by
 * default. `openedLate`: called when a retry succeeded.
 */
export const createCallbackListeners = (
  { settings, startReceiver: start, clock }: Pick<AppDependencies, 'settings' | 'startReceiver' | 'clock'>,
  store: StoreCallback,
  quarantine: Quarantine,
  openedLate: () => void,
) => {
  let sandbox: Receiver | null = null;
  let merchant: Receiver | null = null;
  let certificate: CertificateFacts | null = null;
  let problem: AppError | null = null;
  const changes = createLimiter(1);
  /** Marks of tests from outside that are on their way, and whether each arrived; see `expectProbe`. */
  const probes = new Map<string, boolean>();
  /** A test from outside is not evidence: it is answered like a callback and not stored. */
  const storeUnlessProbe: StoreCallback = async delivery => {
    const mark = delivery.fields.find(([name]) => name === 'order_number')?.[1] ?? '';
    if (!probes.has(mark)) return store(delivery);
    probes.set(mark, true);
    return ok({ verified: true });
  };
  let retryTimer: NodeJS.Timeout | null = null;
  let closed = false;

  /** The address is entered in a dashboard or a proxy: an automatically chosen port is kept from now on. */
  const savePort = (port: number): void => {
    settings.change(stored => ({
      ...stored,
      settings: { ...stored.settings, receiver: { ...stored.settings.receiver, port } },
    }));
  };

  /** What the running listener was started with; null if none runs. */
  let running: string | null = null;
  const wanted = async (): Promise<string> => {
    const { receiver } = settings.read().settings;
    // A renewed certificate is another listener too.
    const pems = receiver.tls === null ? null : await readPems(receiver.tls);
    const routes = settings.read().profiles.map(({ id }) => [id, settings.callbackPath(id)]);
    return createHash('sha256')
      .update(JSON.stringify([receiver, routes, pems]))
      .digest('hex');
  };

  const openMerchant = async (): Promise<void> => {
    // Another name or password of a profile is no reason to refuse callbacks for a moment.
    if (!closed && merchant !== null && running === (await wanted())) return;
    if (retryTimer) clearTimeout(retryTimer);
    retryTimer = null;
    running = null;
    await merchant?.close();
    merchant = null;
    certificate = null;
    const opened = closed ? ok(undefined) : await openMerchantListener();
    problem = opened.ok ? null : opened.error;
    if (problem !== null) retryTimer = setTimeout(retryBinding, retryMs).unref();
  };

  const openMerchantListener = async (): Promise<Result<undefined>> => {
    const { enabled, host, port, tls } = settings.read().settings.receiver;
    if (!enabled) return ok(undefined);
    // A listener configured for TLS never falls back to plain HTTP.
    const pems = tls === null ? ok(null) : await readPems(tls);
    if (!pems.ok) return pems;
    const facts = pems.value === null ? ok(null) : certificateFacts(pems.value, clock());
    if (!facts.ok) return facts;
    const routes = new Map(
      settings
        .read()
        .profiles.filter(profile => profile.id !== sandboxProfileId)
        .map(profile => [settings.callbackPath(profile.id), profile.id]),
    );
    const secret = pems.value && { cert: pems.value.certificate, key: pems.value.key };
    const started = await start({
      host,
      port,
      routes,
      store: storeUnlessProbe,
      clock,
      ...(secret ? { tls: secret } : {}),
    });
    if (!started.ok) return started;
    merchant = started.value;
    certificate = facts.value;
    if (port === 0) savePort(started.value.port);
    running = await wanted();
    return ok(undefined);
  };

  const follow = (): Promise<void> => changes.run(openMerchant);
  const retryBinding = (): void => {
    void follow().then(() => {
      if (problem === null) openedLate();
    });
  };

  return {
    /** Starts the sandbox's listener; resolves to its address. */
    async openSandbox(): Promise<Result<string>> {
      const path = settings.callbackPath(sandboxProfileId);
      const started = await start({
        host: '127.0.0.1',
        port: 0,
        routes: new Map([[path, sandboxProfileId]]),
        store,
        clock,
      });
      if (!started.ok) return started;
      sandbox = started.value;
      return { ok: true, value: addressOf(sandbox, path) };
    },
    /**
     * Starts, moves or stops the merchant's listener to match the settings; one change at a time. A failed start is
     * retried while it is wanted.
     */
    follow,
    /** Recognises one test from outside by its mark, an order number that no merchant has. */
    expectProbe(): { mark: string; hasArrived: () => boolean; end: () => void } {
      const mark = `counterfoil-test-${randomUUID()}`;
      probes.set(mark, false);
      return { mark, hasArrived: () => probes.get(mark) === true, end: () => probes.delete(mark) };
    },
    health(): ReceiverHealth {
      // The sandbox's own deliveries are not counted: they do not use the merchant's listener.
      const counted = merchant?.statistics();
      const addresses = settings.read().profiles.flatMap(profile => {
        const receiver = profile.id === sandboxProfileId ? sandbox : merchant;
        return receiver
          ? [
              {
                profileId: profile.id,
                url: addressOf(
                  receiver,
                  settings.callbackPath(profile.id),
                  receiver === merchant && certificate ? 'https' : 'http',
                ),
              },
            ]
          : [];
      });
      return {
        listening: merchant !== null,
        addresses,
        lastAt: counted?.lastAt ?? null,
        received: counted?.received ?? 0,
        unverified: counted?.unverified ?? 0,
        answerMs: counted?.answerMs ?? null,
        problem,
        certificate,
        quarantine: quarantine.state(),
      };
    },
    async close(): Promise<void> {
      closed = true;
      await changes.run(() => undefined);
      if (retryTimer) clearTimeout(retryTimer);
      await Promise.all([sandbox?.close(), merchant?.close()]);
      sandbox = null;
      merchant = null;
    },
  };
};
