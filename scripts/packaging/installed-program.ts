import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Where each system has the installed application, and how it is installed and removed without a question. */

const linuxProgram = '/usr/lib/counterfoil/counterfoil';
const macApplication = '/Applications/Counterfoil.app';
const linkKey = 'HKCU\\Software\\Classes\\counterfoil\\shell\\open\\command';

/** The program of a counterfoil: link's command in the output of `reg query`; null if there is none. */
export const programOfLink = (output: string): string | null =>
  /REG_SZ\s+"([^"]+)"/.exec(output)?.[1] ?? null;

/** Path of the installed program; null if neither it nor its registration for counterfoil: links is there. */
export const installedProgram = (): string | null => {
  if (process.platform === 'win32')
    return programOfLink(spawnSync('reg', ['query', linkKey, '/ve'], { encoding: 'utf8' }).stdout);
  const program =
    process.platform === 'darwin' ? join(macApplication, 'Contents', 'MacOS', 'Counterfoil') : linuxProgram;
  return existsSync(program) ? program : null;
};

const only = (files: readonly string[], ending: string): string => {
  const found = files.filter(file => file.endsWith(ending));
  if (found.length !== 1) throw new Error(`Not one package ends in ${ending}: ${files.join(', ')}`);
  return found[0] ?? '';
};

/** The command that installs the package among `files` for this user. */
export const installCommand = (
  folder: string,
  files: readonly string[],
  platform: string = process.platform,
): string[] => {
  if (platform === 'win32') return [join(folder, only(files, '.exe')), '/S', '/currentuser'];
  if (platform === 'linux')
    // apt takes a file only if it looks like a path.
    return ['sudo', 'apt-get', 'install', '-y', '--reinstall', `./${join(folder, only(files, '.deb'))}`];
  return ['ditto', '-x', '-k', join(folder, only(files, '.zip')), '/Applications'];
};

/** The command that removes the application; `program`: its path. */
export const removeCommand = (program: string, platform: string = process.platform): string[] => {
  if (platform === 'win32') return [join(program, '..', 'Uninstall Counterfoil.exe'), '/S', '/currentuser'];
  if (platform === 'linux') return ['sudo', 'apt-get', 'remove', '-y', 'counterfoil'];
  return ['rm', '-r', macApplication];
};
