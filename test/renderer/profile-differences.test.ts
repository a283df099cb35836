import { describe, expect, test } from 'vitest';
import {
  advancedGroups,
  differencesIn,
  groupOf,
} from '../../renderer/stores/settings/profile-differences.ts';
import { profileDefaults, type ProfileDraft } from '../../shared/settings/profile.ts';

/** What the form of a merchant profile says about its folded groups. */

const draft: ProfileDraft = {
  ...profileDefaults,
  name: 'Shop',
  kind: 'test',
  baseUrl: 'https://pay.example',
  merchantKey: 'key',
  successUrl: 'https://shop.test/paid',
  cancelUrl: 'https://shop.test/cancelled',
};

const differences = (change: Partial<ProfileDraft>): Record<string, number> =>
  Object.fromEntries(
    advancedGroups
      .map(group => [group, differencesIn(group, { ...draft, ...change })] as const)
      .filter(([, count]) => count > 0),
  );

describe('a profile', () => {
  test('a profile that was only given its account has no difference', () => {
    expect(differences({})).toEqual({});
  });

  test.each<[string, Partial<ProfileDraft>, Record<string, number>]>([
    ['another currency', { defaultCurrency: 'USD' }, { payments: 1 }],
    ['two methods', { methods: ['card', 'applepay'] }, { payments: 1 }],
    [
      'a name and a phone',
      { merchant: { name: 'Shop Ltd', address: [], phone: '+49 30 1', logo: '' } },
      { merchant: 2 },
    ],
    ['another digest and zone', { digest: 'sha256', gatewayZone: 'Europe/Berlin' }, { gateway: 2 }],
    [
      'customers that are sent',
      { extras: { ...draft.extras, sendCustomer: !draft.extras.sendCustomer } },
      { extras: 1 },
    ],
    ['a longer time limit', { timeouts: { ...draft.timeouts, body: 30_000 } }, { timeouts: 1 }],
  ])('a profile with %s differs in that group only', (_, change, expected) => {
    expect(differences(change)).toEqual(expected);
  });

  test('every setting of a profile that is not always in view is in one group, or on its own page', () => {
    const inView = ['successUrl', 'cancelUrl', 'operations'];
    for (const field of Object.keys(profileDefaults))
      expect([field, groupOf(field) === null]).toEqual([field, inView.includes(field)]);
    expect(groupOf('profile.extras.customData')).toBe('extras');
    expect(groupOf('merchant.address.1')).toBe('merchant');
    expect(groupOf('password')).toBeNull();
  });
});
