import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import type { FieldProblem } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import { secretReferences } from '../config/intake-config.ts';
import { defaultConfigFile, type LoadedConfig } from '../config/read-config.ts';

/** What the service meets where an administrator checks: systemd runs it as a user that may read less. */

const unit = 'counterfoil-intake.service';

/** The only folder that the unit may write. */
const stateFolder = '/var/lib/counterfoil-intake';

/** The unit with what `systemctl edit` added; null where systemd does not run, or without the unit. */
const readUnit = (): string | null => {
  const { status, stdout } = spawnSync('systemctl', ['cat', unit], { encoding: 'utf8' });
  return status === 0 ? stdout : null;
};

/** The names of the secrets that systemd gives to the unit. */
const credentialsIn = (text: string): Set<string> => {
  const names = new Set<string>();
  for (const [, name = ''] of text.matchAll(/^(?:Load|Set)Credential(?:Encrypted)?=([^:\n]*)/gm))
    if (name === '') names.clear();
    else names.add(name);
  return names;
};

/** Whether every user may read a file, whose folders have to be open too. */
const isReadableByAll = (file: string): boolean => {
  const has = (path: string, bit: number): boolean =>
    ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & bit) !== 0;
  if (!has(file, 0o004)) return false;
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (!has(folder, 0o001)) return false;
    if (folder === dirname(folder)) return true;
  }
};

/**
 * Why the service cannot do what root, who asks, can; empty for other users, and for a configuration that is not the
 * service's.
 */
export const serviceProblems = ({ config, folder, file }: LoadedConfig): FieldProblem[] => {
  const text = process.getuid?.() === 0 ? readUnit() : null;
  if (text === null) return [];
  const ofService = /^ExecStart=.*--config[= ](\S+)/m.exec(text)?.[1] ?? defaultConfigFile;
  if (file !== ofService) return [];
  const problems: FieldProblem[] = [];
  if (!isReadableByAll(file))
    problems.push({ path: file, message: msg('intake.problem.service-file', { file }) });
  const given = credentialsIn(text);
  for (const { path, reference } of secretReferences(config))
    if ('env' in reference) {
      if (
        !new RegExp(`^(Environment=.*\\b${reference.env}=|EnvironmentFile=|PassEnvironment=)`, 'm').test(text)
      )
        problems.push({ path, message: msg('intake.problem.secret-variable', { name: reference.env }) });
    } else if (isAbsolute(reference.file)) {
      if (!reference.file.startsWith('/run/credentials/') && !isReadableByAll(reference.file))
        problems.push({ path, message: msg('intake.problem.service-file', { file: reference.file }) });
    } else if (!given.has(reference.file)) {
      const line = `LoadCredential=${reference.file}:${join(folder, reference.file)}`;
      problems.push({ path, message: msg('intake.problem.service-credential', { line }) });
    }
  for (const [name, path] of Object.entries(config.listen.tls ?? {}))
    if (!path.startsWith('/run/credentials/') && !isReadableByAll(path))
      problems.push({
        path: `listen.tls.${name}`,
        message: msg('intake.problem.service-file', { file: path }),
      });
  if (config.state !== stateFolder)
    problems.push({ path: 'state', message: msg('intake.problem.service-state', { folder: stateFolder }) });
  return problems;
};
