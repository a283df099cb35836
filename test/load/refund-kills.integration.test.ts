import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openPaymentLog } from '../../main/payment-log/list/open-payment-log.ts';
import { joiningText } from '../../main/team/joining-text.ts';
import type { RequestInput } from '../../shared/contract/contract.ts';
import { startRefunding, type Refunding } from '../../scripts/load/console-process.ts';
import { valueOf } from '../../scripts/load/console-process.ts';
import { startRecordingGateway, type RecordingGateway } from '../../scripts/load/recording-gateway.ts';
import { newFolder } from '../../tools/app-harness/new-folder.ts';
import { prepareShop, shopId as profileId } from '../../tools/app-harness/prepared-shop.ts';
import { newPayment } from '../../tools/app-harness/running-app.ts';
import { openForm } from '../../tools/app-harness/send-operation.ts';
import { borrowCluster } from '../../tools/postgres-harness/borrowed-cluster.ts';
import { isPostgresMissing } from '../../tools/postgres-harness/cluster.ts';
import { createTeam } from '../../tools/postgres-harness/shared-log.ts';

/**
 * Kills a console at each step of a refund: after its event is durable, after the gateway has the request, after the
 * answer is recorded. It is then started again on the same folder, and what the gateway recorded is compared with the
 * payment log. In a team two consoles also refund one payment at the same time.
 */

const moments = ['recorded', 'arrived', 'answered'] as const;
type Moment = (typeof moments)[number];

type Installed = { folder: string; console: Refunding };
/** A refund of one console, as its form was opened and sent. */
type Sent = { orderNumber: string; paymentId: string; form: RequestInput<'operations.send'> };

let folder: string;
let gateway: RecordingGateway;
let consoles: Installed[];
beforeEach(async () => {
  folder = newFolder('refunds');
  gateway = await startRecordingGateway(400);
  consoles = [];
});
afterEach(async () => {
  for (const { console } of consoles) await console.kill();
  await gateway.close();
});

const start = async (agent: string): Promise<Installed> => {
  const own = join(folder, agent);
  mkdirSync(own);
  await prepareShop(own, agent, { baseUrl: gateway.baseUrl });
  const installed = { folder: own, console: await startRefunding(own) };
  consoles.push(installed);
  return installed;
};

/** A payment that is paid, shown by every console: its id. */
const paid = async ({ console }: Installed, orderNumber: string): Promise<string> => {
  // Callbacks go to one address, as at a real gateway.
  gateway.setCallbackUrl(console.callbackUrl);
  const { payment } = valueOf(
    await console.request('payments.create', newPayment({ profileId, orderNumber })),
  );
  await gateway.pay(payment.link?.url ?? '');
  const shown = consoles.map(one =>
    one.console.until(orderNumber, ({ state }) => state === 'paid-unconfirmed'),
  );
  return (await Promise.all(shown))[0]?.paymentIds[0] ?? '';
};

const prepare = async ({ console }: Installed, orderNumber: string, paymentId: string): Promise<Sent> => {
  const target = { profileId, orderNumber, paymentIds: [paymentId] };
  return { orderNumber, paymentId, form: valueOf(await openForm(console, target, { amount: '10.00' })) };
};

/** Sends refunds from a console, and kills it at a moment of the first. */
const killAt = async (moment: Moment, { console }: Installed, sent: readonly Sent[]): Promise<void> => {
  console.hold(moment === 'recorded');
  gateway.holdAnswers(moment === 'arrived');
  const reached = { recorded: console.recorded(), arrived: gateway.next('operation') };
  const ended = Promise.all(sent.map(({ form }) => console.request('operations.send', form)));
  await (moment === 'answered' ? ended : reached[moment]);
  await console.kill();
  gateway.holdAnswers(false);
};

const arrivals = ({ paymentId }: Sent): number =>
  gateway.arrived.filter(one => one.paymentId === paymentId).length;

/** Which events of a refund are in the file of a console that is not running; its log verifies. */
const kindsLeft = async (installed: Installed, { orderNumber, form }: Sent): Promise<string[]> => {
  const file = join(installed.folder, 'payments.db');
  const log = valueOf(await openPaymentLog({ file, writer: 'auditor' }));
  const events = await log.events(profileId, orderNumber);
  expect((await log.verify()).problems).toEqual([]);
  await log.close();
  return events.flatMap(({ kind, body }) => ('intent' in body && body.intent === form.intent ? [kind] : []));
};

