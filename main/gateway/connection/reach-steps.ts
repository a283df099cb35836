import { lookup } from 'node:dns/promises';
import type { CheckStep } from '../../../shared/contract/contract.ts';
import { isLoopbackHttp, addressScope } from '../../../shared/network-address.ts';
import { joined, msg, quoted, type Message } from '../../../shared/messages/message.ts';
import type { Profile } from '../../../shared/settings/profile.ts';
import type { Route, SeenCertificate } from '../dispatcher.ts';
import type { HttpOutcome } from '../http-request.ts';
import { failureError } from '../gateway-failures.ts';

/** The steps of the connection check up to the gateway: name, proxy, connection, certificate and clock. */

const day = 24 * 60 * 60 * 1000;
/** Warning threshold for expiring certificates, days. */
const expiresSoon = 21;
/** Tolerance between two clocks, seconds: the header `Date` has whole seconds, and responses take time. */
const clockTolerance = 5;

export type ReportStep = (
  outcome: CheckStep['outcome'],
  title: Message,
  meaning: Message,
  todo?: Message | null,
) => CheckStep;
export const step =
  (name: CheckStep['step']): ReportStep =>
  (outcome, title, meaning, todo = null) => ({ step: name, outcome, title, meaning, todo });

export const proxyStep = (route: Route, base: URL): CheckStep => {
  const report = step('proxy');
  if (isLoopbackHttp(base))
    return report('skipped', msg('connection.proxy.none'), msg('connection.proxy.local.text'));
  if (route.kind === 'direct')
    return report('good', msg('connection.proxy.none'), msg('connection.proxy.none.text'));
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

export const nameStep = async (url: URL, route: Route, { timeouts }: Profile): Promise<CheckStep> => {
  const host = url.hostname;
  const report = step('name');
  const isInside = (address: string): boolean => !isLoopbackHttp(url) && addressScope(address) !== 'public';
  const notOnTheInternet = (title: Message): CheckStep =>
    report('warning', title, msg('connection.name.inside.text'), msg('connection.name.inside.todo'));
  if (/^[\d.]+$|^\[/.test(host))
    return isInside(host)
      ? notOnTheInternet(quoted(host))
      : report('skipped', quoted(host), msg('connection.name.ip-address.text'));
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

export const connectStep = (
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

export const tlsStep = (
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
  if (seen === null)
    return report('skipped', msg('connection.tls.not-reached'), msg('connection.tls.not-reached.text'));
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

export const clockStep = (outcome: HttpOutcome, before: number, after: number): CheckStep => {
  const report = step('clock');
  const received = Date.parse(outcome.received?.date ?? '');
  if (!Number.isFinite(received))
    return report('skipped', msg('connection.clock.unknown'), msg('connection.clock.unknown.text'));
  // The header's second began at most one second earlier: compared with the middle of the exchange.
  const difference = Math.round((received + 500 - (before + after) / 2) / 1000);
  const seconds = Math.abs(difference);
  if (seconds <= clockTolerance + Math.round((after - before) / 2000))
    return report('good', msg('connection.clock.good'), msg('connection.clock.good.text'));
  return report(
    'warning',
    msg(difference > 0 ? 'connection.clock.behind' : 'connection.clock.ahead', { seconds }),
    msg('connection.clock.wrong.text'),
    msg('connection.clock.wrong.todo'),
  );
};
