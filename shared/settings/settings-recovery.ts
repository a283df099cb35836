import * as z from 'zod';

/** The parts of the settings file, each with a name on the screen; `file`: all of it. */
const storedSections = [
  'file',
  'installation',
  'chain',
  'settings',
  'agents',
  'profiles',
  'callbackPaths',
  'sandbox',
  'team',
  'sharedLog',
  'window',
  'templates',
  'alerts',
  'pendingActivities',
  'retention',
  'update',
  'scheduledExport',
] as const;
export type StoredSection = (typeof storedSections)[number];

export const sectionOf = (name: string): StoredSection => storedSections.find(one => one === name) ?? 'file';

/** One part of the settings file that could not be read at the start. */
export const settingsProblemSchema = z.object({
  section: z.enum(storedSections),
  /** The field's path or the entry's name; empty for the whole section. */
  name: z.string().max(200),
  /** `restored` from the copy next to the file, replaced by the `default`, or `missing`. */
  outcome: z.enum(['restored', 'default', 'missing']),
});
export type SettingsProblem = z.infer<typeof settingsProblemSchema>;

/** The problems that a start found in the settings file; kept in the settings until dismissed. */
export const settingsRecoverySchema = z.object({
  /** Milliseconds since 1970. */
  at: z.int(),
  /** Path of the file as it was found; null if there was none. */
  keptFile: z.string().max(4096).nullable(),
  /** Limited: a corrupt file may have any number of problems. */
  problems: z.array(settingsProblemSchema).max(200),
});
export type SettingsRecovery = z.infer<typeof settingsRecoverySchema>;
