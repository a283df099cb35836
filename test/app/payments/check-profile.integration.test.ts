import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { newPayment, startTestApp, value, type TestApp } from '../../../tools/app-harness/running-app.ts';
import { answering, json, password, sandboxProfile, type Listening } from '../../gateway/gateway-server.ts';

/** What a connection check of a new account proves, with a gateway that knows no made-up payment. */

let app: TestApp;
let gateway: Listening;
const notValid = json({ errors: [{ error_message: 'hash: Hash is not valid.' }] }, 400);
const isPasswordRight = { now: false };
beforeAll(async () => {
  app = await startTestApp();
  gateway = await answering((seen, response, request) =>
    (isPasswordRight.now && seen.url.includes('/session')
      ? json({ redirect_url: `http://127.0.0.1:${gateway.port}/pay` })
      : notValid)(seen, response, request),
  );
});
afterAll(async () => {
  await gateway.close();
  await app.remove();
});

test('a check that finds another form of look-up offers it, and changes no setting', async () => {
  const readsPost = await answering((seen, response, request) =>
    (seen.method === 'POST'
      ? notValid
      : json({ errors: [{ error_message: 'merchant_key: This value should not be blank.' }] }, 400))(
      seen,
      response,
      request,
    ),
  );
  onTestFinished(() => readsPost.close());
  const profile = { ...sandboxProfile(readsPost.port), name: 'Reads only POST', kind: 'test' as const };
  const saved = value(await app.request('profiles.save', { id: null, profile, password, thisRunOnly: true }));
  const statusForm = async () => {
    const { profiles } = value(await app.request('app.read', {}));
    return profiles.find(({ id }) => id === saved.id)?.statusForm;
  };
  expect(await statusForm()).toBe('get-json');
  expect(value(await app.request('profiles.check', { id: saved.id })).betterForm).toBe('post-json');
  expect(await statusForm()).toBe('get-json');
});

test('after a rejected link the check of a wrong password looks different from that of a new account', async () => {
  const saved = await app.request('profiles.save', {
    id: null,
    profile: { ...sandboxProfile(gateway.port), name: 'Shop', kind: 'test' },
    password,
    thisRunOnly: true,
  });
  const { id } = value(saved);
  const check = async () => {
    const { steps, isProven } = value(await app.request('profiles.check', { id }));
    return { title: steps.at(-1)?.title.key, outcome: steps.at(-1)?.outcome, isProven };
  };
  expect(await check()).toEqual({
    title: 'connection.status.not-proven',
    outcome: 'warning',
    isProven: false,
  });
  const refused = await app.request('payments.create', newPayment({ profileId: id }));
  expect(refused).toMatchObject({ ok: false, error: { code: 'gateway.signature-refused' } });
  expect(await check()).toEqual({
    title: 'connection.status.link-refused',
    outcome: 'warning',
    isProven: false,
  });
  isPasswordRight.now = true;
  value(await app.request('payments.create', newPayment({ profileId: id })));
  const health = value(await app.request('profiles.health', { id }));
  expect(health.lastSuccess).toMatchObject({ by: 'session' });
});
