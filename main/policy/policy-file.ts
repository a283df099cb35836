import { realpathSync } from 'node:fs';
import { posix, win32 } from 'node:path';

/**
 * The folder of Windows as its kernel names it. A user chooses the environment of their programs, so that no variable
 * may decide which policy applies. Throws file system errors.
 */
const windowsFolder = (): string => realpathSync.native('\\\\?\\GLOBALROOT\\SystemRoot');

/** The drive of Windows, `C:` if unknown. */
const windowsDrive = (find: () => string): string => {
  try {
    return /^[A-Z]:(?=\\)/i.exec(find())?.[0] ?? 'C:';
  } catch {
    return 'C:';
  }
};

/** The path of the policy file, the same for every user of the computer. `find`: the folder of Windows. */
export const policyFile = (
  platform: NodeJS.Platform = process.platform,
  find: () => string = windowsFolder,
): string => {
  if (platform === 'win32')
    return win32.join(windowsDrive(find), '\\ProgramData', 'Counterfoil', 'policy.json');
  return platform === 'darwin'
    ? posix.join('/Library/Application Support', 'Counterfoil', 'policy.json')
    : posix.join('/etc', 'counterfoil', 'policy.json');
};
