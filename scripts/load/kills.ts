import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openPaymentLog } from '../../main/payment-log/sqlite/open-payment-log.ts';
import { joiningText } from '../../main/team/joining-text.ts';
import type { RequestInput, RequestOutput } from '../../shared/contract/contract.ts';
import type { Result } from '../../shared/errors.ts';
import { inEnglish } from '../../shared/messages/catalogues.ts';
import { placeInWords } from '../../shared/messages/problem-place.ts';
import type { Event } from '../../shared/payments/evidence.ts';
import { prepareShop, shopId as profileId } from '../../tools/app-harness/prepared-shop.ts';
import { newPayment } from '../../tools/app-harness/running-app.ts';
import { openForm } from '../../tools/app-harness/send-operation.ts';
import type { Team } from '../../tools/postgres-harness/shared-log.ts';
import { startRefunding, type Refunding } from './console-process.ts';
import { valueOf } from './listener.ts';
import type { RecordingGateway } from './recording-gateway.ts';

/**
 * Kills a console around every step of a refund: before and after its event is durable, before and after the gateway has
 * the request, before and after the answer is recorded, and before its callback. After each kill it is started again on
 * the same folder, and what the gateway recorded is compared with the payment log.
 *
 * In a team there are two consoles on a shared log. In each round each refunds a payment that the other one leaves alone,
 * and both refund a third one at the same time, while one of them or both are killed.
 */

/** When a console is killed. The random ones fall on both sides of a step. */
const moments = ['writing', 'recorded', 'sending', 'held', 'answering', 'callback'] as const;
type Moment = (typeof moments)[number];

/** What a kill left of a refund: in the log nothing, the request, or its answer too; and whether the request arrived. */
type Left = 'nothing' | 'recorded' | 'arrived' | 'answered';
type KillReport = {
  kills: number;
  refunds: number;
  left: Record<Left, number>;
  settled: number;
  /** Of the payments that both refunded at once: how many were sent, and how many by neither. */
  contested: { once: number; never: number };
};

const amount = '10.00';
/** Spread of the random moments, milliseconds: what a step takes on a busy machine, with another console's consent. */
const spreadMs = { alone: 12, team: 120 };
const connectMs = 30_000;

type Installed = { folder: string; label: string; console: Refunding };
/** A payment of the run. `form`: its refund, as its form was opened and sent. */
type Target = { orderNumber: string; paymentId: string; form: RequestInput<'operations.send'> | null };
/** What a console refunds in a round. `shared`: the other one does, too. */
type Plan = { installed: Installed; own: Target[]; shared: Target[] };

const refund = async (
  console: Refunding,
  target: Target,
): Promise<Result<RequestOutput<'operations.send'>>> => {
  const { orderNumber, paymentId } = target;
  const form = await openForm(console, { profileId, orderNumber, paymentIds: [paymentId] }, { amount });
  if (!form.ok) return form;
  target.form = form.value;
  return console.request('operations.send', form.value);
};

/** Raises payments and pays them; resolves when the console has confirmed each. */
const payOrders = async (
  console: Refunding,
  gateway: RecordingGateway,
  orders: readonly string[],
): Promise<Target[]> => {
  const targets: Target[] = [];
  for (const orderNumber of orders) {
    const { payment } = valueOf(
      await console.request('payments.create', newPayment({ profileId, orderNumber })),
    );
    await gateway.pay(payment.link?.url ?? '');
    const { paymentIds } = await console.until(orderNumber, ({ state }) => state === 'paid-unconfirmed');
    targets.push({ orderNumber, paymentId: paymentIds[0] ?? '', form: null });
  }
  return targets;
};

/** Resolves at the moment of the kill, after the requests of a round were begun by `begin`. */
const reachMoment = async (
  moment: Moment,
  console: Refunding,
  gateway: RecordingGateway,
  begin: () => Promise<unknown>,
  spread: number,
): Promise<void> => {
  if (moment === 'recorded') console.pause(null);
  if (moment === 'sending') console.pause(spread / 2);
  gateway.holdAnswers(moment === 'held');
  const step = {
    writing: () => gateway.next('look-up'),
    recorded: () => console.recorded(),
    sending: () => console.recorded(),
    held: () => gateway.next('operation'),
    answering: () => gateway.next('operation'),
    callback: () => Promise.resolve(),
  }[moment]();
  const ended = begin();
  await (moment === 'callback' ? ended : step);
  await wait(Math.random() * spread);
};

