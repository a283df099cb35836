import { describe, expect, onTestFinished, test } from 'vitest';
import { addShop, newPayment, startTestApp } from '../../../tools/app-harness/running-app.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';
import { startSandbox } from '../../../main/sandbox/start-sandbox.ts';
import { createGateway } from '../../../main/gateway/create-gateway.ts';
import type { RequestOutput } from '../../../shared/contract/contract.ts';
import type { ProfileDraft } from '../../../shared/settings/profile.ts';
import {
  plainModel,
  startModelledGateway,
  type GatewayModel,
} from '../../gateway/connection/modelled-gateway.ts';
import { hasOpenssl, selfSigned } from '../../../tools/server-harness/self-signed.ts';
import { answering, json } from '../../../tools/server-harness/test-server.ts';
import { password, sandboxProfile } from '../../gateway/gateway-server.ts';

/** What a connection check of an account makes, records and shows. */

const app = useApp();

/** Saves a profile under a separate name: a port may come again once its gateway has closed. */
const save = (port: number, changes: Partial<ProfileDraft> = {}): Promise<string> => {
  const name = `Shop ${crypto.randomUUID()}`;
  const { id: _id, ...draft } = sandboxProfile(port, { name, kind: 'test', ...changes });
  return addShop(app, draft, password);
};
const check = async (id: string) => await app.value('profiles.check', { id });

const startModel = (model: Partial<GatewayModel> = {}) =>
  startModelledGateway({ ...plainModel, password, ...model });

test('the link of a connection check is evidence that is withdrawn at once, and is in no list, count or sum', async () => {
  const gateway = await startModel();
  const id = await save(gateway.port);
  const result = await check(id);
  expect([result.isProven, result.better, result.suspects]).toEqual([true, null, []]);
  const [orderNumber = ''] = gateway.links;

  const { payment, events } = await app.value('payments.read', { profileId: id, orderNumber });
  expect(events.map(({ kind }) => kind)).toEqual(['session.requested', 'session.accepted', 'link.withdrawn']);
  expect(events[0]).toMatchObject({
    agent: 'anna',
    body: { amount: '0.01', currency: 'EUR', description: 'Connection check', purpose: 'connection-check' },
  });
  expect(payment.linkUsable).toBe(false);

  const { rows } = await app.value('payments.list', { filter: { profileId: id }, limit: 10 });
  expect(rows).toEqual([]);
  expect((await app.value('payments.count', { filter: { profileId: id } })).count).toBe(0);
  const { states } = await app.value('payments.counts', { profileId: id });
  expect(Object.values(states).reduce((sum, count) => sum + count, 0)).toBe(0);
  const now = Date.now();
  const overview = await app.value('payments.overview', {
    profileId: id,
    from: now - 3_600_000,
    until: now + 3_600_000,
    timeZone: 'UTC',
  });
  expect(overview).toEqual({ currencies: [], elsewhere: 0 });
});

/** The order of the link that a check made. */
const orderOf = ({ steps }: RequestOutput<'profiles.check'>): string => {
  const order = steps.find(({ step }) => step === 'link')?.meaning.values?.['order'];
  return typeof order === 'string' ? order : '';
};

test('a customer who pays on the link of a connection check makes it a payment with a flag', async () => {
  const sandbox = await startSandbox({
    port: 0,
    merchantKey: 'merchant-key-1',
    merchantPassword: password,
    callbackUrl: null,
  });
  onTestFinished(() => sandbox.close());
  const id = await save(sandbox.port);
  const orderNumber = orderOf(await check(id));
  const list = async () => (await app.value('payments.list', { filter: { profileId: id }, limit: 10 })).rows;
  expect(await list()).toEqual([]);
  const { payment } = await app.value('payments.read', { profileId: id, orderNumber });
  const form = new URLSearchParams({ scenario: 'pay' });
  await fetch(payment.link?.url ?? '', { method: 'POST', body: form, redirect: 'manual' });
  await app.value('payments.lookUp', { profileId: id, key: { by: 'order-number', value: orderNumber } });
  expect(await list()).toMatchObject([{ orderNumber, state: 'paid-confirmed', linkUsable: false }]);
  const paid = await app.value('payments.read', { profileId: id, orderNumber });
  expect(paid.payment.flags.map(({ kind }) => kind)).toContain('paid-after-withdrawal');
});

