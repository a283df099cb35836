import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import * as z from 'zod';
import { codeOf, type FieldProblem } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import { schemaProblems } from '../../settings/schema-problems.ts';
import { contradictions, intakeConfigSchema, type IntakeConfig } from './intake-config.ts';

/** Reads the configuration of an intake: a file, and variables of the environment that override its values. */

type Json = Record<string, unknown>;

export const defaultConfigFile = '/etc/counterfoil/intake.json';

const prefix = 'COUNTERFOIL_INTAKE_';
/** The variable that names the file. */
const configVariable = `${prefix}CONFIG`;

/** A valid configuration with absolute paths. `folder`: where it is; secrets are relative to it. */
export type LoadedConfig = { config: IntakeConfig; folder: string; file: string };

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A schema without its default and its null. */
const bare = (schema: z.core.$ZodType): z.core.$ZodType =>
  schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodNullable
    ? bare(schema.unwrap())
    : schema;

/** `['listen', 'tls']` → `COUNTERFOIL_INTAKE_LISTEN_TLS`. */
const variableOf = (path: readonly string[]): string =>
  prefix +
  path
    .join('_')
    .replaceAll(/[A-Z]/g, letter => `_${letter}`)
    .toUpperCase();

/** The values that a variable can set, two levels deep. Texts are taken as they are, other values are JSON. */
const variables = new Map(
  Object.entries(intakeConfigSchema.shape)
    .filter(([name]) => name !== '$schema')
    .flatMap(([name, schema]) => {
      const group = bare(schema);
      return group instanceof z.ZodObject
        ? Object.entries(group.shape).map(([field, inner]) => ({ path: [name, field], schema: bare(inner) }))
        : [{ path: [name], schema: group }];
    })
    .map(({ path, schema }) => [
      variableOf(path),
      { path, isText: schema instanceof z.ZodString || schema instanceof z.ZodEnum },
    ]),
);

/** Sets a value; one of another kind in between is replaced. */
const withValue = (target: Json, [name = '', ...rest]: readonly string[], value: unknown): Json => {
  const inner = target[name];
  return {
    ...target,
    [name]: rest.length === 0 ? value : withValue(isObject(inner) ? inner : {}, rest, value),
  };
};

/** Names of the variables that the file itself refers to: they hold secrets, not settings. */
const referredIn = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => (name === 'env' ? [inner] : referredIn(inner)))
    : [];

/**
 * `found`, the content of the file, with the values of the environment. A variable with our prefix and no meaning is a
 * problem: a misspelt one would have no effect.
 */
const withEnvironment = (
  found: Json,
  environment: NodeJS.ProcessEnv,
): { value: Json; problems: FieldProblem[] } => {
  let value = found;
  const problems: FieldProblem[] = [];
  const own = Object.entries(environment).flatMap(([name, text]) =>
    name.startsWith(prefix) && name !== configVariable && text !== undefined ? [{ name, text }] : [],
  );
  for (const { name, text } of own) {
    const variable = variables.get(name);
    if (variable === undefined) continue;
    try {
      value = withValue(value, variable.path, variable.isText ? text : JSON.parse(text));
    } catch {
      problems.push({ path: name, message: msg('intake.problem.variable-json') });
    }
  }
  const referred = referredIn(value);
  for (const { name } of own)
    if (!variables.has(name) && !referred.includes(name))
      problems.push({ path: name, message: msg('intake.problem.variable-unknown') });
  return { value, problems };
};

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
    const code = codeOf(thrown) || 'unknown';
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
  environment: NodeJS.ProcessEnv,
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
  const parsed = intakeConfigSchema.safeParse(value);
  const all = [...problems, ...(parsed.success ? contradictions(parsed.data) : schemaProblems(parsed.error))];
  return parsed.success && all.length === 0
    ? { config: withFolder(parsed.data, dirname(chosen)), folder: dirname(chosen), file: chosen }
    : { problems: all };
};
