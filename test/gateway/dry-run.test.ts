import { expect, test } from 'vitest';
import { dryRun } from '../../main/gateway/dry-run.ts';
import { prepareSession } from '../../main/gateway/session-request.ts';
import { statusRequest } from '../../main/gateway/status-request.ts';
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
