import { randomUUID } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import type { CheckStep } from '../../shared/contract/index.ts';
import { isLoopbackHttp } from '../../shared/loopback.ts';
import type { Profile } from '../../shared/settings/profile.ts';
import { addressScope } from '../../shared/network-address.ts';
import { checkBaseUrl } from './base-url.ts';
import type { Dispatchers, Route, SeenCertificate } from './dispatcher.ts';
import { sendHttp, type HttpOutcome, type HttpRequest } from './http-request.ts';
import { failureError } from './failures.ts';
import type { StatusOutcome } from './gateway.ts';
import { statusOutcome } from './look-up.ts';
import { redactor } from './redact.ts';
import { otherFormHint, suggestsOtherForm } from './refusal.ts';
import { statusRequest } from './status-request.ts';

/**
 * The connection check: each step of a gateway connection with its meaning and what to do. It sends one status
 * request for a payment that cannot exist, so nothing is created or changed.
 */

const day = 24 * 60 * 60 * 1000;
/** Warning threshold for expiring certificates, days. */
const expiresSoon = 21;
/** Tolerance between two clocks, seconds: the header `Date` has whole seconds, and responses take time. */
const clockTolerance = 5;

type ReportStep = (
  outcome: CheckStep['outcome'],
  title: string,
  meaning: string,
  todo?: string | null,
) => CheckStep;
const step =
  (name: CheckStep['step']): ReportStep =>
  (outcome, title, meaning, todo = null) => ({ step: name, outcome, title, meaning, todo });

const proxyStep = (route: Route, base: URL): CheckStep => {
  const report = step('proxy');
  if (isLoopbackHttp(base)) return report('skipped', 'No proxy', 'The gateway runs on this computer.');
  if (route.kind === 'direct') {
    return report('good', 'No proxy', 'This computer reaches the provider without a proxy.');
  }
  if (route.kind === 'proxy') {
    const { host } = new URL(route.uri);
    return report('good', `Proxy: ${host}`, 'The system settings send requests through this proxy.');
  }
  return report(
    'bad',
    `The proxy ${route.proxy} cannot be used`,
    'Counterfoil only supports HTTP and HTTPS proxies.',
    'Ask your IT team for an HTTP proxy or for direct access to this host.',
  );
};

const notOnTheInternet = [
  'This address is on this computer or in your own network. Payment providers are on the internet.',
  'Check the API address in the profile. Only use it if your IT team gave it to you.',
] as const;

const nameStep = async (url: URL, route: Route, { timeouts }: Profile): Promise<CheckStep> => {
  const host = url.hostname;
  const report = step('name');
  const isInside = (address: string): boolean => !isLoopbackHttp(url) && addressScope(address) !== 'public';
  if (/^[\d.]+$|^\[/.test(host)) {
    return isInside(host)
      ? report('warning', host, ...notOnTheInternet)
      : report('skipped', host, 'The address is an IP address. No name lookup is needed.');
  }
  if (route.kind === 'proxy') return report('skipped', host, 'The proxy resolves the name.');
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer')), timeouts.connect);
  });
  try {
    const found = await Promise.race([lookup(host, { all: true }), timeout]);
    const addresses = found.map(({ address }) => address).join(', ');
    if (found.some(({ address }) => isInside(address)))
      return report('warning', `Addresses of ${host}: ${addresses}`, ...notOnTheInternet);
    return report('good', `Addresses of ${host}: ${addresses}`, 'The name was found.');
  } catch {
    return report(
      'bad',
      `${host} not found`,
      'This network has no address for the name.',
      'Check the API address in the profile and the network connection of this computer.',
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
        ? `It responded in ${Math.round(durationMs)} ms.`
        : 'It accepts connections.';
    return report('good', `${host} can be reached`, answered);
  }
  const { message, hint } = failureError('status', outcome, host, timeouts);
  return report('bad', `${host} cannot be reached`, message, hint ?? null);
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
  const trusts =
    system.problem === null
      ? `Trusted system certificates in addition to the built-in ones: ${system.count}.`
      : `The system certificates could not be read (${system.problem}). Only the built-in ones are trusted.`;
  if (outcome.kind === 'failed' && outcome.reason === 'tls') {
    const { message, hint } = failureError('status', outcome, host, profile.timeouts);
    return report('bad', 'The secure connection failed', `${message} ${trusts}`, hint ?? null);
  }
  if (seen === null) return report('skipped', 'Not reached', 'A secure connection could not be made.');
  const days = Math.floor((seen.validTo - now) / day);
  const until = Number.isFinite(seen.validTo)
    ? new Date(seen.validTo).toISOString().slice(0, 10)
    : 'an unreadable date';
  const meaning = `Certificate for ${seen.subject}, issued by ${seen.issuer}, valid until ${until}. ${trusts}`;
  return days < expiresSoon
    ? report(
        'warning',
        `Secure, certificate expires in ${days} days`,
        meaning,
        'Ask your provider to renew it in time. When it expires, requests fail.',
      )
    : report(system.problem === null ? 'good' : 'warning', 'The connection is secure', meaning);
};

