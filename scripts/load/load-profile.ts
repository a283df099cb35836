import { profileDefaults, type ProfileDraft } from '../../shared/settings/profile.ts';

/** The merchant's profile for load tests; it sends no requests. */
export const loadProfile: ProfileDraft = {
  ...profileDefaults,
  successUrl: 'https://shop.test/thank-you?order={order}',
  cancelUrl: 'https://shop.test/cancelled?order={order}',
  name: 'Load',
  kind: 'test',
  baseUrl: 'https://pay.example.com',
  merchantKey: 'load-key',
};
