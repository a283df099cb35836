import { Agent, request } from 'undici';
import { createGateway } from '../../main/gateway/create-gateway.ts';
import { startSandbox } from '../../main/sandbox/start-sandbox.ts';
import { profileDefaults, type Profile } from '../../shared/settings/profile.ts';
import { atMost, alternate, type Row } from './measure.ts';

/**
 * The overhead of the gateway client per request (signing, limits, evidence, redaction), one at a time and eight at
 * once.
 */
export const clientOverhead = async (): Promise<Row[]> => {
  const sandbox = await startSandbox({
    port: 0,
    merchantKey: 'bench',
    merchantPassword: 'bench password',
    callbackUrl: null,
  });
  const gateway = createGateway({ connectionsPerProfile: 8 });
  const bare = new Agent({ connections: 8 });
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
  const prepare = () =>
    gateway.prepareSession(profile, 'bench password', {
      number: 'B-1',
      amount: '10.00',
      currency: 'EUR',
      description: 'Two nights, room 12',
      methods: ['card'],
      customer: null,
    });
  const ours = async (): Promise<void> => {
    const outcome = await gateway.sendSession(profile, prepare());
    if (outcome.kind !== 'accepted') throw new Error(`the sandbox answered ${outcome.kind}`);
  };
  const { endpoint, body } = prepare();
  const reference = async (): Promise<void> => {
    const answer = await request(endpoint, {
      method: 'POST',
      dispatcher: bare,
      headers: { 'content-type': 'application/json' },
      body,
    });
    await answer.body.json();
  };
  const many = (count: number, work: () => Promise<void>) => async (): Promise<void> => {
    // Each worker sends one request after another, so that `count` are always in flight.
    await Promise.all(
      Array.from({ length: count }, async () => {
        for (let turn = 0; turn < 10; turn += 1) await work();
      }),
    );
  };
  const rows: Row[] = [];
  for (const count of [1, 8]) {
    const [us, them] = await alternate([many(count, ours), many(count, reference)], {
      rounds: 80,
      warmUp: 15,
    });
    rows.push(atMost(`${count * 10} session requests, ${count} at once / bare undici (ms)`, us, them, 1.6));
  }
  await Promise.all([gateway.close(), bare.close(), sandbox.close()]);
  return rows;
};
