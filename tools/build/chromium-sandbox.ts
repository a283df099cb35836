import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Whether Electron, started from a checkout, can have Chromium's sandbox. */

/** What decides it on this machine. */
export type SandboxMachine = {
  platform: string;
  userId: number | undefined;
  /** The text of a file in /proc/sys; null if this kernel has none. */
  setting: (path: string) => string | null;
  /** The owner and the mode of the helper beside Electron; null if it is missing. */
  helper: { uid: number; mode: number } | null;
};

const setting: SandboxMachine['setting'] = path => {
  try {
    return readFileSync(join('/proc/sys', path), 'utf8').trim();
  } catch {
    return null;
  }
};

/** A file in /proc/sys, and the value with which a program without rights gets no namespaces: only the helper does. */
const restrictions = [
  ['kernel/apparmor_restrict_unprivileged_userns', '1'],
  ['kernel/unprivileged_userns_clone', '0'],
  ['user/max_user_namespaces', '0'],
] as const;

/**
 * Electron's arguments, and the sentence to print if it has no sandbox although it should: Ubuntu has restricted
 * namespaces since 23.10, and the helper of a fetched runtime belongs to the user.
 */
export const sandboxArguments = (
  binary: string,
  machine?: SandboxMachine,
): { args: string[]; notice: string | null } => {
  const helperPath = join(binary, '..', 'chrome-sandbox');
  const { platform, userId, helper, ...here }: SandboxMachine = machine ?? {
    platform: process.platform,
    userId: process.getuid?.(),
    setting,
    helper: statSync(helperPath, { throwIfNoEntry: false }) ?? null,
  };
  if (platform !== 'linux') return { args: [], notice: null };
  // Chromium's sandbox refuses to run as root.
  if (userId === 0) return { args: ['--no-sandbox'], notice: null };
  if (helper !== null && helper.uid === 0 && (helper.mode & 0o4001) === 0o4001)
    return { args: [], notice: null };
  const restriction = restrictions.find(([path, value]) => here.setting(path) === value);
  if (restriction === undefined) return { args: [], notice: null };
  const [path, value] = restriction;
  return {
    args: ['--no-sandbox'],
    notice: `Counterfoil runs without Chromium’s sandbox, because this system gives programs no namespaces (${path.replaceAll('/', '.')} is ${value}); to have it: sudo chown root:root '${helperPath}' && sudo chmod 4755 '${helperPath}'`,
  };
};
