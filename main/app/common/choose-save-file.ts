import { dirname } from 'node:path';
import { dayAt } from '../../../shared/days.ts';
import { fail, ok, type Result } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import { timeZoneOf } from '../../../shared/settings/merchant.ts';
import { isOwnFile } from '../../files/own-files.ts';
import { sidecarSuffixes } from '../../payment-log/sqlite/files/replace-log.ts';
import type { AppDependencies } from './app-context.ts';

/** Today in the zone of the active profile's merchant, for the names of files. */
export const merchantDay = ({ settings, clock }: Pick<AppDependencies, 'settings' | 'clock'>): string => {
  const { profiles, settings: chosen } = settings.read();
  return dayAt(clock(), timeZoneOf(profiles.find(({ id }) => id === chosen.activeProfileId))).toString();
};

/**
 * Asks the user where to save; null if they cancelled. `also`: further files written next to the chosen one. Errors:
 * `file.unwritable` for a path inside Counterfoil's own data, which an export would destroy.
 */
export const chooseSaveFile = async (
  {
    system,
    logFile,
  }: Pick<AppDependencies, 'logFile'> & { system: Pick<AppDependencies['system'], 'chooseSaveFile'> },
  suggestedName: string,
  also: (file: string) => readonly string[] = () => [],
): Promise<Result<string | null>> => {
  const file = await system.chooseSaveFile(suggestedName);
  if (file === null) return ok(null);
  const own = [logFile, `${logFile}.lock`, ...sidecarSuffixes.map(end => logFile + end)];
  for (const one of [file, ...also(file)]) {
    if (!(await isOwnFile(one, dirname(logFile), own))) continue;
    return fail('file.unwritable', msg('file.own-folder'), { hint: msg('file.own-folder.hint') });
  }
  return ok(file);
};
