import { expect, test } from 'vitest';
import { assumptions, defaultOf, isChanged } from '../../renderer/profile-assumptions.ts';
import {
  operationSettingsSchema,
  profileDefaults,
  profileDraftSchema,
  sessionExtrasSchema,
} from '../../shared/settings/profile.ts';
import { translateTo } from '../../tools/app-harness/translate.ts';

/** The settings of a profile that the interface or the merchant decides: they assume nothing. */
const notAssumed = [
  'name',
  'kind',
  'baseUrl',
  'merchantKey',
  'merchant',
  'timeZone',
  'defaultCurrency',
  'successUrl',
  'cancelUrl',
  'orderPattern',
  'intentGuard',
  'timeouts',
  'operations.limits',
];
const say = translateTo('en');

test('every setting of a profile is either listed as an assumption or known not to be one', () => {
  const groups: Record<string, object> = {
    extras: sessionExtrasSchema.shape,
    operations: operationSettingsSchema.shape,
  };
  const settings = Object.keys(profileDraftSchema.shape).flatMap(name => {
    const group = groups[name];
    return group === undefined ? [name] : Object.keys(group).map(part => `${name}.${part}`);
  });
  expect([...assumptions.map(({ id }) => id), ...notAssumed].sort()).toEqual(settings.sort());
});

test('a new profile has no changes, and each change is detected', () => {
  expect(assumptions.filter(one => isChanged(one, profileDefaults))).toEqual([]);
  const changed = {
    ...profileDefaults,
    digest: 'sha256' as const,
    extras: { ...profileDefaults.extras, channelId: 'web' },
  };
  expect(assumptions.filter(one => isChanged(one, changed)).map(({ id }) => id)).toEqual([
    'digest',
    'extras.channelId',
  ]);
});

test('every assumption has a section of the interface, a default and what the interface says', () => {
  for (const one of assumptions) {
    expect(one.section).toMatch(/^§\d/);
    expect(defaultOf(one, say)).not.toBe('');
    expect(say(one.label)).toBeTruthy();
    expect(say(one.description)).toBeTruthy();
  }
});
