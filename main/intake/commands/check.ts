import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { joined, msg } from '../../../shared/messages/message.ts';
import { certificateFacts, readPems } from '../../callbacks/certificate.ts';
import type { SharedLogSettings } from '../../payment-log/postgres/connection-settings.ts';
import { checkServer } from '../../team/check-server.ts';
import { sharedLogSettings, type IntakeConfig } from '../config/intake-config.ts';
import { findUnsafePlace } from '../../files/unsafe-place.ts';
import { journalFile } from '../serve/installation.ts';
import { returnPagePaths } from '../serve/return-pages.ts';
import { exposedSecrets } from '../config/secrets.ts';
import { loadWithSecrets, type Command, type CommandContext } from './command.ts';
import { serviceProblems } from './service-view.ts';
import { systemClock } from '../../clock.ts';

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
    context.complain(
      msg('intake.config.problem', {
        path: 'listen.tls',
        message: joined(facts.error.message, facts.error.hint ?? null),
      }),
    );
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
