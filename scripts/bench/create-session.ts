import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { createGateway } from '../../main/gateway/create-gateway.ts';
import { openPaymentLog } from '../../main/payment-log/sqlite/open-payment-log.ts';
import { startSandbox } from '../../main/sandbox/start-sandbox.ts';
import { inEnglish } from '../../shared/messages/catalogues.ts';
import { profileDefaults, type Profile } from '../../shared/settings/profile.ts';
import { atMost, alternate, type Row } from './measure.ts';

const password = 'bench password';

/**
 * Creating a link with both log entries durable, compared with a bare POST of the same bytes to the same sandbox
 * between two bare durable writes, which do not block the main thread either.
 */
export const createSession = async (): Promise<Row> => {
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-bench-'));
  const sandbox = await startSandbox({
    port: 0,
    merchantKey: 'bench',
    merchantPassword: password,
    callbackUrl: null,
  });
  const opened = await openPaymentLog({ file: join(folder, 'payments.db'), writer: randomUUID() });
  if (!opened.ok) throw new Error(inEnglish(opened.error.message));
  const log = opened.value;
  const gateway = createGateway({ clock: Date.now });
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
  let count = 0;
  const order = () => {
    count += 1;
    return {
      number: `B-${count}`,
      amount: '10.00',
      currency: 'EUR',
      description: 'Two nights, room 12',
      methods: ['card'],
      customer: null,
    };
  };
  const frame = (orderNumber: string) => ({
    id: randomUUID(),
    profileId: 'sandbox',
    orderNumber,
    paymentId: null,
    happenedAt: Date.now(),
    agent: 'bench',
    dedupeKey: null,
  });

  const ours = async (): Promise<void> => {
    const wanted = order();
    const prepared = gateway.prepareSession(profile, password, wanted);
    const idempotencyKey = randomUUID();
    const { amount, currency, description, methods } = wanted;
    const { endpoint, redacted, expiryMinutes } = prepared;
    await log.append([
      {
        ...frame(wanted.number),
        kind: 'session.requested',
        body: {
          idempotencyKey,
          amount,
          currency,
          description,
          methods,
          customer: null,
          endpoint,
          request: redacted,
          expiryMinutes,
        },
      },
    ]);
    const outcome = await gateway.sendSession(profile, prepared);
    if (outcome.kind !== 'accepted') throw new Error(`the sandbox answered ${outcome.kind}`);
    const issuedAt = Date.now();
    await log.append([
      {
        ...frame(wanted.number),
        kind: 'session.accepted',
        body: {
          idempotencyKey,
          link: outcome.link,
          issuedAt,
          expiresAt: issuedAt + 3_600_000,
          answer: outcome.answer,
        },
      },
    ]);
  };
  const reference = async (): Promise<void> => {
    const prepared = gateway.prepareSession(profile, password, order());
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

  const [us, durablePost] = await alternate([ours, betweenFlushes], { rounds: 400, warmUp: 50 });
  await flushed.close();
  await Promise.all([log.close(), gateway.close(), bare.close(), sandbox.close()]);
  rmSync(folder, { recursive: true, force: true });
  return atMost(
    'create a session, journalled durably / bare POST between two bare durable writes (ms)',
    us,
    durablePost,
    1.25,
  );
};