const clockStep = (outcome: HttpOutcome, before: number, after: number): CheckStep => {
  const report = step('clock');
  const received = Date.parse(outcome.received?.date ?? '');
  if (!Number.isFinite(received)) {
    return report('skipped', 'Unknown', 'The provider did not send its time.');
  }
  // The header's second began at most one second earlier: compared with the middle of the exchange.
  const difference = Math.round((received + 500 - (before + after) / 2) / 1000);
  const seconds = Math.abs(difference);
  if (seconds <= clockTolerance + Math.round((after - before) / 2000)) {
    return report(
      'good',
      'Clocks match',
      'This computer and the provider have the same time, so countdowns are correct.',
    );
  }
  return report(
    'warning',
    `This computer is ${seconds} s ${difference > 0 ? 'behind' : 'ahead of'} the provider`,
    'Times and link countdowns use the clock of this computer, so they are wrong by as much.',
    'Turn on automatic time in the settings of this computer.',
  );
};

/** Sentences by which gateways report that a payment does not exist. */
const knowsNoPayment = /\b(?:not found|not exist|no such|unknown)\b/i;

const statusStep = (outcome: StatusOutcome, profile: Profile): CheckStep => {
  const report = step('status');
  if (outcome.kind === 'answered') {
    return report(
      'warning',
      'The provider returned a payment that does not exist',
      'Key and format were accepted, but the response for a made-up payment ID is unexpected.',
      'Ask your provider whether this address is correct.',
    );
  }
  const { code, message, hint } = outcome.error;
  const httpStatus = outcome.answer?.httpStatus ?? 0;
  if (code === 'gateway.signature-refused') {
    return report(
      'warning',
      'Provider reached; key and password not proven',
      `The provider returned “Hash is not valid” for a made-up payment. ${hint ?? ''} A made-up payment always has the last cause, so this response only proves the address.`,
      'Create a small payment link and check its status. If both work, the key, password and settings are correct.',
    );
  }
  if (code === 'gateway.refused' && hint === otherFormHint(profile.statusForm)) {
    const title = suggestsOtherForm(httpStatus, null)
      ? 'The provider rejects this status request format'
      : 'The provider does not receive the fields of a status request';
    return report('bad', title, message, hint);
  }
  if (code === 'gateway.refused' && [400, 422].includes(httpStatus)) {
    const said = [message, ...(outcome.error.fields ?? []).map(field => field.message)].join(' ');
    return knowsNoPayment.test(said)
      ? report(
          'good',
          'Signature accepted',
          `The provider accepted the request and found no such payment: ${message}`,
        )
      : report(
          'warning',
          'The provider rejected a status check without a reason',
          `The format, key and password could not be checked: ${message}`,
          'Create a small payment link and check its status. If both work, the key, password and settings are correct.',
        );
  }
  return report('bad', 'Status check failed', message, hint ?? null);
};

/** Runs all steps (§4.2 for the last); `password` null = none is stored. Never throws, creates nothing. */
export const checkConnection = async (
  profile: Profile,
  password: string | null,
  dispatchers: Dispatchers,
  clock: () => number,
): Promise<CheckStep[]> => {
  const base = checkBaseUrl(profile);
  if (!base.ok) {
    const { message, hint } = base.error;
    return [step('address')('bad', profile.baseUrl, message, hint ?? null)];
  }
  const url = new URL(base.value);
  const { host, origin } = url;
  const address = step('address')('good', base.value, 'Requests go to this address.');
  const route = await dispatchers.routeOf(profile);
  const name = await nameStep(url, route, profile);
  const proxy = proxyStep(route, url);
  if (route.kind === 'unsupported' || name.outcome === 'bad') return [address, name, proxy];

  const asked =
    password === null
      ? null
      : statusRequest(profile, base.value, password, { by: 'payment-id', value: randomUUID() });
  const probeRequest: HttpRequest = { origin, path: '/', method: 'HEAD', body: null };
  const certificates: SeenCertificate[] = [];
  const dispatcher = await dispatchers.fresh(profile, route, certificate => certificates.push(certificate));
  const before = clock();
  const startedAt = performance.now();
  const { headers: headersMs, body: bodyMs } = profile.timeouts;
  const outcome = await sendHttp(dispatcher, asked?.httpRequest ?? probeRequest, { headersMs, bodyMs });
  const durationMs = performance.now() - startedAt;
  const after = clock();
  await dispatcher.destroy();

  const steps = [address, name, proxy, connectStep(outcome, host, profile.timeouts, durationMs)];
  const encrypted = origin.startsWith('https:');
  steps.push(
    encrypted
      ? tlsStep(outcome, certificates.at(-1) ?? null, profile, host, after, dispatchers.systemCertificates())
      : step('tls')(
          'skipped',
          'Not encrypted',
          'The gateway is on this computer. Requests are not encrypted.',
        ),
    clockStep(outcome, before, after),
  );
  if (!asked) {
    steps.push(
      step('status')(
        'skipped',
        'Password missing',
        'Status checks need the merchant password.',
        "Enter the password in the profile's settings.",
      ),
    );
  } else if (outcome.kind === 'answered') {
    const redact = redactor([password ?? '', asked.hash]);
    steps.push(statusStep(statusOutcome(outcome.received, profile, base.value, redact), profile));
  } else {
    const { message, hint } = failureError('status', outcome, host, profile.timeouts);
    steps.push(step('status')('bad', 'No response to a status check', message, hint ?? null));
  }
  return steps;
};
