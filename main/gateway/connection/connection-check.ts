import type { CheckStep } from '../../../shared/contract/contract.ts';
import { msg, quoted } from '../../../shared/messages/message.ts';
import type { Profile } from '../../../shared/settings/profile.ts';
import { checkBaseUrl } from '../base-url.ts';
import type { Dispatchers, SeenCertificate } from '../dispatcher.ts';
import type { CheckLinkMaker, CheckResult, KnownPayment } from '../gateway.ts';
import { sendHttp, type HttpOutcome, type HttpRequest } from '../http-request.ts';
import { statusRequest } from '../status-request.ts';
import type { Finding } from './findings.ts';
import { linkStep } from './link-step.ts';
import { clockStep, connectStep, nameStep, proxyStep, step, tlsStep } from './reach-steps.ts';
import {
  bestProbe,
  isFormRead,
  isKeyKnown,
  madeUpPayment,
  readProbe,
  searchedForPayment,
  statusAsker,
  type StatusProbe,
} from './status-probe.ts';
import { statusStep } from './status-step.ts';

/**
 * The connection check: each step of a gateway connection with its meaning and what to do. Without `makeLink` it sends
 * status requests only, so nothing is created or changed.
 */

/** The result for these steps, up to the first one that failed. */
const resultOf = (steps: readonly CheckStep[], findings: readonly Finding[] = []): CheckResult => {
  const all = [...steps, ...findings.map(finding => finding.step)];
  const failed = all.findIndex(({ outcome }) => outcome === 'bad');
  const shown = failed < 0 ? all : all.slice(0, failed + 1);
  const visible = findings.filter(finding => shown.includes(finding.step));
  return {
    steps: shown,
    isProven: visible.some(finding => finding.isProven),
    better: visible.find(finding => finding.better !== null)?.better ?? null,
    suspects: [...new Set(visible.flatMap(finding => finding.suspects))],
    observed: null,
  };
};

/**
 * Runs the steps up to the first one that fails (§4.1, §4.2 for the last). `password` null = none is stored; `known`: a
 * payment that the gateway knows, null = a made-up one, which proves less; `makeLink`: null for a live profile. Never
 * throws.
 */
export const checkConnection = async (
  profile: Profile,
  password: string | null,
  known: KnownPayment | null,
  makeLink: CheckLinkMaker | null,
  dispatchers: Dispatchers,
  clock: () => number,
): Promise<CheckResult> => {
  const base = checkBaseUrl(profile);
  if (!base.ok) {
    const { message, hint } = base.error;
    const address = step('address')('bad', quoted(profile.baseUrl), message, hint ?? null);
    return { ...resultOf([address]), suspects: ['baseUrl'] };
  }
  const url = new URL(base.value);
  const { host, origin } = url;
  const address = step('address')('good', quoted(base.value), msg('connection.address.good.text'));
  const route = await dispatchers.routeOf(profile);
  const name = await nameStep(url, route, profile);
  const proxy = proxyStep(route, url);
  if (name.outcome === 'bad') return { ...resultOf([address, name, proxy]), suspects: ['baseUrl'] };
  if (route.kind === 'unsupported') return resultOf([address, name, proxy]);
  const key = known?.key ?? madeUpPayment();
  const asked = password === null ? null : statusRequest(profile, base.value, password, key);
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
    if (steps.some(one => one.outcome === 'bad')) return { ...resultOf(steps), suspects: ['baseUrl'] };
    if (!asked || password === null) {
      const noPassword = step('status')(
        'skipped',
        msg('connection.status.no-password'),
        msg('connection.status.no-password.text'),
        msg('connection.status.no-password.todo'),
      );
      return { ...resultOf([...steps, noPassword]), suspects: ['password'] };
    }

    const ask = statusAsker(profile, base.value, password, send);
    /** The status step about one payment, from the answer to the profile's own form. */
    const statusOf = async (of: KnownPayment | null, first: StatusProbe, isProven: boolean) => {
      const asKey = of?.key ?? key;
      const best = await bestProbe(first, of !== null, statusForm => ask(asKey, { statusForm }));
      const isOtherKnown = () => isKeyKnown(first.outcome, asKey, profile, ask);
      const facts = { first, best, known: of, key: asKey, isProven, ask, isKeyKnown: isOtherKnown };
      let finding: Promise<Finding> | null = null;
      return {
        best,
        /** Asked for at most once, because a wrong password is sent for it. */
        finding: () => (finding ??= statusStep(facts, profile, password)),
      };
    };
    const first: StatusProbe = {
      form: profile.statusForm,
      outcome: readProbe(outcome, profile, base.value, [password, asked.hash]),
    };
    const asAsked = await statusOf(known, first, false);
    const ended = (findings: readonly Finding[]): CheckResult => ({
      ...resultOf(steps, findings),
      observed: known && asAsked.best.outcome,
    });
    if (makeLink === null) return ended([await asAsked.finding()]);
    // The answer about a payment that the gateway knows may prove it without another link.
    if (known !== null && searchedForPayment(first.outcome)) {
      const finding = await asAsked.finding();
      if (finding.isProven) return ended([finding]);
    }

    const link = await linkStep(profile, password, makeLink, isFormRead(asAsked.best), () =>
      isKeyKnown(first.outcome, key, profile, ask),
    );
    if (link.step.outcome === 'bad') return ended([link]);
    // A link that could not be made leaves the question to the status request.
    if (link.orderNumber === null) return ended([link, await asAsked.finding()]);
    if (!profile.statusByOrder) return ended([link, await (await statusOf(null, first, true)).finding()]);
    const own: KnownPayment = {
      key: { by: 'order-number', value: link.orderNumber },
      orderNumber: link.orderNumber,
    };
    const last = await statusOf(own, { form: profile.statusForm, outcome: await ask(own.key) }, true);
    return ended([link, await last.finding()]);
  } finally {
    await dispatcher.destroy();
  }
};
