import { lookup } from 'node:dns/promises';
import type { CheckStep } from '../../shared/contract/index.ts';
import { isLoopbackHttp } from '../../shared/loopback.ts';
import { joined, msg, quoted, type Message } from '../../shared/messages/message.ts';
import type { Profile } from '../../shared/settings/profile.ts';
import { addressScope } from '../../shared/network-address.ts';
import { checkBaseUrl } from './base-url.ts';
import type { Dispatchers, Route, SeenCertificate } from './dispatcher.ts';
import { sendHttp, type HttpOutcome, type HttpRequest } from './http-request.ts';
import { failureError } from './gateway-failures.ts';
import type { CheckResult, KnownPayment, StatusOutcome } from './gateway.ts';
import {
  bestProbe,
  isProven,
  probeRequest,
  readProbe,
  statusStep,
  type StatusProbe,
} from './connection-status.ts';

/**
 * The connection check: each step of a gateway connection with its meaning and what to do. It sends status requests
 * only, so nothing is created or changed.
 */

const day = 24 * 60 * 60 * 1000;
/** Warning threshold for expiring certificates, days. */
const expiresSoon = 21;
/** Tolerance between two clocks, seconds: the header `Date` has whole seconds, and responses take time. */
const clockTolerance = 5;

type ReportStep = (
  outcome: CheckStep['outcome'],
  title: Message,
  meaning: Message,
  todo?: Message | null,
) => CheckStep;
const step =
  (name: CheckStep['step']): ReportStep =>
  (outcome, title, meaning, todo = null) => ({ step: name, outcome, title, meaning, todo });

const proxyStep = (route: Route, base: URL): CheckStep => {
  const report = step('proxy');
  if (isLoopbackHttp(base)) {
    return report('skipped', msg('connection.proxy.none'), msg('connection.proxy.local.text'));
  }
  if (route.kind === 'direct') {
    return report('good', msg('connection.proxy.none'), msg('connection.proxy.none.text'));
  }
  if (route.kind === 'proxy') {
    const { host } = new URL(route.uri);
    return report('good', msg('connection.proxy.used', { host }), msg('connection.proxy.used.text'));
  }
  return report(
    'bad',
    msg('connection.proxy.unsupported', { proxy: route.proxy }),
    msg('connection.proxy.unsupported.text'),
    msg('connection.proxy.unsupported.todo'),
  );
};

const nameStep = async (url: URL, route: Route, { timeouts }: Profile): Promise<CheckStep> => {
  const host = url.hostname;
  const report = step('name');
  const isInside = (address: string): boolean => !isLoopbackHttp(url) && addressScope(address) !== 'public';
  const notOnTheInternet = (title: Message): CheckStep =>
    report('warning', title, msg('connection.name.inside.text'), msg('connection.name.inside.todo'));
  if (/^[\d.]+$|^\[/.test(host)) {
    return isInside(host)
      ? notOnTheInternet(quoted(host))
      : report('skipped', quoted(host), msg('connection.name.ip-address.text'));
  }
  if (route.kind === 'proxy') return report('skipped', quoted(host), msg('connection.name.by-proxy.text'));
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer')), timeouts.connect);
  });
  try {
    const found = await Promise.race([lookup(host, { all: true }), timeout]);
    const addresses = found.map(({ address }) => address).join(', ');
    const title = msg('connection.name.found', { host, addresses });
    if (found.some(({ address }) => isInside(address))) return notOnTheInternet(title);
    return report('good', title, msg('connection.name.found.text'));
  } catch {
    return report(
      'bad',
      msg('connection.name.not-found', { host }),
      msg('connection.name.not-found.text'),
      msg('gateway.unknown-name.hint'),
    );
  } finally {
    clearTimeout(timer);
  }
};

const connectStep = (
  outcome: HttpOutcome,
  host: string,
  timeouts: Profile['timeouts'],
  durationMs: number,
): CheckStep => {
  const report = step('connect');
  if (outcome.kind === 'answered' || outcome.sent || outcome.reason === 'tls') {
    const answered =
      outcome.kind === 'answered'
        ? msg('connection.connect.answered.text', { ms: Math.round(durationMs) })
        : msg('connection.connect.accepted.text');
    return report('good', msg('connection.connect.good', { host }), answered);
  }
  const { message, hint } = failureError('status', outcome, host, timeouts);
  return report('bad', msg('connection.connect.bad', { host }), message, hint ?? null);
};

const tlsStep = (
  outcome: HttpOutcome,
  seen: SeenCertificate | null,
  profile: Profile,
  host: string,
  now: number,
  system: { count: number; problem: string | null },
): CheckStep => {
  const report = step('tls');
  const trusted =
    system.problem === null
      ? msg('connection.tls.trusted', { count: system.count })
      : msg('connection.tls.trusted.unreadable', { problem: system.problem });
  if (outcome.kind === 'failed' && outcome.reason === 'tls') {
    const { message, hint } = failureError('status', outcome, host, profile.timeouts);
    return report('bad', msg('connection.tls.bad'), joined(message, trusted), hint ?? null);
  }
  if (seen === null) {
    return report('skipped', msg('connection.tls.not-reached'), msg('connection.tls.not-reached.text'));
  }
  const { subject, issuer, validTo } = seen;
  const certificate = Number.isFinite(validTo)
    ? msg('connection.tls.certificate', {
        subject,
        issuer,
        until: new Date(validTo).toISOString().slice(0, 10),
      })
    : msg('connection.tls.certificate.no-date', { subject, issuer });
  const meaning = joined(certificate, trusted);
  const days = Math.floor((validTo - now) / day);
  return days < expiresSoon
    ? report(
        'warning',
        msg('connection.tls.expiring', { days }),
        meaning,
        msg('connection.tls.expiring.todo'),
      )
    : report(system.problem === null ? 'good' : 'warning', msg('connection.tls.good'), meaning);
};