/** The console shows the refund once, and refuses to send it again. */
const isShownAndRefused = async ({ console }: Installed, { orderNumber, form }: Sent): Promise<void> => {
  await console.until(
    orderNumber,
    ({ operations }) => operations.filter(({ intent }) => intent === form.intent).length === 1,
  );
  const before = gateway.arrived.length;
  expect(await console.request('operations.send', form)).toMatchObject({ ok: false });
  expect(gateway.arrived.length).toBe(before);
};

/** What was sent ends with its callback, although the console was away; what was not stays unknown. */
const endsRight = async (sent: Sent, orNotSent: readonly string[] = []): Promise<void> => {
  const ends = arrivals(sent) > 0 ? ['done'] : ['unknown', ...orNotSent];
  // A callback can be lost with the console that received it too late.
  await gateway.resend(sent.orderNumber);
  for (const { console } of consoles)
    await console.until(sent.orderNumber, ({ operations }) =>
      operations.every(({ state }) => ends.includes(state)),
    );
};

test(
  'a console that is killed around a refund sends it once, shows it, and does not send it again',
  { timeout: 120_000 },
  async () => {
    const one = await start('anna');
    const left: Record<string, unknown> = {};
    for (const moment of moments) {
      const sent = await prepare(one, moment, await paid(one, moment));
      await killAt(moment, one, [sent]);
      left[moment] = [arrivals(sent), await kindsLeft(one, sent)];
      one.console = await startRefunding(one.folder);
      gateway.setCallbackUrl(one.console.callbackUrl);
      await isShownAndRefused(one, sent);
      await endsRight(sent);
    }
    expect(left).toEqual({
      recorded: [0, ['operation.requested']],
      arrived: [1, ['operation.requested']],
      answered: [1, ['operation.requested', 'operation.answered']],
    });
  },
);

const connected = async ({ console }: Installed): Promise<void> => {
  const read = async () => {
    const { team } = valueOf(await console.request('app.read', {}));
    return team && { state: team.state, waiting: team.waiting, isLevel: team.others?.isLevel };
  };
  const level = { state: 'connected', waiting: 0, isLevel: true };
  await expect.poll(read, { timeout: 30_000 }).toEqual(level);
};

test.skipIf(isPostgresMissing)(
  'with two consoles, of which one is killed, a payment is refunded once, and both show it (needs PostgreSQL)',
  { timeout: 180_000 },
  async () => {
    const cluster = await borrowCluster();
    const team = await createTeam(cluster);
    try {
      const pair = [await start('anna'), await start('ben')] as const;
      for (const [at, { console }] of pair.entries()) {
        const text = joiningText(await team.add('console', `Counter ${at + 1}`));
        valueOf(await console.request('team.join', { text }));
      }
      for (const [round, moment] of moments.entries()) {
        await Promise.all(pair.map(connected));
        const [victim, other] = round % 2 === 0 ? pair : [pair[1], pair[0]];
        const ids = [await paid(pair[0], `OWN-${round}`), await paid(pair[0], `BOTH-${round}`)] as const;
        const own = await prepare(victim, `OWN-${round}`, ids[0]);
        const both = await prepare(victim, `BOTH-${round}`, ids[1]);
        const others = await prepare(other, `BOTH-${round}`, ids[1]);
        const answer = other.console.request('operations.send', others.form);
        await killAt(moment, victim, [own, both]);
        const answered = await answer;
        const left = { own: await kindsLeft(victim, own), both: await kindsLeft(victim, both) };
        victim.console = await startRefunding(victim.folder);
        gateway.setCallbackUrl(pair[0].console.callbackUrl);
        await Promise.all(pair.map(connected));

        expect(arrivals(own)).toBeLessThanOrEqual(1);
        expect(arrivals(both)).toBeLessThanOrEqual(1);
        const recorded = [
          ...(left.own.length > 0 ? [own] : []),
          ...(left.both.length > 0 ? [both] : []),
          // It may have seen the other console's request before it recorded its own.
          ...(answered.ok || answered.error.details?.['stored'] === true ? [others] : []),
        ];
        // What was sent is recorded, and every console shows each record.
        expect(recorded.length).toBeGreaterThanOrEqual(arrivals(own) + arrivals(both));
        for (const installed of pair) for (const sent of recorded) await isShownAndRefused(installed, sent);
        for (const sent of recorded) await endsRight(sent, ['not-sent']);
      }
    } finally {
      for (const { console } of consoles) await console.kill();
      await team.close();
      await cluster.remove();
    }
  },
);