test('a check that finds another setting offers it, and changes none', async () => {
  const gateway = await startModel({ statusForm: 'post-json' });
  const id = await save(gateway.port);
  expect(await check(id)).toMatchObject({ better: { statusForm: 'post-json' }, suspects: ['statusForm'] });
  const { profiles } = await app.state();
  expect(profiles.find(one => one.id === id)?.statusForm).toBe('get-json');
});

test('a gateway that has a smallest amount gets one more link, over a whole unit of the currency', async () => {
  const gateway = await answering((seen, response, request) =>
    (seen.url.includes('/session')
      ? seen.body.includes('"1.00"')
        ? json({ redirect_url: `http://127.0.0.1:${gateway.port}/pay` })
        : json({ errors: [{ error_message: 'order.amount: This value is too small.' }] }, 400)
      : json({ errors: [{ error_message: 'hash: Hash is not valid.' }] }, 400))(seen, response, request),
  );
  const id = await save(gateway.port);
  expect(await check(id)).toMatchObject({ isProven: true });
  expect(gateway.requests.filter(({ url }) => url.includes('/session'))).toHaveLength(2);
});

test('a currency without a rule for its amounts lets no link be made, and the check leads to that rule', async () => {
  const gateway = await startModel();
  const id = await save(gateway.port, { defaultCurrency: 'JPY' });
  expect(await check(id)).toMatchObject({ isProven: false, suspects: ['amountRule'] });
  expect(gateway.links).toEqual([]);
});

test('whether a gateway has the operations is asked only on request, with a void that moves no money', async () => {
  const gateway = await answering(json({ errors: [{ error_message: 'hash: Hash is not valid.' }] }, 400));
  const id = await save(gateway.port);
  await check(id);
  expect(gateway.requests.filter(({ url }) => url.endsWith('/void'))).toEqual([]);
  expect(await app.value('profiles.probeOperations', { id })).toEqual({
    exists: 'yes',
    httpStatus: 400,
    problem: null,
  });
  expect(gateway.requests.filter(({ url }) => url.endsWith('/void'))).toHaveLength(1);
  const missing = await answering(json('Not Found', 404));
  expect(await app.value('profiles.probeOperations', { id: await save(missing.port) })).toMatchObject({
    exists: 'no',
    httpStatus: 404,
  });
});

describe.runIf(hasOpenssl)('a live profile', () => {
  const startLive = async (model: Partial<GatewayModel>) => {
    const certificate = selfSigned('localhost');
    const gateway = await startModelledGateway({ ...plainModel, password, ...model }, certificate);
    const live = await startTestApp(undefined, {
      gateway: createGateway({ clock: Date.now, certificates: [certificate.cert] }),
    });
    onTestFinished(() => live.remove());
    const { id: _id, ...draft } = sandboxProfile(0, {
      name: 'Live shop',
      kind: 'live',
      baseUrl: `https://localhost:${gateway.port}`,
      successUrl: 'https://www.shop-for-tests.com/paid',
      cancelUrl: 'https://www.shop-for-tests.com/cancelled',
    });
    return { live, draft };
  };

  test('after a rejected link the check of a live profile names key and password', async () => {
    const { live, draft } = await startLive({});
    const id = await addShop(live, draft, 'another password');
    const before = await live.value('profiles.check', { id });
    expect([before.isProven, before.suspects]).toEqual([false, []]);
    expect(await live.refusal('payments.create', newPayment({ profileId: id }))).toBe(
      'gateway.signature-refused',
    );
    const after = await live.value('profiles.check', { id });
    expect([after.isProven, after.suspects]).toEqual([false, ['merchantKey', 'password']]);
    expect(after.steps.at(-1)?.title.key).toBe('connection.status.link-refused');
  });
});
