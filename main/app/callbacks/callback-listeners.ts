import { createHash, randomUUID } from 'node:crypto';
import type { CertificateFacts, ReceiverHealth } from '../../../shared/contract/contract.ts';
import { ok, type AppError, type Result } from '../../../shared/errors.ts';
import { certificateFacts, readPems } from '../../callbacks/certificate.ts';
import type { Delivery, Receiver } from '../../callbacks/receiver.ts';
import { sandboxProfileId } from '../../settings/settings-store.ts';
import type { AppDependencies } from '../common/app-context.ts';
import { startLoop } from '../../pacing/loop.ts';
import type { Quarantine } from '../../callbacks/store/store-callback.ts';

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
  /** Marks of tests from outside that are on their way, and whether each arrived; see `expectProbe`. */
  const probes = new Map<string, boolean>();
  /** A test from outside is not evidence: it is answered like a callback and not stored. */
  const storeUnlessProbe: StoreCallback = async delivery => {
    const mark = delivery.fields.find(([name]) => name === 'order_number')?.[1] ?? '';
    if (!probes.has(mark)) return store(delivery);
    probes.set(mark, true);
    return ok({ verified: true });
  };
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
  /** What a listener is started with: a renewed certificate is another one too. */
  const read = async () => {
    const { settings: stored, profiles } = settings.read();
    const { receiver } = stored;
    const routes = profiles
      .filter(({ id }) => id !== sandboxProfileId)
      .map(({ id }): [string, string] => [settings.callbackPath(id), id]);
    return { receiver, routes, pems: receiver.tls === null ? ok(null) : await readPems(receiver.tls) };
  };
  type Wanted = Awaited<ReturnType<typeof read>>;
  const markOf = (wanted: Wanted): string =>
    createHash('sha256').update(JSON.stringify(wanted)).digest('hex');

  const openMerchant = async (): Promise<number> => {
    const wanted = await read();
    // Another name or password of a profile is no reason to refuse callbacks for a moment.
    if (merchant !== null && running === markOf(wanted)) return Number.POSITIVE_INFINITY;
    running = null;
    await merchant?.close();
    merchant = null;
    certificate = null;
    const hasFailed = problem !== null;
    const opened = closed ? ok(undefined) : await openMerchantListener(wanted);
    problem = opened.ok ? null : opened.error;
    if (hasFailed && problem === null) openedLate();
    return problem === null ? Number.POSITIVE_INFINITY : retryMs;
  };

  const openMerchantListener = async (wanted: Wanted): Promise<Result<undefined>> => {
    const { receiver, routes, pems } = wanted;
    const { enabled, host, port } = receiver;
    if (!enabled) return ok(undefined);
    // A listener configured for TLS never falls back to plain HTTP.
    if (!pems.ok) return pems;
    const facts = pems.value === null ? ok(null) : certificateFacts(pems.value, clock());
    if (!facts.ok) return facts;
    const secret = pems.value && { cert: pems.value.certificate, key: pems.value.key };
    const started = await start({
      host,
      port,
      routes: new Map(routes),
      store: storeUnlessProbe,
      clock,
      ...(secret ? { tls: secret } : {}),
    });
    if (!started.ok) return started;
    merchant = started.value;
    certificate = facts.value;
    if (port === 0) savePort(started.value.port);
    // As it was read: what was saved meanwhile is another listener.
    running = markOf({ ...wanted, receiver: { ...receiver, port: started.value.port } });
    return ok(undefined);
  };

  /** A failed start is retried while it is wanted. */
  const opening = startLoop(openMerchant, { everyMs: retryMs, firstMs: Number.POSITIVE_INFINITY });

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
    /** Starts, moves or stops the merchant's listener to match the settings; one change at a time. */
    follow: opening.wake,
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
        refused: counted?.refused ?? [],
        answerMs: counted?.answerMs ?? null,
        problem,
        certificate,
        quarantine: quarantine.state(),
      };
    },
    async close(): Promise<void> {
      closed = true;
      await opening.close();
      await Promise.all([sandbox?.close(), merchant?.close()]);
      sandbox = null;
      merchant = null;
    },
  };
};
