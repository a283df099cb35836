import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { FieldProblem } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import {
  sharedLogSettingsSchema,
  type SharedLogSettings,
  clientConfig,
} from '../../payment-log/postgres/connection-settings.ts';
import { problemAt, schemaProblems } from '../../settings/schema-problems.ts';
import { configVariable, withEnvironment } from './environment.ts';
import { intakeConfigSchema, type IntakeConfig } from './intake-config.ts';

/** Reads the configuration of an intake. */

type Environment = Readonly<Record<string, string | undefined>>;

export const defaultConfigFile = '/etc/counterfoil/intake.json';

/** A valid configuration with absolute paths. `folder`: where it is; secrets are relative to it. */
export type LoadedConfig = { config: IntakeConfig; folder: string };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Secrets that were written into the configuration: the sentence says why, and never repeats one. */
const inlineSecrets = (found: Record<string, unknown>): FieldProblem[] => {
  const profiles = Array.isArray(found['profiles']) ? found['profiles'] : [];
  const alerts = isObject(found['alerts']) ? found['alerts'] : {};
  const owners = [
    ...profiles.map((value: unknown, at) => ({ path: `profiles.${at}.password`, value })),
    { path: 'database.password', value: found['database'] },
    { path: 'alerts.email.password', value: alerts['email'] },
    { path: 'alerts.webhook.secret', value: alerts['webhook'] },
  ];
  return owners.flatMap(({ path, value }) =>
    isObject(value) && typeof value[path.split('.').at(-1) ?? ''] === 'string'
      ? [{ path, message: msg('intake.problem.inline-secret') }]
      : [],
  );
};

const duplicates = (config: IntakeConfig): FieldProblem[] =>
  (['id', 'callbackPath'] as const).flatMap(field =>
    config.profiles.flatMap((profile, at) =>
      config.profiles.findIndex(other => other[field] === profile[field]) < at
        ? [problemAt(['profiles', at, field], msg('policy.problem.twice'))]
        : [],
    ),
  );

/** The settings of the shared log, with the password that the configuration refers to; null without a database. */
export const sharedLogSettings = (
  { database }: Pick<IntakeConfig, 'database'>,
  password: string | null,
): SharedLogSettings | null => {
  if (database === null) return null;
  const { name, password: _reference, ...rest } = database;
  return sharedLogSettingsSchema.parse({ ...rest, database: name, password });
};

/** What the client refuses, such as a connection without TLS to another computer. */
const databaseProblems = (config: IntakeConfig): FieldProblem[] => {
  const settings = sharedLogSettings(config, null);
  const client = settings === null ? null : clientConfig(settings, 'counterfoil-intake');
  if (client === null || client.ok) return [];
  const { fields, message } = client.error;
  return (fields ?? [{ path: 'ca', message }]).map(one => ({ ...one, path: `database.${one.path}` }));
};

/** What the schema cannot express. */
const furtherProblems = (config: IntakeConfig): FieldProblem[] => [
  ...duplicates(config),
  ...databaseProblems(config),
  ...(config.admin.port !== 0 && config.admin.port === config.listen.port
    ? [problemAt(['admin', 'port'], msg('intake.problem.same-port'))]
    : []),
  ...(config.strict && config.database === null
    ? [problemAt(['strict'], msg('intake.problem.strict-alone'))]
    : []),
  ...(config.confirmPaid && config.database === null
    ? [problemAt(['confirmPaid'], msg('intake.problem.confirm-alone'))]
    : []),
];

/** `config` with absolute paths. */
const withFolder = (config: IntakeConfig, folder: string): IntakeConfig => ({
  ...config,
  state: resolve(folder, config.state),
  listen: {
    ...config.listen,
    tls: config.listen.tls && {
      certificate: resolve(folder, config.listen.tls.certificate),
      key: resolve(folder, config.listen.tls.key),
    },
  },
  database: config.database && {
    ...config.database,
    ca: config.database.ca === null ? null : resolve(folder, config.database.ca),
  },
});

const readText = (file: string, isNamed: boolean): { text: string } | { problem: FieldProblem } => {
  try {
    return { text: readFileSync(file, 'utf8') };
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'unknown';
    // Without a file, the environment can contain everything.
    if (code === 'ENOENT' && !isNamed) return { text: '{}' };
    return { problem: { path: file, message: msg('policy.problem.unreadable', { code }) } };
  }
};

/**
 * The configuration of `file` (null: the variable's, or the default one) and the environment, or every problem with
 * its path.
 */
export const readConfig = (
  file: string | null,
  environment: Environment,
): LoadedConfig | { problems: FieldProblem[] } => {
  const named = file ?? environment[configVariable] ?? null;
  const chosen = resolve(named ?? defaultConfigFile);
  const read = readText(chosen, named !== null);
  if ('problem' in read) return { problems: [read.problem] };
  let found: unknown;
  try {
    found = JSON.parse(read.text.replace(/^\uFEFF/, ''));
  } catch {
    return { problems: [{ path: chosen, message: msg('policy.problem.json') }] };
  }
  if (!isObject(found)) return { problems: [{ path: chosen, message: msg('policy.problem.json') }] };
  const { value, problems } = withEnvironment(found, environment);
  const inline = inlineSecrets(value);
  const parsed = intakeConfigSchema.safeParse(value);
  const own = parsed.success ? furtherProblems(parsed.data) : schemaProblems(parsed.error);
  const all = [...problems, ...inline, ...own.filter(one => !inline.some(({ path }) => path === one.path))];
  return parsed.success && all.length === 0
    ? { config: withFolder(parsed.data, dirname(chosen)), folder: dirname(chosen) }
    : { problems: all };
};