const clockStep = (outcome: HttpOutcome, before: number, after: number): CheckStep => {
  const report = step('clock');
  const received = Date.parse(outcome.received?.date ?? '');
  if (!Number.isFinite(received)) {
    return report('skipped', msg('connection.clock.unknown'), msg('connection.clock.unknown.text'));
  }
  // The header's second began at most one second earlier: compared with the middle of the exchange.
  const difference = Math.round((received + 500 - (before + after) / 2) / 1000);
  const seconds = Math.abs(difference);
  if (seconds <= clockTolerance + Math.round((after - before) / 2000)) {
    return report('good', msg('connection.clock.good'), msg('connection.clock.good.text'));
  }
  return report(
    'warning',
    msg(difference > 0 ? 'connection.clock.behind' : 'connection.clock.ahead', { seconds }),
    msg('connection.clock.wrong.text'),
    msg('connection.clock.wrong.todo'),
  );
};

/**
 * Runs the steps up to the first one that fails (§4.2 for the last). `password` null = none is stored; `known`: a
 * payment that the gateway knows, null = a made-up one, which proves less. Never throws, creates nothing.
 */
export const checkConnection = async (
  profile: Profile,
  password: string | null,
  known: KnownPayment | null,
  dispatchers: Dispatchers,
  clock: () => number,
): Promise<CheckResult> => {
  const ended = (steps: CheckStep[]): CheckResult => {
    const failed = steps.findIndex(({ outcome }) => outcome === 'bad');
    return {
      steps: failed < 0 ? steps : steps.slice(0, failed + 1),
      isProven: false,
      betterForm: null,
      observed: null,
    };
  };
  const base = checkBaseUrl(profile);
  if (!base.ok) {
    const { message, hint } = base.error;
    return ended([step('address')('bad', quoted(profile.baseUrl), message, hint ?? null)]);
  }
  const url = new URL(base.value);
  const { host, origin } = url;
  const address = step('address')('good', quoted(base.value), msg('connection.address.good.text'));
  const route = await dispatchers.routeOf(profile);
  const name = await nameStep(url, route, profile);
  const proxy = proxyStep(route, url);
  if (route.kind === 'unsupported' || name.outcome === 'bad') return ended([address, name, proxy]);
  const asked = password === null ? null : probeRequest(profile, base.value, password, known);
  const reachability: HttpRequest = { origin, path: '/', method: 'HEAD', body: null };
  const certificates: SeenCertificate[] = [];
  const dispatcher = await dispatchers.fresh(profile, route, certificate => certificates.push(certificate));
  const { headers: headersMs, body: bodyMs } = profile.timeouts;
  const send = (httpRequest: HttpRequest): Promise<HttpOutcome> =>
    sendHttp(dispatcher, httpRequest, { headersMs, bodyMs });
  try {
    const before = clock();
    const startedAt = performance.now();
    const outcome = await send(asked?.httpRequest ?? reachability);
    const durationMs = performance.now() - startedAt;
    const after = clock();

    const encrypted = origin.startsWith('https:');
    const seen = certificates.at(-1) ?? null;
    const steps = [
      address,
      name,
      proxy,
      connectStep(outcome, host, profile.timeouts, durationMs),
      encrypted
        ? tlsStep(outcome, seen, profile, host, after, dispatchers.systemCertificates())
        : step('tls')(
            'skipped',
            msg('connection.tls.not-encrypted'),
            msg('connection.tls.not-encrypted.text'),
          ),
      clockStep(outcome, before, after),
    ];
    if (!asked || password === null) {
      const noPassword = step('status')(
        'skipped',
        msg('connection.status.no-password'),
        msg('connection.status.no-password.text'),
        msg('connection.status.no-password.todo'),
      );
      return ended([...steps, noPassword]);
    }
    if (steps.some(one => one.outcome === 'bad')) return ended(steps);
    const sendForm = async (form: Profile['statusForm']): Promise<StatusOutcome> => {
      const other = { ...profile, statusForm: form };
      const { httpRequest, hash } = probeRequest(other, base.value, password, known);
      return readProbe(await send(httpRequest), other, base.value, [password, hash]);
    };
    const first: StatusProbe = {
      form: profile.statusForm,
      outcome: readProbe(outcome, profile, base.value, [password, asked.hash]),
    };
    const best = await bestProbe(first, known !== null, sendForm);
    return {
      ...ended([...steps, statusStep(first, best, profile, known)]),
      isProven: isProven(first, known),
      betterForm: best.form === first.form ? null : best.form,
      observed: known === null ? null : best.outcome,
    };
  } finally {
    await dispatcher.destroy();
  }
};
