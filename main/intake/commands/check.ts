import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { joined, msg } from '../../../shared/messages/message.ts';
import { certificateFacts, readPems } from '../../callbacks/certificate.ts';
import type { SharedLogSettings } from '../../payment-log/postgres/connection-settings.ts';
import { checkServer } from '../../team/check-server.ts';
import { secretReferences, sharedLogSettings, type IntakeConfig } from '../config/intake-config.ts';
import { findUnsafePlace } from '../../files/unsafe-place.ts';
import { journalFile } from '../serve/installation.ts';
import { returnPagePaths } from '../serve/return-pages.ts';
import { exposedSecrets } from '../config/secrets.ts';
import { failureText, loadWithSecrets, type Command, type CommandContext } from './command.ts';
import { systemClock } from '../../clock.ts';
import { spawnSync } from 'node:child_process';
import type { FieldProblem } from '../../../shared/errors.ts';
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
const serviceProblems = ({ config, folder, file }: LoadedConfig): FieldProblem[] => {
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

/** Whether a folder can be written, or created. */
const isWritable = (folder: string): boolean => {
  let existing = resolve(folder);
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing);
  try {
    accessSync(existing, constants.W_OK);
    return true;
  } catch {
    return false;
  }
};

const addressOf = (scheme: string, host: string, port: number): string =>
  `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** Prints the certificate; returns whether it can be used. */
const checkCertificate = async (context: CommandContext, { listen }: IntakeConfig): Promise<boolean> => {
  if (listen.tls === null) {
    context.explain(msg('intake.check.no-tls'));
    return true;
  }
  const pems = await readPems(listen.tls);
  const facts = pems.ok ? certificateFacts(pems.value, systemClock()) : pems;
  if (!facts.ok) {
    context.complain(msg('intake.config.problem', { path: 'listen.tls', message: failureText(facts.error) }));
    return false;
  }
  const until = new Date(facts.value.validTo).toISOString().slice(0, 10);
  context.explain(msg('intake.check.tls', { name: facts.value.name, until }));
  return true;
};

/** Connects to the shared log, step by step, and prints what needs attention; returns whether it can be used. */
const checkSharedLog = async (
  context: CommandContext,
  settings: SharedLogSettings | null,
): Promise<boolean> => {
  if (settings === null) return true;
  const { steps } = await checkServer(settings, '');
  for (const { name, state, finding, todo } of steps) {
    // An intake without a journal has no chain yet.
    if (name === 'chain' || state === 'unknown') continue;
    const message = msg('intake.check.step', {
      step: msg(`team.check.${name}`),
      finding: joined(finding, todo),
    });
    if (state === 'broken') context.complain(message);
    else context.explain(message);
  }
  return !steps.some(({ state }) => state === 'broken');
};

/** `check`: prints what `run` would do, and every problem with its path. Changes nothing. */
export const check: Command = async context => {
  const ready = loadWithSecrets(context);
  if (ready === null) return 1;
  const { config } = ready.loaded;
  const { listen, admin, database } = config;
  const base = addressOf(listen.tls ? 'https' : 'http', listen.host, listen.port);
  context.explain(msg('intake.check.listen', { address: base }));
  for (const { id, callbackPath, password } of config.profiles)
    context.explain(
      msg(password ? 'intake.check.profile' : 'intake.check.profile-unverified', {
        profile: id,
        address: `${base}${callbackPath}`,
      }),
    );
  if (config.returnPages.enabled)
    for (const path of returnPagePaths)
      context.explain(msg('intake.check.return-page', { address: `${base}${path}` }));
  const hasCertificate = await checkCertificate(context, config);
  context.explain(msg('intake.check.admin', { address: addressOf('http', admin.host, admin.port) }));
  context.explain(msg('intake.check.state', { folder: config.state }));
  const isStateWritable = isWritable(config.state);
  if (!isStateWritable)
    context.complain(
      msg('intake.config.problem', { path: 'state', message: msg('intake.problem.state-unwritable') }),
    );
  context.explain(
    database === null
      ? msg('intake.check.no-database')
      : msg('intake.check.database', { host: database.host, name: database.name, role: database.role }),
  );
  const { webhook, kinds } = config.alerts;
  if (webhook !== null)
    context.explain(msg('intake.check.alerts', { kinds: kinds.join(', '), to: new URL(webhook.url).host }));
  // A container's secrets are mounted readable for everybody in it: no reason not to start.
  for (const problem of exposedSecrets(ready.loaded, context.environment))
    context.complain(msg('intake.config.problem', problem));
  const place = await findUnsafePlace(journalFile(config.state));
  if (place) context.complain(msg(`health.place.${place.kind}`, { name: place.name }));
  const ofService = serviceProblems(ready.loaded);
  for (const problem of ofService) context.complain(msg('intake.config.problem', problem));
  const isServerUsable = await checkSharedLog(context, sharedLogSettings(config, ready.secrets.database));
  return hasCertificate && isStateWritable && isServerUsable && ofService.length === 0 ? 0 : 1;
};
