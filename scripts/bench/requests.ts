import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { createOperationRunner } from '../../main/app/operations/run-operation.ts';
import { createGateway } from '../../main/gateway/create-gateway.ts';
import type { Gateway } from '../../main/gateway/gateway.ts';
import type { PaymentLog } from '../../main/payment-log/payment-log.ts';
import { openPaymentLog } from '../../main/payment-log/sqlite/open-payment-log.ts';
import { startSandbox } from '../../main/sandbox/start-sandbox.ts';
import { inEnglish } from '../../shared/messages/catalogues.ts';
import { profileDefaults, type Profile } from '../../shared/settings/profile.ts';
import { alternate, atMost, type Row } from './measure.ts';

/**
 * What the console sends, recorded durably before and after, compared with a bare POST of the same bytes to the same
 * sandbox between two bare durable writes, which do not block the main thread either.
 */

const password = 'bench password';
/** The sandbox carries no operation out while this measures. */
const neverMs = 3_600_000;
const target = 1.25;

type Bench = { log: PaymentLog; gateway: Gateway; profile: Profile };
/** `ours`: one request of the console; `prepared`: the next one to post barely. */
type Compared = { ours: () => Promise<void>; prepared: () => { endpoint: string; body: string } };

const compare = async (
  name: string,
  rounds: number,
  start: (bench: Bench) => Promise<Compared>,
): Promise<Row> => {
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-bench-'));
  const sandbox = await startSandbox({
    port: 0,
    merchantKey: 'bench',
    merchantPassword: password,
    callbackUrl: null,
    operationDelayMs: neverMs,
  });
  const opened = await openPaymentLog({ file: join(folder, 'payments.db'), writer: randomUUID() });
  if (!opened.ok) throw new Error(inEnglish(opened.error.message));
  const log = opened.value;
  const gateway = createGateway({ clock: Date.now });
  const profile: Profile = {
    ...profileDefaults,
    successUrl: 'https://shop.test/thank-you?order={order}',
    cancelUrl: 'https://shop.test/cancelled?order={order}',
    id: 'sandbox',
    name: 'Sandbox',
    kind: 'sandbox',
    baseUrl: sandbox.baseUrl,
    merchantKey: 'bench',
  };
  const { ours, prepared } = await start({ log, gateway, profile });

  const bare = new Agent();
  // Off the main thread, which never waits for a disk.
  const flushed = await open(join(folder, 'flushed'), 'w');
  const written = Buffer.alloc(4_096);
  const flush = async (): Promise<void> => {
    await flushed.write(written);
    await flushed.datasync();
  };
  const betweenFlushes = async (): Promise<void> => {
    await flush();
    const { endpoint, body } = prepared();
    const headers = { 'content-type': 'application/json' };
    const answer = await request(endpoint, { method: 'POST', dispatcher: bare, headers, body });
    await answer.body.json();
    await flush();
  };
  const [us, durablePost] = await alternate([ours, betweenFlushes], { rounds, warmUp: Math.min(50, rounds) });
  await flushed.close();
  await Promise.all([log.close(), gateway.close(), bare.close(), sandbox.close()]);
  rmSync(folder, { recursive: true, force: true });
  return atMost(`${name} / bare POST between two bare durable writes (ms)`, us, durablePost, target);
};

const orderOf = (number: string, amount: string) => ({
  number,
  amount,
  currency: 'EUR',
  description: 'Two nights, room 12',
  methods: ['card'],
  customer: null,
});

/** Creating a link, with both of its events durable. `rounds`: counted ones. */
export const createLink = (rounds: number): Promise<Row> =>
  compare('create a session, journalled durably', rounds, ({ log, gateway, profile }) => {
    let count = 0;
    const nextOrder = () => {
      count += 1;
      return orderOf(`B-${count}`, '10.00');
    };
    const ours = async (): Promise<void> => {
      const { number, ...order } = nextOrder();
      const prepared = gateway.prepareSession(profile, password, { number, ...order });
      const idempotencyKey = randomUUID();
      const { endpoint, redacted, expiryMinutes } = prepared;
      const frame = () => ({
        id: randomUUID(),
        profileId: 'sandbox',
        orderNumber: number,
        paymentId: null,
        happenedAt: Date.now(),
        agent: 'bench',
        dedupeKey: null,
      });
      const requested = { idempotencyKey, ...order, endpoint, request: redacted, expiryMinutes };
      await log.append([{ ...frame(), kind: 'session.requested', body: requested }]);
      const outcome = await gateway.sendSession(profile, prepared);
      if (outcome.kind !== 'accepted') throw new Error(`the sandbox answered ${outcome.kind}`);
      const { link, answer } = outcome;
      const issuedAt = Date.now();
      const accepted = { idempotencyKey, link, issuedAt, expiresAt: issuedAt + 3_600_000, answer };
      await log.append([{ ...frame(), kind: 'session.accepted', body: accepted }]);
    };
    const prepared = () => gateway.prepareSession(profile, password, nextOrder());
    return Promise.resolve({ ours, prepared });
  });

/** A large payment at the sandbox, refunded a cent at a time: its id. */
const payOnce = async ({ gateway, profile }: Bench): Promise<string> => {
  const order = orderOf('B-0', '100000.00');
  const session = await gateway.sendSession(profile, gateway.prepareSession(profile, password, order));
  if (session.kind !== 'accepted') throw new Error(`the sandbox answered ${session.kind}`);
  const paid = await request(session.link, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'scenario=pay',
  });
  await paid.body.dump();
  const found = await gateway.lookUp(profile, password, { by: 'order-number', value: order.number });
  const paymentId = found.kind === 'answered' ? found.answers[0]?.paymentId : null;
  if (!paymentId) throw new Error('the sandbox has no payment');
  return paymentId;
};

/** A refund, without the look-up before it. `rounds`: counted ones. */
export const sendOperation = (rounds: number): Promise<Row> =>
  compare('a refund, recorded durably', rounds, async bench => {
    const { log, gateway, profile } = bench;
    const paymentId = await payOnce(bench);
    const refund = { operation: 'refund', paymentId, amount: '0.01' } as const;
    const run = createOperationRunner({
      gateway,
      requester: { person: () => null, name: () => 'console', refusalIfGone: () => null },
      clock: Date.now,
      team: { begin: () => Promise.resolve({ ok: true, value: null }), end: () => Promise.resolve() },
    });
    let count = 0;
    const ours = async (): Promise<void> => {
      count += 1;
      const sent = await run(log, {
        profile,
        password,
        // Each in another order: a payment has few operations, and its events are read with every one.
        orderNumber: `B-${count}`,
        paymentId,
        request: refund,
        decision: {
          intent: randomUUID(),
          amount: refund.amount,
          currency: 'EUR',
          reason: 'goodwill',
          text: '',
          agentId: 'ada',
          approvedBy: null,
          approvedById: null,
        },
        claim: {
          account: '',
          subjects: [],
          person: { id: 'ada', name: 'Ada' },
          currency: 'EUR',
          minor: 1n,
          seen: [],
          known: [],
        },
        withinLimits: () => Promise.resolve({ ok: true, value: undefined }),
      });
      if (!sent.ok) throw new Error(inEnglish(sent.error.message));
    };
    return { ours, prepared: () => gateway.prepareOperation(profile, password, refund) };
  });
