import type { PolicyState } from './policy.ts';

/** The state of a computer without a policy. */
export const noPolicy: PolicyState = {
  state: 'none',
  file: '',
  problems: [],
  managed: {
    settings: [],
    profiles: [],
    allProfiles: false,
    people: false,
    sharedLog: { isFixed: false, server: null },
    list: {},
    isEncryptionRequired: false,
  },
};
