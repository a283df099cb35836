import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { createGateway } from '../../main/gateway/create-gateway.ts';
import { openPaymentLog } from '../../main/payment-log/list/open-payment-log.ts';
import { startSandbox } from '../../main/sandbox/start-sandbox.ts';
import { inEnglish } from '../../shared/messages/catalogues.ts';
import { profileDefaults, type Profile } from '../../shared/settings/profile.ts';
import { alternate, atMost, type Row } from './measure.ts';

const password = 'bench password';

/**
 * Creating a link, with both of its events durable, compared with a bare POST of the same bytes to the same sandbox
 * between two bare durable writes, which do not block the main thread either. `rounds`: counted ones.
 */
export const createLink = async (rounds: number): Promise<Row> => {
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-bench-'));
  const account = { merchantKey: 'bench', merchantPassword: password };
  const sandbox = await startSandbox({ port: 0, ...account, callbackUrl: null });
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
  let count = 0;
  const nextOrder = () => {
    count += 1;
    const terms = { amount: '10.00', currency: 'EUR', description: 'Two nights, room 12' };
    return { number: `B-${count}`, ...terms, methods: ['card'], customer: null };
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
    const { endpoint, body } = gateway.prepareSession(profile, password, nextOrder());
    const headers = { 'content-type': 'application/json' };
    const answer = await request(endpoint, { method: 'POST', dispatcher: bare, headers, body });
    await answer.body.json();
    await flush();
  };
  const [us, durablePost] = await alternate([ours, betweenFlushes], { rounds, warmUp: Math.min(50, rounds) });
  await flushed.close();
  await Promise.all([log.close(), gateway.close(), bare.close(), sandbox.close()]);
  rmSync(folder, { recursive: true, force: true });
  const name = 'create a link, recorded durably / bare POST between two bare durable writes (ms)';
  return atMost(name, us, durablePost, 1.25);
};
