import { describe, expect, it, test } from 'vitest';
import { profileProblems } from '../../main/gateway/profile-problems.ts';
import { prepareSession } from '../../main/gateway/session-request.ts';
import { inWords } from '../../tools/app-harness/in-words.ts';
import { operationSettingsSchema, sessionExtrasSchema, type Profile } from '../../shared/settings/profile.ts';
import { order, password, secureProfile } from './gateway-server.ts';

/** Profiles that a form, a policy and a settings file refuse alike. */

const problems = (extras: Partial<Profile['extras']>) =>
  inWords(profileProblems(secureProfile(443, { extras: sessionExtrasSchema.parse(extras) })));

it('free JSON of a profile may contain any field that Counterfoil does not know', () => {
  expect(problems({ extraJson: '{"url_target":"_self","form_id":7}' })).toEqual([]);
});

it.each([
  ['session_expiry', '15', 'Link validity, in minutes'],
  ['req_token', 'true', 'Request a card token'],
  ['recurring_init', 'true', 'Start a recurring payment'],
  ['customer', '{"name":"Jane"}', 'Send name and email'],
  ['custom_data', '{}', 'Data returned in callbacks, for every payment'],
  ['session_expiry', '15', 'Link validity, in minutes', 'Session_Expiry'],
])(
  'free JSON of a profile with %s is refused, and the message names the setting',
  (name, json, setting, written = name) => {
    expect(problems({ extraJson: `{"${written}":${json}}` })).toEqual([
      { path: 'extras.extraJson', message: `Remove ${name} here and use the setting “${setting}”.` },
    ]);
  },
);

it('free JSON of a profile with any name that a request of ours has is refused', () => {
  const extras = sessionExtrasSchema.parse({
    reqToken: true,
    cardToken: true,
    recurringInit: true,
    scheduleId: 's',
    sendCustomer: true,
    sessionExpiry: 30,
    auth: true,
    expiryUrl: 'https://shop.test/e',
    errorUrl: 'https://shop.test/f',
    channelId: 'c',
    billingAddress: '{"city":"Kiel"}',
    customData: '{"till":"3"}',
  });
  const { body } = prepareSession(secureProfile(443, { extras }), password, {
    ...order,
    customer: { name: 'Jane' },
    options: { cardToken: 'abc' },
  });
  const names = Object.keys(JSON.parse(body) as object);
  expect(names).toHaveLength(19);
  for (const name of names) expect(problems({ extraJson: JSON.stringify({ [name]: 1 }) })).toHaveLength(1);
});

test('a card number in the free JSON of a profile is refused', () => {
  for (const name of ['extraJson', 'customData', 'billingAddress'] as const)
    expect(problems({ [name]: '{"note":"4111 1111 1111 1111"}' })).toEqual([
      { path: `extras.${name}`, message: 'This looks like a card number.' },
    ]);
});

describe('the operations of a profile', () => {
  const problemsOf = (operations: unknown, extras: Partial<Profile['extras']> = {}) =>
    profileProblems(
      secureProfile(443, {
        operations: operationSettingsSchema.parse(operations),
        extras: sessionExtrasSchema.parse(extras),
      }),
    ).map(({ path }) => path);

  it('have limits that can be read, each with its own problem otherwise', () => {
    const limits = { perOperation: 'EUR 500,00', perDay: 'EUR 5, EUR 6', secondPersonFrom: 'a lot' };
    expect(problemsOf({ limits })).toEqual([
      'operations.limits.perOperation',
      'operations.limits.perDay',
      'operations.limits.secondPersonFrom',
    ]);
    expect(problemsOf({ limits: { perOperation: 'EUR 500.00, JPY 20000' } })).toEqual([]);
  });

  it('contain captures if payments are only authorised', () => {
    expect(problemsOf({}, { auth: true })).toEqual(['extras.auth']);
    expect(problemsOf({ capture: true }, { auth: true })).toEqual([]);
  });
});
