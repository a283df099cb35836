import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSandbox } from '../../../main/sandbox/start-sandbox.ts';
import { shopAccount } from '../../../tools/app-harness/prepared-shop.ts';
import { addShop, newPayment, shopProfile } from '../../../tools/app-harness/running-app.ts';
import { useApp } from '../../../tools/app-harness/use-app.ts';

/** What may differ for one payment: by the real app, with the built-in sandbox. */

const app = useApp();
/** A profile of a sandbox gateway that sends the optional session fields. */
let profileId: string;
let sandbox: Awaited<ReturnType<typeof startSandbox>>;
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, ...shopAccount, callbackUrl: null });
  const extras = {
    ...shopProfile.extras,
    sessionExpiry: 120,
    sendCustomer: true,
    customData: '{"till":"3"}',
    cardToken: true,
  };
  profileId = await addShop(app, { baseUrl: sandbox.baseUrl, extras }, shopAccount.merchantPassword);
});
afterAll(() => sandbox.close());

const requestedBy = async (changes: Parameters<typeof newPayment>[0]) => {
  const { events } = await app.value('payments.create', newPayment(changes));
  const requested = events.find(event => event.kind === 'session.requested');
  if (requested?.kind !== 'session.requested') throw new Error('no request');
  return requested.body;
};

test('an option that the profile does not send is refused at its field, and nothing is sent', async () => {
  const refused = await app.request(
    'payments.create',
    newPayment({
      options: { expiryMinutes: 15, billingAddress: { city: 'Kiel' }, cardToken: 'saved-card' },
    }),
  );
  expect(refused).toMatchObject({
    ok: false,
    error: {
      code: 'input.invalid',
      fields: [
        { path: 'options.expiryMinutes' },
        { path: 'options.billingAddress' },
        { path: 'options.cardToken' },
      ],
    },
  });
});

test('the customer’s language and telephone number are evidence, and not sent', async () => {
  const body = await requestedBy({
    customer: { name: 'Jörg Müller', phone: '+49 171 5550123' },
    options: { language: 'de' },
  });
  expect(body).toMatchObject({ customer: { phone: '+49 171 5550123' }, options: { language: 'de' } });
  expect(body.request).not.toContain('5550123');
});

test('expiry, billing address, custom data and card token are sent where the profile sends them', async () => {
  const body = await requestedBy({
    profileId,
    options: {
      expiryMinutes: 15,
      billingAddress: { city: 'Kiel', country: 'DE' },
      customData: { room: '12' },
      cardToken: 'saved-card-1',
    },
  });
  expect(body.expiryMinutes).toBe(15);
  expect(JSON.parse(body.request)).toMatchObject({
    session_expiry: 15,
    billing_address: { city: 'Kiel', country: 'DE' },
    custom_data: { till: '3', room: '12' },
  });
  expect(JSON.stringify(body)).not.toContain('saved-card-1');
  expect(body.options).toEqual({
    expiryMinutes: 15,
    billingAddress: { city: 'Kiel', country: 'DE' },
    customData: { room: '12' },
  });
});

test('a link lives as long as was chosen, and never longer than the profile allows', async () => {
  const { payment } = await app.value(
    'payments.create',
    newPayment({ profileId, options: { expiryMinutes: 15 } }),
  );
  expect((payment.link?.expiresAt ?? 0) - (payment.link?.issuedAt ?? 0)).toBe(15 * 60_000);
  for (const expiryMinutes of [10, 121])
    expect(
      await app.request('payments.create', newPayment({ profileId, options: { expiryMinutes } })),
    ).toMatchObject({
      ok: false,
      error: { fields: [{ path: 'options.expiryMinutes' }] },
    });
});

test('a billing address and custom data are erased with the customer’s details', async () => {
  const { payment } = await app.value(
    'payments.create',
    newPayment({
      profileId,
      customer: { name: 'Erika Beispiel', phone: '+49 171 5550199' },
      options: { billingAddress: { city: 'Wyk auf Föhr' }, customData: { guest: 'Erikas Hund' } },
    }),
  );
  const { orderNumber } = payment;
  await app.value('log.erase', { profileId, orderNumber });
  const after = JSON.stringify(await app.read(orderNumber, profileId));
  for (const text of ['Erika Beispiel', '5550199', 'Wyk', 'Erikas Hund']) expect(after).not.toContain(text);
  const verified = await app.value('log.verify', {});
  expect(verified).toMatchObject({ problems: [] });
});