/** The events of some orders in the file of a console that is not running; throws if the log does not verify. */
const readKilled = async (folder: string, orders: readonly string[]): Promise<Event[]> => {
  const log = valueOf(await openPaymentLog({ file: join(folder, 'payments.db'), writer: 'auditor' }));
  const events: Event[] = [];
  for (const order of orders) events.push(...(await log.events(profileId, order)));
  const { problems } = await log.verify();
  await log.close();
  if (problems[0])
    throw new Error(`${inEnglish(placeInWords(problems[0].at))}: ${inEnglish(problems[0].message)}`);
  return events;
};

/** How often a request for this refund arrived. */
const arrivals = ({ arrived }: RecordingGateway, { paymentId }: Target): number =>
  arrived.filter(one => one.paymentId === paymentId).length;

const hasEvent = (
  events: readonly Event[],
  kind: 'operation.requested' | 'operation.answered',
  { form }: Target,
): boolean => events.some(event => event.kind === kind && event.body.intent === form?.intent);

/** What is left of a refund after a kill; throws if it was sent twice, or without a record. */
const leftOf = (gateway: RecordingGateway, events: readonly Event[], target: Target): Left => {
  const { orderNumber } = target;
  const isRecorded = hasEvent(events, 'operation.requested', target);
  const count = arrivals(gateway, target);
  if (count > 1) throw new Error(`${orderNumber}: the refund was sent ${count} times.`);
  if (count > 0 && !isRecorded) throw new Error(`${orderNumber}: the refund was sent and is not in the log.`);
  if (hasEvent(events, 'operation.answered', target)) return 'answered';
  return count > 0 ? 'arrived' : isRecorded ? 'recorded' : 'nothing';
};

/** Throws unless the console shows the refund, and refuses to send it again. */
const checkShown = async (console: Refunding, gateway: RecordingGateway, target: Target): Promise<void> => {
  const { orderNumber, form } = target;
  const read = await console.request('payments.read', { profileId, orderNumber });
  const shown = read.ok ? read.value.payment.operations.filter(one => one.intent === form?.intent) : [];
  if (shown.length !== 1)
    throw new Error(`${orderNumber}: ${shown.length} operations of the intent are shown.`);
  const before = arrivals(gateway, target);
  const again = form && (await console.request('operations.send', form));
  if (again?.ok !== false) throw new Error(`${orderNumber}: the intent was accepted again.`);
  if (arrivals(gateway, target) !== before) throw new Error(`${orderNumber}: the intent was sent again.`);
};

/** Waits until the console shows every intent of a payment; throws after a limit. */
const showsAll = ({ console }: Installed, targets: readonly Target[]): Promise<unknown> =>
  console.until(targets[0]?.orderNumber ?? '', ({ operations }) =>
    targets.every(({ form }) => operations.filter(one => one.intent === form?.intent).length === 1),
  );

const connected = async ({ console, label }: Installed): Promise<void> => {
  for (const until = performance.now() + connectMs; ; await wait(50)) {
    const { team } = valueOf(await console.request('app.read', {}));
    if (team?.state === 'connected' && team.waiting === 0 && team.replica?.isLevel === true) return;
    if (performance.now() > until) throw new Error(`${label} is not connected: ${JSON.stringify(team)}`);
  }
};

/**
 * Kills consoles `kills` times, at each moment in turn, and throws at the first broken guarantee. `within`: an empty
 * folder; `team`: where two consoles meet; null: one alone.
 */
