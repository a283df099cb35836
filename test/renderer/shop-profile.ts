import { profileDefaults, type ProfileView } from '../../shared/settings/profile.ts';

/** A live profile that can create links. */
export const shopProfile: ProfileView = {
  ...profileDefaults,
  id: 'shop',
  kind: 'live',
  name: 'Shop',
  baseUrl: 'https://pay.example',
  merchantKey: 'key',
  password: 'stored',
};
