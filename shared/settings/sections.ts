import { hasRight, type Right, type Role } from '../agents/roles.ts';

/** The groups of the settings: one's own, the shop's, and what only IT needs. */
export const settingsGroups = ['you', 'shop', 'it'] as const;
type SettingsGroup = (typeof settingsGroups)[number];

/** Every section: its group, and the rights of which one is needed to do anything there (none: for everybody). */
const sections = {
  appearance: { group: 'you', rights: [] },
  general: { group: 'you', rights: [] },
  profiles: { group: 'shop', rights: ['profiles'] },
  refunds: { group: 'shop', rights: ['profiles'] },
  people: { group: 'shop', rights: [] },
  'custom-scripts': { group: 'shop', rights: ['settings'] },
  messages: { group: 'shop', rights: ['settings'] },
  activity: { group: 'shop', rights: ['activity'] },
  receiver: { group: 'it', rights: ['settings'] },
  assumptions: { group: 'it', rights: ['profiles'] },
  team: { group: 'it', rights: ['settings'] },
  data: { group: 'it', rights: ['log', 'settings'] },
  health: { group: 'it', rights: ['settings'] },
  about: { group: 'it', rights: [] },
} as const satisfies Record<string, { group: SettingsGroup; rights: readonly Right[] }>;
export type SettingsSection = keyof typeof sections;

/** The sections of the settings, in their order. */
export const settingsSections = Object.keys(sections) as [SettingsSection, ...SettingsSection[]];

/** The sections that a role can use, in their groups. Who may not change people has a PIN only, and no group for IT. */
export const sectionsFor = (role: Role): Record<SettingsGroup, readonly SettingsSection[]> => {
  const groups: Record<SettingsGroup, SettingsSection[]> = { you: [], shop: [], it: [] };
  for (const section of settingsSections) {
    const { group, rights }: { group: SettingsGroup; rights: readonly Right[] } = sections[section];
    const isOwn = (section === 'people' || section === 'about') && !hasRight(role, 'people');
    if (rights.length === 0 || rights.some(right => hasRight(role, right)))
      groups[isOwn ? 'you' : group].push(section);
  }
  return groups;
};
