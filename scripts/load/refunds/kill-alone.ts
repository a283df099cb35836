import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openPaymentLog } from '../../../main/payment-log/sqlite/open-payment-log.ts';
import type { RequestInput, RequestOutput } from '../../../shared/contract/contract.ts';
import type { Result } from '../../../shared/errors.ts';
import { inEnglish } from '../../../shared/messages/catalogues.ts';
import { placeInWords } from '../../../shared/messages/problem-place.ts';
import type { Event } from '../../../shared/payments/evidence.ts';
import { prepareShop, shopId as profileId } from '../../../tools/app-harness/prepared-shop.ts';
import { newPayment } from '../../../tools/app-harness/running-app.ts';
import type { RecordingGateway } from './recording-gateway.ts';
import { openForm } from '../../../tools/app-harness/send-operation.ts';
import { startRefunding, type Refunding } from './refunding.ts';

/**
 * Kills a console around every step of a refund: before and after its event is durable, before and after the gateway has
 * the request, before and after the answer is recorded, and before its callback. After each kill it is started again on
 * the same folder, and what the gateway recorded is compared with the payment log.
 */

/** When a console is killed. The random ones fall on both sides of a step. */
export const moments = ['writing', 'recorded', 'sending', 'held', 'answering', 'callback'] as const;
export type Moment = (typeof moments)[number];

/** What a kill left of a refund: in the log nothing, the request, or its answer too; and whether the request arrived. */
type Left = 'nothing' | 'recorded' | 'arrived' | 'answered';
export type KillReport = { kills: number; refunds: number; left: Record<Left, number>; settled: number };

export const noneLeft = (): KillReport => ({
  kills: 0,
  refunds: 0,
  left: { nothing: 0, recorded: 0, arrived: 0, answered: 0 },
  settled: 0,
});

/** Payments that are refunded at the same time in each round. */
const perRound = 2;
const amount = '10.00';
/** Spread of the random moments, milliseconds: what a step takes on a busy machine. */
const stepMs = 12;

/** A payment of the run. `form`: its refund, as its form was opened and sent. */
export type Target = {
  orderNumber: string;
  paymentId: string;
  form: RequestInput<'operations.send'> | null;
};

export const refund = async (
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
export const payOrders = async (
  console: Refunding,
  gateway: RecordingGateway,
  orders: readonly string[],
): Promise<Target[]> => {
  const targets: Target[] = [];
  for (const orderNumber of orders) {
    const created = await console.request('payments.create', newPayment({ profileId, orderNumber }));
    if (!created.ok) throw new Error(inEnglish(created.error.message));
    await gateway.pay(created.value.payment.link?.url ?? '');
    const { paymentIds } = await console.until(orderNumber, ({ state }) => state === 'paid-unconfirmed');
    targets.push({ orderNumber, paymentId: paymentIds[0] ?? '', form: null });
  }
  return targets;
};

/** Resolves at the moment of the kill, after the requests of a round were begun by `begin`. */
export const reachMoment = async (
  moment: Moment,
  console: Refunding,
  gateway: RecordingGateway,
  begin: () => Promise<unknown>,
  spreadMs = stepMs,
): Promise<void> => {
  if (moment === 'recorded') console.pause(null);
  if (moment === 'sending') console.pause(spreadMs / 2);
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
  await wait(Math.random() * spreadMs);
};

/** The events of some orders in the file of a console that is not running; throws if the log does not verify. */
export const readKilled = async (folder: string, orders: readonly string[]): Promise<Event[]> => {
  const log = await openPaymentLog({ file: join(folder, 'payments.db'), writer: 'auditor' });
  if (!log.ok) throw new Error(inEnglish(log.error.message));
  const events: Event[] = [];
  for (const order of orders) events.push(...(await log.value.events(profileId, order)));
  const { problems } = await log.value.verify();
  await log.value.close();
  if (problems[0])
    throw new Error(`${inEnglish(placeInWords(problems[0].at))}: ${inEnglish(problems[0].message)}`);
  return events;
};

/** How often a request for this refund arrived; each payment here has one intent. */
export const arrivals = ({ arrived }: RecordingGateway, { paymentId }: Target): number =>
  arrived.filter(one => one.paymentId === paymentId).length;

/** What is left of a refund after a kill; throws if it was sent twice, or without a record. */
export const leftOf = (gateway: RecordingGateway, events: readonly Event[], target: Target): Left => {
  const { form, orderNumber } = target;
  const intent = form?.intent;
  const isRecorded = events.some(one => one.kind === 'operation.requested' && one.body.intent === intent);
  const isAnswered = events.some(one => one.kind === 'operation.answered' && one.body.intent === intent);
  const count = arrivals(gateway, target);
  if (count > 1) throw new Error(`${orderNumber}: the refund was sent ${count} times.`);
  if (count > 0 && !isRecorded) throw new Error(`${orderNumber}: the refund was sent and is not in the log.`);
  if (isAnswered) return 'answered';
  return count > 0 ? 'arrived' : isRecorded ? 'recorded' : 'nothing';
};

/** Throws unless the console shows the refund, and refuses to send it again. */
export const checkShown = async (
  console: Refunding,
  gateway: RecordingGateway,
  target: Target,
): Promise<void> => {
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

/** Kills a console `kills` times, at each moment in turn, and throws at the first broken guarantee. `within`: an empty folder. */
export const killAlone = async (
  within: string,
  gateway: RecordingGateway,
  kills: number,
): Promise<KillReport> => {
  const folder = join(within, 'anna');
  mkdirSync(folder);
  await prepareShop(folder, 'anna', { baseUrl: gateway.baseUrl });
  let console = await startRefunding(folder);
  gateway.setCallbackUrl(console.callbackUrl);
  const report = noneLeft();
  const all: Target[] = [];
  try {
    for (let round = 0; round < kills; round += 1) {
      const orders = Array.from({ length: perRound }, (_, at) => `R-${round}-${at}`);
      const targets = await payOrders(console, gateway, orders);
      all.push(...targets);
      const moment = moments[round % moments.length] ?? 'held';
      const begin = () => Promise.all(targets.map(target => refund(console, target)));
      await reachMoment(moment, console, gateway, begin);
      await console.kill();
      gateway.holdAnswers(false);
      report.kills += 1;
      const events = await readKilled(folder, orders);
      const left = targets.map(target => leftOf(gateway, events, target));
      console = await startRefunding(folder);
      gateway.setCallbackUrl(console.callbackUrl);
      for (const [at, target] of targets.entries()) {
        const found = left[at] ?? 'nothing';
        report.left[found] += 1;
        report.refunds += 1;
        // Of an intent without a trace nothing was sent: it may be sent now, once.
        if (found === 'nothing') {
          const sent = await refund(console, target);
          if (!sent.ok) throw new Error(`${target.orderNumber}: ${inEnglish(sent.error.message)}`);
        }
        await checkShown(console, gateway, target);
      }
    }
    // A request that arrived ends with its callback, although the console was away; one that did not stays unknown.
    for (const target of all) {
      const isSent = arrivals(gateway, target) > 0;
      // A callback can be lost with the console that received it too late.
      await gateway.resend(target.orderNumber);
      const { operations } = await console.until(target.orderNumber, payment =>
        payment.operations.every(({ state }) => state === (isSent ? 'done' : 'unknown')),
      );
      if (operations.length !== 1) throw new Error(`${target.orderNumber}: ${operations.length} operations.`);
      if (isSent) report.settled += 1;
    }
    return report;
  } finally {
    await console.kill();
  }
};
