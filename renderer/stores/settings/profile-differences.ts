import { profileDefaults, type ProfileDraft } from '../../../shared/settings/profile.ts';

/** The groups of settings that most profiles leave at their defaults, in the order of the form. */
export const advancedGroups = ['payments', 'merchant', 'gateway', 'extras', 'timeouts'] as const;
export type AdvancedGroup = (typeof advancedGroups)[number];

type Field = keyof typeof profileDefaults;

const fieldsOf: Readonly<Record<AdvancedGroup, readonly Field[]>> = {
  payments: ['defaultCurrency', 'orderPattern', 'methods', 'intentGuard'],
  merchant: ['merchant', 'timeZone'],
  gateway: [
    'sessionPath',
    'statusForm',
    'statusByOrder',
    'digest',
    'requestUppercasing',
    'gatewayZone',
    'amountRule',
    'amountExceptions',
    'refundAmountInCallback',
  ],
  extras: ['extras'],
  timeouts: ['timeouts'],
};

/** The group of a field with a problem, by the path of the problem; null for a field that is always in view. */
export const groupOf = (path: string): AdvancedGroup | null => {
  const [field = ''] = path.replace(/^profile\./, '').split('.');
  return advancedGroups.find(group => fieldsOf[group].some(one => one === field)) ?? null;
};

const leaves = (value: unknown): unknown[] =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.keys(value)
        .toSorted()
        .map(key => (value as Record<string, unknown>)[key])
    : [value];

/** The number of settings of a group that differ from the defaults. */
export const differencesIn = (group: AdvancedGroup, draft: ProfileDraft): number =>
  fieldsOf[group].reduce((sum, field) => {
    const defaults = leaves(profileDefaults[field]).map(value => JSON.stringify(value));
    const values = leaves(draft[field]).map(value => JSON.stringify(value));
    return sum + values.filter((value, index) => value !== defaults[index]).length;
  }, 0);
