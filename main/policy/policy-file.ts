import { posix, win32 } from 'node:path';

/** The path of the policy file, the same for every user of the computer. `env`: the environment, for Windows. */
export const policyFile = (
  platform: NodeJS.Platform = process.platform,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string => {
  if (platform === 'win32')
    return win32.join(env['ProgramData'] ?? 'C:\\ProgramData', 'Counterfoil', 'policy.json');
  return platform === 'darwin'
    ? posix.join('/Library/Application Support', 'Counterfoil', 'policy.json')
    : posix.join('/etc', 'counterfoil', 'policy.json');
};
