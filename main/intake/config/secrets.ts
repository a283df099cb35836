import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { codeOf, type FieldProblem } from '../../../shared/errors.ts';
import { msg, type Message } from '../../../shared/messages/message.ts';
import { secretReferences, type SecretReference } from './intake-config.ts';
import type { LoadedConfig } from './read-config.ts';

/** Reads the secrets that the configuration refers to. No text of this module contains one. */

/** Size limit of a secret's file, bytes. */
const maxBytes = 4_096;

export type Secrets = {
  /** Merchant passwords by profile id. */
  passwords: ReadonlyMap<string, string>;
  /** The database's; null if none is configured. */
  database: string | null;
  /** What signs messages about alerts; null if none is configured. */
  webhook: string | null;
  /** All of them, for the log to hide. */
  all: readonly string[];
};

/** A relative name is in systemd's folder of credentials if there is one, otherwise beside the configuration. */
const fileOf = (name: string, folder: string, environment: NodeJS.ProcessEnv): string => {
  const credentials = environment['CREDENTIALS_DIRECTORY'];
  return credentials ? resolve(credentials, name) : resolve(folder, name);
};

const readSecret = (
  reference: SecretReference,
  folder: string,
  environment: NodeJS.ProcessEnv,
): { secret: string } | { problem: Message } => {
  if ('env' in reference) {
    const secret = environment[reference.env] ?? '';
    return secret === ''
      ? { problem: msg('intake.problem.secret-variable', { name: reference.env }) }
      : { secret };
  }
  const file = fileOf(reference.file, folder, environment);
  try {
    const { size } = statSync(file);
    if (size > maxBytes) return { problem: msg('intake.problem.secret-large', { file }) };
    // An editor ends the line.
    const secret = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
    return secret === '' ? { problem: msg('intake.problem.secret-empty', { file }) } : { secret };
  } catch (thrown) {
    const code = codeOf(thrown) || 'unknown';
    return { problem: msg('intake.problem.secret-unreadable', { file, code }) };
  }
};

/**
 * The files of secrets, and of the certificate's key, that every user of this computer may read. Windows has no such
 * mode: none there.
 */
export const exposedSecrets = (
  { config, folder }: LoadedConfig,
  environment: NodeJS.ProcessEnv,
): FieldProblem[] => {
  const files = secretReferences(config).flatMap(({ path, reference }) =>
    'file' in reference ? [{ path, file: fileOf(reference.file, folder, environment) }] : [],
  );
  if (config.listen.tls !== null) files.push({ path: 'listen.tls.key', file: config.listen.tls.key });
  return files.flatMap(({ path, file }) => {
    const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
    return process.platform !== 'win32' && (mode & 0o004) !== 0
      ? [{ path, message: msg('intake.problem.secret-exposed', { file }) }]
      : [];
  });
};

/** All secrets of a configuration, and why one could not be read, each with its path. */
export const readSecrets = (
  { config, folder }: LoadedConfig,
  environment: NodeJS.ProcessEnv,
): { secrets: Secrets; problems: FieldProblem[] } => {
  const problems: FieldProblem[] = [];
  const found = new Map<string, string>();
  for (const { path, reference } of secretReferences(config)) {
    const read = readSecret(reference, folder, environment);
    if ('secret' in read) found.set(path, read.secret);
    else problems.push({ path, message: read.problem });
  }
  const passwords = config.profiles.flatMap(({ id }, at): [string, string][] => {
    const password = found.get(`profiles.${at}.password`);
    return password === undefined ? [] : [[id, password]];
  });
  const secrets = {
    passwords: new Map(passwords),
    database: found.get('database.password') ?? null,
    webhook: found.get('alerts.webhook.secret') ?? null,
    all: [...found.values()],
  };
  return { secrets, problems };
};
