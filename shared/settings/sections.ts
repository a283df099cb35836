/** The sections of the settings, in their order. */
export const settingsSections = [
  'profiles',
  'assumptions',
  'receiver',
  'appearance',
  'custom-scripts',
  'messages',
  'general',
  'people',
  'activity',
  'team',
  'data',
  'health',
  'about',
] as const;
export type SettingsSection = (typeof settingsSections)[number];
