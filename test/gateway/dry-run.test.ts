import { expect, test } from 'vitest';
import { dryRun } from '../../main/gateway/dry-run.ts';
import { prepareOperation } from '../../main/gateway/operations/operation-request.ts';
import { prepareSession } from '../../main/gateway/session-request.ts';
import { statusRequest } from '../../main/gateway/status-request.ts';
import { operationKinds } from '../../shared/operations/operation-kinds.ts';
import { operationSettingsSchema } from '../../shared/settings/profile.ts';
import { password, secureProfile } from './gateway-server.ts';

/** A dry run against the requests that are sent for the same order. */

const profile = secureProfile(443, { methods: ['card', 'wallet'] });
const shown = new Map(dryRun(profile).map(request => [request.name, request]));
const withMaskedHash = (body: string | null): string | undefined =>
  body?.replace(/"hash":"[0-9a-f]{40}"/, '"hash":"•••"');

test('the session request of a dry run is the one that is sent, byte for byte, with the hash masked', () => {
  const sent = prepareSession(profile, password, {
    number: 'ORDER-1',
    amount: '12.50',
    currency: 'EUR',
    description: 'Zwei Nächte, Zimmer 12',
    methods: profile.methods,
    customer: null,
  });
  expect(shown.get('session')).toMatchObject({
    method: 'POST',
    address: sent.endpoint,
    body: withMaskedHash(sent.body),
  });
});

test('a status request of a dry run is the one that is sent, byte for byte, with the hash masked', () => {
  const key = { by: 'order-number', value: 'ORDER-1' } as const;
  const { httpRequest } = statusRequest(profile, profile.baseUrl, password, key);
  expect(shown.get('status-by-order')).toMatchObject({
    method: 'GET',
    address: httpRequest.origin + httpRequest.path,
    body: withMaskedHash(httpRequest.body),
  });
});

test('operations are shown as they are sent, with hash and token masked, and only those that are switched on', () => {
  expect([...shown.keys()]).toEqual(['session', 'status-by-payment', 'status-by-order', 'callback']);
  const id = '50a1361a-7c2e-11f1-b8d4-0242ac120002';
  const on = { refund: true, void: true, capture: true, retry: true, recurring: true };
  const operating = { ...profile, operations: operationSettingsSchema.parse(on) };
  const requests = new Map(dryRun(operating).map(request => [request.name, request]));
  for (const operation of operationKinds)
    expect(requests.get(operation)).toMatchObject({
      method: 'POST',
      address: `https://localhost/api/v1/payment/${operation}`,
      documented: false,
    });
  const sent = prepareOperation(operating, password, { operation: 'refund', paymentId: id, amount: '12.50' });
  expect(requests.get('refund')?.body).toBe(withMaskedHash(sent.body));
  expect(requests.get('refund')?.signed).toBe(`${id.toUpperCase()}12.50••••••••`);
  expect(requests.get('void')?.signed).toBe(`${id.toUpperCase()}••••••••`);
  expect(requests.get('recurring')?.body).toContain('"recurring_token":"•••"');
  expect(requests.get('recurring')?.signed).toBe(
    `${id.toUpperCase()}•••ORDER-1-212.50ZWEI NÄCHTE, ZIMMER 12••••••••`,
  );
});
