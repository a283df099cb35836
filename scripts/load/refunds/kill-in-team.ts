import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { joiningText } from '../../../main/team/joining-text.ts';
import { inEnglish } from '../../../shared/messages/catalogues.ts';
import { prepareShop } from '../../../tools/app-harness/prepared-shop.ts';
import type { Cluster } from '../../../tools/postgres-harness/cluster.ts';
import { createTeam } from '../../../tools/postgres-harness/shared-log.ts';
import {
  arrivals,
  checkShown,
  leftOf,
  moments,
  noneLeft,
  payOrders,
  reachMoment,
  readKilled,
  refund,
  type KillReport,
  type Target,
} from './kill-alone.ts';
import type { RecordingGateway } from './recording-gateway.ts';
import { startRefunding, type Refunding } from './refunding.ts';

/**
 * The same as kill-alone.ts with two consoles on a shared log. In each round each console refunds a payment that the
 * other one leaves alone, and both refund a third one at the same time, while one of them or both are killed.
 */

type Installed = { folder: string; label: string; console: Refunding };

/** Spread of the random moments, milliseconds: what the agreement with the other console takes. */
const spreadMs = 120;
const connectMs = 30_000;

const connected = async ({ console, label }: Installed): Promise<void> => {
  for (const until = performance.now() + connectMs; ; await wait(50)) {
    const read = await console.request('app.read', {});
    const team = read.ok ? read.value.team : null;
    if (team?.state === 'connected' && team.waiting === 0 && team.replica?.isLevel === true) return;
    if (performance.now() > until) throw new Error(`${label} is not connected: ${JSON.stringify(team)}`);
  }
};

/** Waits until the console shows every intent of a payment; throws after a limit. */
const showsAll = (
  { console }: Installed,
  orderNumber: string,
  intents: readonly string[],
): Promise<unknown> =>
  console.until(orderNumber, ({ operations }) =>
    intents.every(intent => operations.filter(one => one.intent === intent).length === 1),
  );

export type TeamKillReport = KillReport & {
  /** Of the payments that both refunded at once: how often it was sent, and how often by neither. */
  contested: { once: number; never: number };
};

/** Kills consoles `kills` times, and throws at the first broken guarantee. `folder`: an empty one. */
export const killInTeam = async (
  folder: string,
  gateway: RecordingGateway,
  cluster: Cluster,
  kills: number,
): Promise<TeamKillReport> => {
  const team = await createTeam(cluster);
  const start = async (label: string, agent: string): Promise<Installed> => {
    const place = join(folder, agent);
    mkdirSync(place);
    await prepareShop(place, agent, { baseUrl: gateway.baseUrl });
    const installed = { folder: place, label, console: await startRefunding(place) };
    const joined = await installed.console.request('team.join', {
      text: joiningText(await team.add('console', label)),
    });
    if (!joined.ok) throw new Error(inEnglish(joined.error.message));
    await connected(installed);
    return installed;
  };
  const one = await start('Counter 1', 'anna');
  const two = await start('Counter 2', 'ben');
  const consoles = [one, two];
  const report: TeamKillReport = { ...noneLeft(), contested: { once: 0, never: 0 } };
  const own: Target[] = [];
  try {
    for (let round = 0; report.kills < kills; round += 1) {
      // Callbacks go to one address, as at a real gateway.
      gateway.setCallbackUrl(one.console.callbackUrl);
      const orders = ['ONE', 'TWO', 'BOTH'].map(name => `${name}-${round}`);
      const paid = await payOrders(one.console, gateway, orders);
      const [ofOne, ofTwo, ofBoth] = paid;
      if (!ofOne || !ofTwo || !ofBoth) throw new Error('A payment is missing.');
      for (const { orderNumber } of paid)
        await two.console.until(orderNumber, ({ state }) => state === 'paid-unconfirmed');
      own.push(ofOne, ofTwo);
      const other: Target = { ...ofBoth, form: null };
      const plans = [
        { installed: one, own: ofOne, shared: ofBoth },
        { installed: two, own: ofTwo, shared: other },
      ];
      const dying = round % 5 === 4 ? plans : plans.filter((_, at) => at === round % 2);
      const [victim] = dying;
      if (!victim) throw new Error('No console dies.');
      const begun = new Map<Installed, ReturnType<typeof refund>[]>();
      await reachMoment(
        moments[round % moments.length] ?? 'held',
        victim.installed.console,
        gateway,
        () => {
          for (const { installed, ...targets } of plans)
            begun.set(
              installed,
              [targets.own, targets.shared].map(target => refund(installed.console, target)),
            );
          return Promise.all(begun.get(victim.installed) ?? []);
        },
        spreadMs,
      );
      await Promise.all(dying.map(({ installed }) => installed.console.kill()));
      gateway.holdAnswers(false);
      report.kills += dying.length;
      const found = await Promise.all(
        dying.map(async plan => {
          const events = await readKilled(plan.installed.folder, orders);
          const requested = ({ form }: Target): boolean =>
            events.some(event => event.kind === 'operation.requested' && event.body.intent === form?.intent);
          return { plan, left: leftOf(gateway, events, plan.own), isShared: requested(plan.shared) };
        }),
      );
      const lost = found.filter(({ isShared }) => !isShared).map(({ plan }) => plan.shared);
      for (const plan of plans.filter(one => !dying.includes(one))) {
        const [, sent] = await Promise.all(begun.get(plan.installed) ?? []);
        // It may have seen the other one's request before it recorded its own.
        if (sent && !sent.ok && sent.error.details?.['stored'] !== true) lost.push(plan.shared);
      }
      for (const { installed } of dying) installed.console = await startRefunding(installed.folder);
      gateway.setCallbackUrl(one.console.callbackUrl);
      for (const installed of consoles) await connected(installed);

      const contested = arrivals(gateway, ofBoth);
      if (contested > 1) throw new Error(`${ofBoth.orderNumber}: two consoles sent it, ${contested} times.`);
      report.contested[contested === 1 ? 'once' : 'never'] += 1;
      const recorded = [ofBoth, other].filter(target => !lost.includes(target));
      if (contested === 1 && recorded.length === 0)
        throw new Error(`${ofBoth.orderNumber}: it was sent and is in no log.`);
      // Both consoles show what either recorded.
      for (const installed of consoles)
        await showsAll(
          installed,
          ofBoth.orderNumber,
          recorded.flatMap(({ form }) => form?.intent ?? []),
        );
      for (const { plan, left } of found) {
        report.left[left] += 1;
        report.refunds += 1;
        if (left === 'nothing') {
          const sent = await refund(plan.installed.console, plan.own);
          if (!sent.ok) throw new Error(`${plan.own.orderNumber}: ${inEnglish(sent.error.message)}`);
        }
      }
      for (const plan of plans) {
        await checkShown(plan.installed.console, gateway, plan.own);
        for (const installed of consoles)
          await showsAll(installed, plan.own.orderNumber, [plan.own.form?.intent ?? '']);
        if (recorded.includes(plan.shared)) await checkShown(plan.installed.console, gateway, plan.shared);
      }
    }
    for (const target of own) {
      const isSent = arrivals(gateway, target) > 0;
      await gateway.resend(target.orderNumber);
      for (const { console } of consoles)
        await console.until(target.orderNumber, ({ operations }) =>
          operations.every(({ state }) => (isSent ? ['done'] : ['unknown', 'not-sent']).includes(state)),
        );
      if (isSent) report.settled += 1;
    }
    return report;
  } finally {
    for (const { console } of consoles) await console.kill();
    await team.close();
  }
};
