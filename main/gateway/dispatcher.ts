import * as tls from 'node:tls';
import type { Dispatcher } from 'undici';
import { isLoopbackHttp } from '../../shared/loopback.ts';
import type { Profile } from '../../shared/settings/profile.ts';

/**
 * The one place that decides how this PC reaches a gateway: connections kept alive, TLS always verified
 * against the built-in and the system's certificates, the system's proxy, time limits. See docs/integrate/gateway.md.
 */

/** Milliseconds a proxy decision is trusted. */
const proxyMemory = 30_000;
/** Milliseconds an unused connection is kept; shorter than what servers commonly keep theirs. */
const keepAlive = 4_000;

/** Where requests go through: straight, or by a proxy's address; `unsupported` names a kind that cannot be used. */
export type Route =
  { kind: 'direct' } | { kind: 'proxy'; uri: string } | { kind: 'unsupported'; proxy: string };

type Unsupported = Extract<Route, { kind: 'unsupported' }>;
type DispatcherResult = { ok: true; dispatcher: Dispatcher } | { ok: false; route: Unsupported };

/** What of a server's certificate the connection check shows. */
export type SeenCertificate = { subject: string; issuer: string; validTo: number };

export type DispatcherOptions = {
  /** Answers as a browser does: `DIRECT` or `PROXY host:port`, several parted by semicolons. */
  resolveProxy?: (url: string) => Promise<string>;
  /** Certificates (PEM) trusted besides the built-in and the system's. */
  certificates?: readonly string[];
  /** Requests to one gateway at a time, per profile; the others wait their turn. */
  connectionsPerProfile?: number;
};

/** The HTTP client is large, and the window is open before anything is asked of a gateway: loaded at the first request. */
const loadClient = () => import('undici');
type Client = Awaited<ReturnType<typeof loadClient>>;

type TrustStore = { context: tls.SecureContext; system: number; problem: string | null };

/** Reading the system's certificates takes a while and they seldom change: once per run. */
const loadTrustStore = (extra: readonly string[]): TrustStore => {
  let system: string[] = [];
  let problem: string | null = null;
  try {
    system = tls.getCACertificates('system');
  } catch (error) {
    problem = error instanceof Error ? error.message : 'unknown fault';
  }
  const ca = [...new Set([...tls.getCACertificates('default'), ...system, ...extra])];
  return { context: tls.createSecureContext({ ca, minVersion: 'TLSv1.2' }), system: system.length, problem };
};

/** The first usable entry of a browser's proxy decision. */
export const readRoute = (decision: string): Route => {
  const entries = decision
    .split(';')
    .map(entry => entry.trim())
    .filter(entry => entry !== '');
  for (const entry of entries) {
    const [kind = '', address = ''] = entry.split(/\s+/);
    const scheme = { PROXY: 'http', HTTP: 'http', HTTPS: 'https' }[kind.toUpperCase()];
    if (kind.toUpperCase() === 'DIRECT') return { kind: 'direct' };
    if (scheme && URL.canParse(`${scheme}://${address}`))
      return { kind: 'proxy', uri: `${scheme}://${address}` };
  }
  const [first] = entries;
  return first === undefined ? { kind: 'direct' } : { kind: 'unsupported', proxy: first };
};

const originOf = (profile: Profile): string => URL.parse(profile.baseUrl)?.origin ?? '';

