import * as tls from 'node:tls';
import type { Dispatcher } from 'undici';
import { isLoopbackHttp } from '../../shared/network-address.ts';
import type { Profile } from '../../shared/settings/profile.ts';

/**
 * All HTTP connection settings for gateways: keep-alive, TLS verification against the built-in and the system's
 * certificates, the system's proxy, timeouts. See docs/integrate/gateway.md.
 *
 * `rejectUnauthorized` is set everywhere: its default comes from NODE_TLS_REJECT_UNAUTHORIZED, which another program's
 * set-up may have left on a computer.
 */

/** Lifetime of a cached proxy decision, milliseconds. */
const proxyMemory = 30_000;
/** Idle timeout of a connection, milliseconds; shorter than most servers' own. */
const keepAlive = 4_000;

/** The route of requests: direct, or by a proxy's address; `unsupported` names a kind that cannot be used. */
export type Route =
  | { kind: 'direct' }
  | { kind: 'proxy'; uri: string }
  | { kind: 'unsupported'; proxy: string };

type Unsupported = Extract<Route, { kind: 'unsupported' }>;
type DispatcherResult = { ok: true; dispatcher: Dispatcher } | { ok: false; route: Unsupported };

/** The part of a server's certificate that the connection check shows. */
export type SeenCertificate = { subject: string; issuer: string; validTo: number };

export type DispatcherOptions = {
  /** Answers as a browser does: `DIRECT` or `PROXY host:port`, several separated by semicolons. */
  resolveProxy?: (url: string) => Promise<string>;
  /** Trusted certificates (PEM) in addition to the built-in and the system's. */
  certificates?: readonly string[];
  /** Limit of parallel requests per profile; further ones are queued. */
  connectionsPerProfile?: number;
};

/** The HTTP client is large: loaded at the first request, after the window is open. */
const loadClient = () => import('undici');
type Client = Awaited<ReturnType<typeof loadClient>>;

type TrustStore = { context: tls.SecureContext; system: number; problem: string | null };

/** Read once per run: the system's certificates are slow to read and seldom change. */
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
  /** By profile id. The proxy decision is renewed after `until`, by performance.now(). */
  const open = new Map<string, { profile: Profile; key: string; until: number; reached: DispatcherResult }>();
  let closed = false;

  /** The route of a profile's requests; a gateway on this PC is never behind a proxy. */
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
      rejectUnauthorized: true,
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
          proxyTls: {
            timeout,
            rejectUnauthorized: true,
            secureContext: loadedTrustStore().context,
            allowH2: false,
          },
          // A proxy that accepts the connection but never answers must not block a request.
          clientFactory: (uri, given) => new Pool(uri, { ...given, headersTimeout: timeout }),
        })
      : new Pool(origin, { ...pool, connect: secure });
  };

  return {
    routeOf,

    /** The profile's connection pool; replaced if its address, its limits or its proxy change. */
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

    /** Connections for one connection check: without cache, with the certificate. Close it after use. */
    fresh: async (
      profile: Profile,
      route: Route,
      onCertificate: (certificate: SeenCertificate) => void,
    ): Promise<Dispatcher> => build(await loadClient(), profile, route, onCertificate),

    /** The number of trusted system certificates in addition to the built-in ones. */
    systemCertificates(): { count: number; problem: string | null } {
      const { system, problem } = loadedTrustStore();
      return { count: system, problem };
    },

    /** Lets requests in flight finish for `graceMs`, then aborts them. */
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

/** A certificate's subject or issuer for display: its common name, otherwise its organisation. */
const nameOf = (name: tls.PeerCertificate['subject'] | undefined): string => {
  const first = (value: string | string[] | undefined): string | undefined =>
    Array.isArray(value) ? value[0] : value;
  return first(name?.CN) ?? first(name?.O) ?? 'unnamed';
};
