import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { createOperationRunner } from '../../main/app/operations/run-operation.ts';
import { createGateway } from '../../main/gateway/create-gateway.ts';
import { openPaymentLog } from '../../main/payment-log/sqlite/open-payment-log.ts';
import { startSandbox } from '../../main/sandbox/start-sandbox.ts';
import { openSettings } from '../../main/settings/settings-store.ts';
import { inEnglish } from '../../shared/messages/catalogues.ts';
import { profileDefaults, type Profile } from '../../shared/settings/profile.ts';
import { alternate, atMost, type Row } from './measure.ts';

const password = 'bench password';
/** The sandbox carries nothing out while this measures. */
const neverMs = 3_600_000;

/**
 * A refund, recorded durably before it is sent and after its answer, compared with a bare POST of the same bytes to the
 * same sandbox between two bare durable writes. The look-up before it is not part of either. `rounds`: counted ones.
 */
export const sendOperation = async (rounds = 400): Promise<Row> => {
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
  const settings = openSettings(join(folder, 'settings.json'), 'bench');
  const bare = new Agent();
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

  /** One large payment, refunded a cent at a time. */
  const payOnce = async (): Promise<string> => {
    const order = { number: 'B-0', amount: '100000.00', currency: 'EUR', description: 'Two nights, room 12' };
    const prepared = gateway.prepareSession(profile, password, {
      ...order,
      methods: ['card'],
      customer: null,
    });
    const session = await gateway.sendSession(profile, prepared);
    if (session.kind !== 'accepted') throw new Error(`the sandbox answered ${session.kind}`);
    const paid = await request(session.link, {
      method: 'POST',
      dispatcher: bare,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'scenario=pay',
    });
    await paid.body.dump();
    const found = await gateway.lookUp(profile, password, { by: 'order-number', value: order.number });
    const paymentId = found.kind === 'answered' ? found.answers[0]?.paymentId : null;
    if (!paymentId) throw new Error('the sandbox has no payment');
    return paymentId;
  };
  const paymentId = await payOnce();
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
  const reference = async (): Promise<void> => {
    const prepared = gateway.prepareOperation(profile, password, refund);
    const answer = await request(prepared.endpoint, {
      method: 'POST',
      dispatcher: bare,
      headers: { 'content-type': 'application/json' },
      body: prepared.body,
    });
    await answer.body.json();
  };

  // Off the main thread, which never waits for a disk.
  const flushed = await open(join(folder, 'flushed'), 'w');
  const written = Buffer.alloc(4_096);
  const flush = async (): Promise<void> => {
    await flushed.write(written);
    await flushed.datasync();
  };
  const betweenFlushes = async (): Promise<void> => {
    await flush();
    await reference();
    await flush();
  };

  const [us, durablePost] = await alternate([ours, betweenFlushes], { rounds, warmUp: Math.min(50, rounds) });
  await flushed.close();
  await Promise.all([log.close(), gateway.close(), settings.close(), bare.close(), sandbox.close()]);
  rmSync(folder, { recursive: true, force: true });
  return atMost(
    'a refund, recorded durably / bare POST between two bare durable writes (ms)',
    us,
    durablePost,
    1.25,
  );
};
