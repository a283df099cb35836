import * as z from 'zod';

/** One thing of the settings file that could not be read at the start. */
export const settingsProblemSchema = z.object({
  /** The part of the file, such as `profiles` or `settings`; `file` for all of it. */
  section: z.string().max(64),
  /** The field's path or the entry's name; empty for the whole section. */
  name: z.string().max(200),
  /** `restored` from the copy beside the file, `default` in its place, or `missing` from now on. */
  outcome: z.enum(['restored', 'default', 'missing']),
});
export type SettingsProblem = z.infer<typeof settingsProblemSchema>;

/** What a start found wrong with the settings file; kept in the settings until somebody dismisses it. */
export const settingsRecoverySchema = z.object({
  /** Milliseconds since 1970. */
  at: z.int(),
  /** Path of the file as it was found; null when there was none. */
  keptFile: z.string().max(4096).nullable(),
  /** Capped: a file of noise has no end of problems. */
  problems: z.array(settingsProblemSchema).max(200),
});
export type SettingsRecovery = z.infer<typeof settingsRecoverySchema>;
