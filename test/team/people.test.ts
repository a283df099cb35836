import { expect, test } from 'vitest';
import { emptyCopy, mergePeople } from '../../main/team/people/merge-people.ts';
import { readProfile } from '../../main/team/people/read-profile.ts';
import { newProfiles } from '../../main/team/people/plan-sharing.ts';
import { defaultSettings, type Stored } from '../../main/settings/stored-settings.ts';
import { profileDefaults, type Profile } from '../../shared/settings/profile.ts';

const profile = (id: string, changes: Partial<Profile> = {}): Profile => ({
  ...profileDefaults,
  id,
  name: `Shop ${id}`,
  kind: 'live',
  baseUrl: 'https://pay.example.com',
  merchantKey: 'key',
  ...changes,
});
const ada = { id: '11111111-1111-4111-8111-111111111111', name: 'Ada', role: 'administrator' };
const bob = { id: '22222222-2222-4222-8222-222222222222', name: 'Bob', role: 'agent' };
const pin = { salt: 'aa'.repeat(16), hash: 'bb'.repeat(32) };
const stored = (changes: Partial<Stored>): Stored => ({ ...defaultSettings('Ada'), ...changes });
const facts = { revision: '1', profiles: [], agents: [], retentionDays: null, views: null };

test('the team lacks a local profile whose gateway account has none there', () => {
  const shared = [profile('s', { baseUrl: 'https://pay.example.com/' }), profile('t', { kind: 'test' })];
  const profiles = shared.map(one => ({
    id: one.id,
    body: JSON.stringify(one),
    callbackPath: '/p',
    version: 1,
  }));
  const local = [
    profile('a'),
    profile('b', { merchantKey: 'other' }),
    profile('t', { merchantKey: 'else' }),
    profile('sandbox', { kind: 'sandbox' }),
  ];
  expect(newProfiles(local, { profiles }).map(({ id }) => id)).toEqual(['b']);
});

test('a local profile continues under a shared one of its account that appears later, once', () => {
  const team = (version: number) => ({
    ...facts,
    profiles: [{ id: 's', body: JSON.stringify(profile('s')), callbackPath: '/s', version }],
  });
  const before = stored({
    profiles: [profile('a'), profile('b', { merchantKey: 'other' })],
    team: emptyCopy,
  });
  const merged = mergePeople(before, team(1)).stored;
  expect(merged.team?.pending).toEqual([{ id: 'a', to: 's' }]);
  // The first profile of an account is the one for new payments.
  expect(merged.profiles.map(({ id }) => id)).toEqual(['b', 's', 'a']);
  const continued = { ...merged, team: { ...(merged.team ?? emptyCopy), pending: [] } };
  expect(mergePeople(continued, team(2)).stored.team?.pending).toEqual([]);
});

test('a PIN that was never used here is not admitted offline, and a changed one is forgotten', () => {
  const agent = { ...ada, role: 'administrator' as const, pin, wrong: 0, waitMs: 0 };
  const merge = (known: number | null, pinVersion: number) =>
    mergePeople(
      stored({
        agents: [agent],
        team: {
          ...emptyCopy,
          pins: known === null ? {} : { [ada.id]: known },
        },
      }),
      { ...facts, agents: [{ ...ada, hasPin: true, pinVersion }] },
    ).stored;
  expect(merge(3, 3).agents[0]?.pin).toEqual(pin);
  for (const forgotten of [merge(3, 4), merge(null, 3)]) {
    expect(forgotten.agents[0]?.pin).toEqual({ salt: '00'.repeat(16), hash: '00'.repeat(32) });
    expect(forgotten.team?.pins).toEqual({});
  }
});

test('the signed-in person keeps their place when renamed, and loses it when removed', () => {
  const before = stored({
    agents: [ada, bob].map(one => ({ ...one, role: 'administrator', pin: null, wrong: 0, waitMs: 0 })),
  });
  const people = [{ ...bob, hasPin: false, pinVersion: 0 }];
  const renamed = mergePeople(before, {
    ...facts,
    agents: [...people, { ...ada, name: 'Ada L.', hasPin: false, pinVersion: 0 }],
  });
  expect(renamed).toMatchObject({ isSignedInGone: false, stored: { settings: { agent: 'Ada L.' } } });
  expect(mergePeople(before, { ...facts, agents: people })).toMatchObject({
    isSignedInGone: true,
    stored: { settings: { agent: 'Bob' } },
  });
  expect(mergePeople(before, facts).stored.agents).toEqual(before.agents);
});

test('profiles of this installation alone stay; shared profiles that were removed go', () => {
  const body = (one: Profile): string => JSON.stringify(one);
  const first = mergePeople(stored({ profiles: [profile('own', { merchantKey: 'own' })] }), {
    ...facts,
    profiles: [{ id: 's', body: body(profile('s')), callbackPath: '/s', version: 4 }],
  }).stored;
  expect(first.profiles.map(({ id }) => id)).toEqual(['own', 's']);
  expect(first.team?.profiles).toEqual({ s: 4 });
  expect(mergePeople(first, facts).stored.profiles.map(({ id }) => id)).toEqual(['own']);
});

test('a profile or a role of a newer version, and a limit that cannot be read, do no harm', () => {
  expect(readProfile('s', '{"kind":"quantum"}')).toBeNull();
  expect(readProfile('s', 'not JSON')).toBeNull();
  const { operations } = profile('s');
  const withLimit = (perDay: string) =>
    readProfile(
      's',
      JSON.stringify({
        ...profile('s'),
        operations: { ...operations, limits: { ...operations.limits, perDay } },
      }),
    );
  expect(withLimit('EUR 500.00')).not.toBeNull();
  expect(withLimit('about 500')).toBeNull();
  const agents = [{ ...ada, role: 'owner', hasPin: false, pinVersion: 0 }];
  const profiles = [{ id: 's', body: '{}', callbackPath: '/s', version: 1 }];
  const { stored: merged } = mergePeople(stored({ profiles: [profile('s')] }), {
    ...facts,
    agents,
    profiles,
  });
  expect(merged.agents[0]?.role).toBe('agent');
});
