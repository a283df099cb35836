import type { MessageKey } from '../../../shared/messages/message.ts';
import { settingDescriptors } from '../../../shared/settings/descriptors.ts';
import type { SettingsSection } from '../../../shared/settings/sections.ts';

/** A single setting: the text that its section shows for it, and other words that people look for. */
export type SettingEntry = {
  section: SettingsSection;
  label: MessageKey;
  also?: MessageKey;
  /** It is in the form of a profile. */
  isOfProfile?: boolean;
};

/**
 * The settings that the search finds beside the sections. Each label is what the section itself shows;
 * test/end-to-end/window/search.spec.ts opens every section and looks for it.
 */
export const settingEntries: readonly SettingEntry[] = [
  { section: 'profiles', label: 'profile.name', isOfProfile: true },
  { section: 'profiles', label: 'profile.kind', also: 'results.also.profile-kind', isOfProfile: true },
  { section: 'profiles', label: 'profile.base-url', also: 'results.also.base-url', isOfProfile: true },
  { section: 'profiles', label: 'profile.merchant-key', isOfProfile: true },
  { section: 'profiles', label: 'profile.password', isOfProfile: true },
  { section: 'profiles', label: 'profile.check', also: 'results.also.check' },
  { section: 'profiles', label: 'profile.success-url', also: 'results.also.return-page', isOfProfile: true },
  { section: 'profiles', label: 'profile.cancel-url', also: 'results.also.return-page', isOfProfile: true },
  { section: 'profiles', label: 'profile.currency', isOfProfile: true },
  { section: 'profiles', label: 'profile.order-pattern', isOfProfile: true },
  { section: 'profiles', label: 'profile.methods', isOfProfile: true },
  { section: 'profiles', label: 'profile.merchant.name', isOfProfile: true },
  { section: 'profiles', label: 'profile.merchant.address', isOfProfile: true },
  { section: 'profiles', label: 'profile.merchant.phone', isOfProfile: true },
  { section: 'profiles', label: 'profile.merchant.zone', isOfProfile: true },
  { section: 'refunds', label: 'profile.operations.refund', also: 'results.also.refund' },
  { section: 'refunds', label: 'profile.operations.limits.perOperation', also: 'results.also.limit' },
  { section: 'refunds', label: 'profile.operations.limits.perDay', also: 'results.also.limit' },
  { section: 'refunds', label: 'profile.operations.limits.secondPersonFrom', also: 'results.also.limit' },
  { section: 'receiver', label: 'receiver.switch', also: 'results.also.receiver' },
  { section: 'people', label: 'agents.add', also: 'results.also.person' },
  { section: 'people', label: 'role.all', also: 'results.also.roles' },
  { section: 'team', label: 'team.join.title', also: 'results.also.team' },
  { section: 'data', label: 'data.verify' },
  { section: 'data', label: 'data.copies', also: 'results.also.copies' },
  { section: 'data', label: 'scheduled-export', also: 'results.also.scheduled-export' },
  { section: 'data', label: 'transfer', also: 'results.also.transfer' },
  { section: 'about', label: 'update.title' },
  ...Object.values(settingDescriptors).flatMap(({ section, label, ...rest }) =>
    section === null ? [] : [{ section, label, ...('also' in rest && { also: rest.also }) }],
  ),
];
