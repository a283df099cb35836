import type { MessageKey } from '../messages/message.ts';
import type { SettingsSection } from './sections.ts';
import type { Settings } from './settings.ts';

type SettingDescriptor = {
  /** What a person needs to change it. Display settings belong to each person; the others decide for everyone. */
  right: 'everyone' | 'settings';
  /** Its name: on its screen, in the search, in the list of activities, and if it could not be read. */
  label: MessageKey;
  /** The section that shows it under this name; null: another screen does. */
  section: SettingsSection | null;
  /** Further words that people look for. */
  also?: MessageKey;
  /** What the policy of a computer can fix: all of it, or each of its parts alone. */
  policy: 'whole' | 'parts' | null;
  /** Of a switch: what it does. */
  hint?: MessageKey;
};

/** Every setting, once: rights, activities, search, policy and screens are derived from it. */
export const settingDescriptors = {
  theme: {
    right: 'everyone',
    label: 'theme',
    section: 'appearance',
    also: 'results.also.theme',
    policy: null,
  },
  density: {
    right: 'everyone',
    label: 'density',
    section: 'appearance',
    also: 'results.also.density',
    policy: null,
  },
  language: { right: 'everyone', label: 'language', section: 'appearance', policy: 'whole' },
  waitingRail: {
    right: 'everyone',
    label: 'open-links.show',
    section: 'appearance',
    policy: null,
    hint: 'open-links.show.text',
  },
  singleKeys: {
    right: 'everyone',
    label: 'single-keys',
    section: 'appearance',
    also: 'results.also.single-keys',
    policy: null,
    hint: 'single-keys.text',
  },
  lookUpAutomatically: {
    right: 'settings',
    label: 'automatic-look-ups',
    section: 'general',
    policy: 'whole',
    hint: 'automatic-look-ups.text',
  },
  recheckPaidDays: { right: 'settings', label: 'recheck-paid', section: 'general', policy: 'whole' },
  tray: {
    right: 'settings',
    label: 'background.tray',
    section: 'general',
    policy: 'whole',
    hint: 'background.tray.text',
  },
  // Shown only while the tray is, or where the system allows it.
  stayOpen: {
    right: 'settings',
    label: 'background.stay-open',
    section: null,
    policy: 'whole',
    hint: 'background.stay-open.text',
  },
  startAtLogin: {
    right: 'settings',
    label: 'background.start',
    section: null,
    policy: 'whole',
    hint: 'background.start.text',
  },
  outcomeSound: {
    right: 'everyone',
    label: 'background.sound',
    section: 'general',
    policy: null,
    hint: 'background.sound.text',
  },
  notifications: {
    right: 'everyone',
    label: 'background.notifications',
    section: 'general',
    also: 'results.also.notifications',
    policy: 'parts',
  },
  idleLock: {
    right: 'settings',
    label: 'idle-lock',
    section: 'people',
    also: 'results.also.idle-lock',
    policy: 'whole',
  },
  retentionDays: {
    right: 'settings',
    label: 'data.retention',
    section: 'data',
    also: 'results.also.retention',
    policy: 'whole',
  },
  receiver: { right: 'settings', label: 'settings.receiver', section: null, policy: 'parts' },
  updateServer: { right: 'settings', label: 'update.server', section: null, policy: 'whole' },
  scheduledExport: { right: 'settings', label: 'scheduled-export', section: null, policy: 'whole' },
  sentences: { right: 'settings', label: 'settings.custom-scripts', section: null, policy: null },
  messages: { right: 'settings', label: 'settings.messages', section: null, policy: null },
  columns: { right: 'everyone', label: 'columns.name', section: null, policy: null },
  views: { right: 'everyone', label: 'views.manage', section: null, policy: null },
  export: { right: 'everyone', label: 'export.for-books', section: null, policy: null },
  guide: { right: 'everyone', label: 'guide.name', section: null, policy: null },
  activeProfileId: { right: 'everyone', label: 'profile', section: null, policy: null },
  agent: { right: 'everyone', label: 'agent.name', section: null, policy: null },
} as const satisfies Record<keyof Settings, SettingDescriptor>;

type Descriptors = typeof settingDescriptors;
/** The settings of which the policy can fix something. */
export type ManageableSetting = {
  [N in keyof Descriptors]: Descriptors[N]['policy'] extends null ? never : N;
}[keyof Descriptors];
/** The settings that are on or off. */
export type SwitchSetting = {
  [N in keyof Descriptors]: Descriptors[N] extends { hint: MessageKey } ? N : never;
}[keyof Descriptors];

/** The descriptor of a setting by its name; null if no setting has it. */
export const descriptorOf = (name: string): SettingDescriptor | null =>
  (settingDescriptors as Readonly<Record<string, SettingDescriptor>>)[name] ?? null;

/** Whether a change of this needs the right to change settings; a field that is no setting needs it. */
export const decidesForEveryone = (name: string): boolean => descriptorOf(name)?.right !== 'everyone';
