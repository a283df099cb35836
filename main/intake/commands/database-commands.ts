import { msg, quoted } from '../../../shared/messages/message.ts';
import type { AppError, Result } from '../../../shared/errors.ts';
import { openAdministration, type Administration } from '../../payment-log/postgres/administer.ts';
import { installationsFor } from '../../payment-log/postgres/connections-needed.ts';
import type { SharedLogSettings } from '../../payment-log/postgres/connection-settings.ts';
import { readRegularFileSync } from '../../files/read-regular-file.ts';
import { joiningText } from '../../team/joining-text.ts';
import { sharedLogSettings } from '../config/intake-config.ts';
import {
  failureText,
  loadConfig,
  refuse,
  type Command,
  type CommandContext,
  type ExitCode,
} from './command.ts';

/**
 * What an administrator of the database does: `init`, `add-console`, `add-intake`, `revoke`. They sign in with an account
 * that may create roles, not with the intake's.
 */

const explainFailure = (context: CommandContext, error: AppError): ExitCode => {
  const cause = error.details?.['cause'];
  context.complain(failureText(error));
  if (cause !== undefined) context.complain(quoted(String(cause)));
  return 2;
};

/** Runs `work` with the administrator's account; `settings`: those of the configuration, without a password. */
const administer = async (
  context: CommandContext,
  work: (administration: Administration, settings: SharedLogSettings) => Promise<Result<unknown>>,
  toRevoke: string | null = null,
): Promise<ExitCode> => {
  const loaded = loadConfig(context);
  if (loaded === null) return 2;
  const settings = sharedLogSettings(loaded.config, null);
  if (settings === null) return refuse(context, msg('intake.database.none'));
  const { host, port, role } = context.administrator;
  const opened = await openAdministration(
    {
      ...settings,
      host: host ?? settings.host,
      port: port ?? settings.port,
      role: role ?? 'postgres',
      password: context.environment['PGPASSWORD'] ?? null,
    },
    toRevoke,
  );
  if (!opened.ok) return explainFailure(context, opened.error);
  try {
    const done = await work(opened.value, settings);
    return done.ok ? 0 : explainFailure(context, done.error);
  } finally {
    await opened.value.close();
  }
};

/** The only argument; null after the usage was printed. */
const onlyArgument = (context: CommandContext, syntax: string): string | null => {
  const [given, ...more] = context.args;
  if (given !== undefined && given !== '' && more.length === 0) return given;
  context.complain(msg('intake.one-argument', { syntax }));
  return null;
};

/** `init`: creates the schema of the shared log in an existing database, or restores its roles, owners and rights. */
export const init: Command = context =>
  administer(context, async (administration, { schema, database }) => {
    const created = await administration.create();
    if (!created.ok) return created;
    const { isNew, missing, isClosed, maxConnections: permitted } = created.value;
    context.explain(msg(isNew ? 'intake.init.done' : 'intake.init.restored', { schema, database }));
    if (missing.length > 0) context.explain(msg('intake.init.missing', { roles: missing.join(', ') }));
    if (!isClosed) context.explain(msg('intake.init.open'));
    context.explain(
      msg('intake.init.connections', { permitted, installations: installationsFor(permitted) }),
    );
    return created;
  });

/** Size limit of a file of authorities, bytes. */
const maxPemBytes = 64 * 1024;

/** Prints the text with which a console joins. */
const printJoiningText = (
  context: CommandContext,
  settings: SharedLogSettings,
  account: { role: string; password: string },
): void => {
  context.explain(msg('intake.add-console.text'));
  const { ca } = settings;
  // The text carries the certificate itself: the PCs do not have the server's files.
  const authorities = ca === null ? null : readRegularFileSync(ca, maxPemBytes);
  const { role, password } = account;
  context.print(joiningText({ ...settings, ca: authorities, role, password }));
};

/** `add-console LABEL`: an account for a console, and the text with which it joins. */
export const addConsole: Command = async context => {
  const label = onlyArgument(context, 'counterfoil-intake add-console LABEL');
  if (label === null) return 2;
  return administer(context, async (administration, settings) => {
    const added = await administration.add('console', label, context.may);
    if (!added.ok) return added;
    context.explain(msg('intake.add.role', { role: added.value.role }));
    printJoiningText(context, settings, added.value);
    return added;
  });
};

/** `add-intake LABEL`: an account for an intake, with its password. */
export const addIntake: Command = async context => {
  const label = onlyArgument(context, 'counterfoil-intake add-intake LABEL');
  if (label === null) return 2;
  return administer(context, async administration => {
    const added = await administration.add('intake', label, context.may ?? ['keeper']);
    if (!added.ok) return added;
    context.explain(msg('intake.add.role', { role: added.value.role }));
    context.explain(msg('intake.add-intake.password'));
    context.print(added.value.password);
    return added;
  });
};

/** `renew ROLE`: a new password for an account, also for one that was closed or that is missing on this server. */
export const renew: Command = async context => {
  const role = onlyArgument(context, 'counterfoil-intake renew ROLE');
  if (role === null) return 2;
  return administer(context, async (administration, settings) => {
    const renewed = await administration.renew(role);
    if (!renewed.ok) return renewed;
    const { kind, label, password } = renewed.value;
    context.explain(msg('intake.renew.done', { role, label }));
    if (kind === 'console') printJoiningText(context, settings, { role, password });
    else {
      context.explain(msg('intake.add-intake.password'));
      context.print(password);
    }
    return renewed;
  });
};

/** `grant ROLE --may RIGHTS`: gives an account further rights. */
export const grant: Command = async context => {
  const role = onlyArgument(context, 'counterfoil-intake grant ROLE --may admin,eraser,keeper');
  if (role === null) return 2;
  return administer(context, async administration => {
    const granted = await administration.grant(role, context.may ?? []);
    if (granted.ok)
      context.explain(msg('intake.grant.done', { role, rights: (context.may ?? []).join(', ') }));
    return granted;
  });
};

/** `retention DAYS|never`: after how long personal data of all installations is erased. */
export const retention: Command = async context => {
  const syntax = 'counterfoil-intake retention DAYS|never';
  const given = onlyArgument(context, syntax);
  if (given === null) return 2;
  const days = given === 'never' ? null : Number(given);
  if (days !== null && !(Number.isInteger(days) && days >= 1 && days <= 36_500))
    return refuse(context, msg('intake.one-argument', { syntax }));
  return administer(context, async administration => {
    const set = await administration.setRetention(days);
    if (set.ok)
      context.explain(days === null ? msg('intake.retention.never') : msg('intake.retention.days', { days }));
    return set;
  });
};

/** `installations`: prints every account, one JSON object on each line. */
export const installations: Command = context =>
  administer(context, async administration => {
    const found = await administration.installations();
    if (found.ok) for (const one of found.value) context.print(JSON.stringify(one));
    return found;
  });

/** `revoke ROLE`: closes an account and its connections, also while it holds all locks of a server on this computer. */
export const revoke: Command = async context => {
  const role = onlyArgument(context, 'counterfoil-intake revoke ROLE');
  if (role === null) return 2;
  return administer(
    context,
    async administration => {
      const revoked = await administration.revoke(role);
      if (revoked.ok) context.explain(msg('intake.revoke.done', { role }));
      return revoked;
    },
    role,
  );
};