export const killAroundRefunds = async (
  within: string,
  gateway: RecordingGateway,
  team: Team | null,
  kills: number,
): Promise<KillReport> => {
  const start = async (label: string, agent: string): Promise<Installed> => {
    const folder = join(within, agent);
    mkdirSync(folder);
    await prepareShop(folder, agent, { baseUrl: gateway.baseUrl });
    return { folder, label, console: await startRefunding(folder) };
  };
  const one = await start('Counter 1', 'anna');
  const consoles = team ? [one, await start('Counter 2', 'ben')] : [one];
  const areConnected = () => Promise.all(team ? consoles.map(connected) : []);
  const report: KillReport = {
    kills: 0,
    refunds: 0,
    left: { nothing: 0, recorded: 0, arrived: 0, answered: 0 },
    settled: 0,
    contested: { once: 0, never: 0 },
  };
  const all: Target[] = [];
  try {
    if (team)
      for (const { console, label } of consoles) {
        const text = joiningText(await team.add('console', label));
        valueOf(await console.request('team.join', { text }));
      }
    await areConnected();
    for (let round = 0; report.kills < kills; round += 1) {
      // Callbacks go to one address, as at a real gateway.
      gateway.setCallbackUrl(one.console.callbackUrl);
      const orders = ['ONE', 'TWO', ...(team ? ['BOTH'] : [])].map(name => `${name}-${round}`);
      const paid = await payOrders(one.console, gateway, orders);
      for (const { console } of consoles)
        for (const { orderNumber } of paid)
          await console.until(orderNumber, ({ state }) => state === 'paid-unconfirmed');
      const own = paid.slice(0, 2);
      all.push(...own);
      const plans = consoles.map((installed, at): Plan => ({
        installed,
        own: team ? own.slice(at, at + 1) : own,
        shared: paid.slice(2).map(target => ({ ...target })),
      }));
      const dying = round % 5 === 4 ? plans : plans.filter((_, at) => at === round % plans.length);
      const begun = new Map<Installed, ReturnType<typeof refund>[]>();
      const begin = () => {
        for (const { installed, own: mine, shared } of plans)
          begun.set(
            installed,
            [...mine, ...shared].map(target => refund(installed.console, target)),
          );
        return Promise.all(begun.get(victim) ?? []);
      };
      const victim = dying[0]?.installed ?? one;
      await reachMoment(
        moments[round % moments.length] ?? 'held',
        victim.console,
        gateway,
        begin,
        team ? spreadMs.team : spreadMs.alone,
      );
      await Promise.all(dying.map(({ installed }) => installed.console.kill()));
      gateway.holdAnswers(false);
      report.kills += dying.length;
      /** The refunds of the shared payment that are not recorded. */
      const lost: Target[] = [];
      const unsent: { installed: Installed; target: Target }[] = [];
      for (const { installed, own: mine, shared } of dying) {
        const events = await readKilled(installed.folder, orders);
        lost.push(...shared.filter(target => !hasEvent(events, 'operation.requested', target)));
        for (const target of mine) {
          const left = leftOf(gateway, events, target);
          report.left[left] += 1;
          report.refunds += 1;
          // Of an intent without a trace nothing was sent: it may be sent now, once.
          if (left === 'nothing') unsent.push({ installed, target });
        }
      }
      for (const plan of plans.filter(other => !dying.includes(other))) {
        const sent = (await Promise.all(begun.get(plan.installed) ?? [])).at(-1);
        // It may have seen the other one's request before it recorded its own.
        if (sent && !sent.ok && sent.error.details?.['stored'] !== true) lost.push(...plan.shared);
      }
      for (const { installed } of dying) installed.console = await startRefunding(installed.folder);
      gateway.setCallbackUrl(one.console.callbackUrl);
      await areConnected();

      for (const target of paid.slice(2)) {
        const contested = arrivals(gateway, target);
        if (contested > 1)
          throw new Error(`${target.orderNumber}: two consoles sent it, ${contested} times.`);
        report.contested[contested === 1 ? 'once' : 'never'] += 1;
        const recorded = plans.flatMap(({ shared }) => shared).filter(shared => !lost.includes(shared));
        if (contested === 1 && recorded.length === 0)
          throw new Error(`${target.orderNumber}: it was sent and is in no log.`);
        // Both consoles show what either recorded.
        for (const installed of consoles) if (recorded.length > 0) await showsAll(installed, recorded);
      }
      for (const { installed, target } of unsent) valueOf(await refund(installed.console, target));
      for (const { installed, own: mine, shared } of plans)
        for (const target of [...mine, ...shared.filter(each => !lost.includes(each))]) {
          await checkShown(installed.console, gateway, target);
          for (const each of consoles) await showsAll(each, [target]);
        }
    }
    // A request that arrived ends with its callback, although the console was away; one that did not stays unknown.
    for (const target of all) {
      const isSent = arrivals(gateway, target) > 0;
      const ends = isSent ? ['done'] : ['unknown', ...(team ? ['not-sent'] : [])];
      // A callback can be lost with the console that received it too late.
      await gateway.resend(target.orderNumber);
      for (const { console } of consoles) {
        const { operations } = await console.until(target.orderNumber, payment =>
          payment.operations.every(({ state }) => ends.includes(state)),
        );
        if (operations.length !== 1)
          throw new Error(`${target.orderNumber}: ${operations.length} operations.`);
      }
      if (isSent) report.settled += 1;
    }
    return report;
  } finally {
    for (const { console } of consoles) await console.kill();
  }
};
