import { onTestFinished } from 'vitest';
import { createGateway, type GatewayOptions } from '../../main/gateway/create-gateway.ts';
import type { Gateway, SessionOutcome } from '../../main/gateway/gateway.ts';
import { profileDefaults, type Profile } from '../../shared/settings/profile.ts';
import { inWords, type InWords } from '../../tools/app-harness/in-words.ts';
import { answering, type Answer } from '../../tools/server-harness/test-server.ts';

/** Clients of the gateway, and their profiles. */

/** A client that is closed after the test, before the servers that were there before it. */
export const gatewayOf = (options: Partial<GatewayOptions> = {}): Gateway => {
  const gateway = createGateway({ clock: Date.now, ...options });
  onTestFinished(() => gateway.close());
  return gateway;
};

/** A profile for a gateway like the sandbox: plain http on this PC. */
export const sandboxProfile = (port: number, changes: Partial<Profile> = {}): Profile => ({
  ...profileDefaults,
  successUrl: 'https://shop.test/thank-you?order={order}',
  cancelUrl: 'https://shop.test/cancelled?order={order}',
  id: 'sandbox',
  name: 'Sandbox',
  kind: 'sandbox',
  baseUrl: `http://127.0.0.1:${port}`,
  merchantKey: 'merchant-key-1',
  ...changes,
});

export const secureProfile = (port: number, changes: Partial<Profile> = {}): Profile =>
  sandboxProfile(port, { id: 'test', kind: 'test', baseUrl: `https://localhost:${port}`, ...changes });

export const order = {
  number: 'T-100',
  amount: '10.00',
  currency: 'EUR',
  description: 'Two nights, room 12',
  methods: ['card'],
  customer: null,
};

export const password = 'Sécret "pass" 1';

/** Sends the order. */
export const raise = async (
  gateway: Gateway,
  profile: Profile,
  signal?: AbortSignal,
): Promise<InWords<SessionOutcome>> =>
  inWords(await gateway.sendSession(profile, gateway.prepareSession(profile, password, order), signal));

/** A gateway that gives this answer, with a client and a profile for it. */
export const startGateway = async (
  answer: Answer,
  changes: Partial<Profile> = {},
  options: Partial<GatewayOptions> = {},
) => {
  const server = await answering(answer);
  const gateway = gatewayOf(options);
  const profile = sandboxProfile(server.port, changes);
  return { server, gateway, profile, raise: (signal?: AbortSignal) => raise(gateway, profile, signal) };
};

/** An answer without headers, as the client hands it on. */
export const received = (httpStatus: number, body: string) => ({
  httpStatus,
  contentType: null,
  location: null,
  date: null,
  retryAfter: null,
  body: Buffer.from(body),
});