export const createDispatchers = (options: DispatcherOptions) => {
  const { resolveProxy, certificates = [], connectionsPerProfile = 4 } = options;
  let trustStore: TrustStore | null = null;
  const loadedTrustStore = (): TrustStore => (trustStore ??= loadTrustStore(certificates));
  /** By profile id; `until`, by performance.now(), is when the proxy must be asked for again. */
  const open = new Map<string, { profile: Profile; key: string; until: number; reached: DispatcherResult }>();
  let closed = false;

  /** How requests of a profile travel; a gateway on this PC is never behind a proxy. */
  const routeOf = async (profile: Profile): Promise<Route> => {
    const url = URL.parse(originOf(profile));
    if (!resolveProxy || (url !== null && isLoopbackHttp(url))) return { kind: 'direct' };
    try {
      return readRoute(await resolveProxy(originOf(profile)));
    } catch {
      return { kind: 'direct' };
    }
  };

  const build = (
    { Pool, ProxyAgent }: Client,
    profile: Profile,
    route: Route,
    onCertificate?: (certificate: SeenCertificate) => void,
  ): Dispatcher => {
    const timeout = profile.timeouts.connect;
    const origin = originOf(profile);
    const encrypted = origin.startsWith('https:') || route.kind === 'proxy';
    const secure = {
      timeout,
      ...(encrypted ? { secureContext: loadedTrustStore().context } : {}),
      ...(onCertificate
        ? {
            maxCachedSessions: 0,
            checkServerIdentity: (host: string, certificate: tls.PeerCertificate) => {
              onCertificate({
                subject: nameOf(certificate.subject),
                issuer: nameOf(certificate.issuer),
                validTo: Date.parse(certificate.valid_to),
              });
              return tls.checkServerIdentity(host, certificate);
            },
          }
        : {}),
    };
    const pool = {
      connections: connectionsPerProfile,
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: keepAlive,
    };
    return route.kind === 'proxy'
      ? new ProxyAgent({
          ...pool,
          uri: route.uri,
          connectTimeout: timeout,
          requestTls: { ...secure, allowH2: false },
          proxyTls: { timeout, secureContext: loadedTrustStore().context, allowH2: false },
          // A proxy that takes the connection and then says nothing must not hold a request up.
          clientFactory: (uri, given) => new Pool(uri, { ...given, headersTimeout: timeout }),
        })
      : new Pool(origin, { ...pool, connect: secure });
  };

  return {
    routeOf,

    /** The profile's own connections; replaced when its address, its limits or its proxy change. */
    async of(profile: Profile): Promise<DispatcherResult> {
      const known = open.get(profile.id);
      if (known?.profile === profile && performance.now() < known.until) return known.reached;
      const [client, route] = await Promise.all([loadClient(), routeOf(profile)]);
      const until = performance.now() + proxyMemory;
      const key = `${originOf(profile)} ${profile.timeouts.connect} ${JSON.stringify(route)}`;
      const before = open.get(profile.id);
      if (before?.key === key) {
        open.set(profile.id, { ...before, profile, until });
        return before.reached;
      }
      const reached: DispatcherResult =
        route.kind === 'unsupported'
          ? { ok: false, route }
          : { ok: true, dispatcher: build(client, profile, route) };
      open.set(profile.id, { profile, key, until, reached });
      if (before?.reached.ok) void before.reached.dispatcher.close();
      if (closed && reached.ok) void reached.dispatcher.destroy();
      return reached;
    },

    /** Connections for one connection check: nothing remembered, the certificate reported. Close it. */
    fresh: async (
      profile: Profile,
      route: Route,
      onCertificate: (certificate: SeenCertificate) => void,
    ): Promise<Dispatcher> => build(await loadClient(), profile, route, onCertificate),

    /** How many certificates of the system are trusted besides the built-in ones. */
    systemCertificates(): { count: number; problem: string | null } {
      const { system, problem } = loadedTrustStore();
      return { count: system, problem };
    },

    /** Lets requests under way finish for `graceMs`, then breaks them off. */
    async close(graceMs: number): Promise<void> {
      closed = true;
      const all = [...open.values()].flatMap(({ reached }) => (reached.ok ? [reached.dispatcher] : []));
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<void>(done => {
        timer = setTimeout(done, graceMs);
      });
      await Promise.race([Promise.allSettled(all.map(dispatcher => dispatcher.close())), timeout]);
      clearTimeout(timer);
      await Promise.allSettled(all.map(dispatcher => dispatcher.destroy()));
    },
  };
};
export type Dispatchers = ReturnType<typeof createDispatchers>;

/** A certificate's holder or issuer in the words people know: its common name, else its organisation. */
const nameOf = (name: tls.PeerCertificate['subject'] | undefined): string => {
  const first = (value: string | string[] | undefined): string | undefined =>
    Array.isArray(value) ? value[0] : value;
  return first(name?.CN) ?? first(name?.O) ?? 'unnamed';
};
