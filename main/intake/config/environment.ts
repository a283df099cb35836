import type { FieldProblem } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';

/** Variables of the environment that override single values of the configuration. */

type Environment = Readonly<Record<string, string | undefined>>;
type Json = Record<string, unknown>;

const prefix = 'COUNTERFOIL_INTAKE_';
/** The variable that names the file. */
export const configVariable = `${prefix}CONFIG`;

/** Values that a variable can override, by path. `text` is taken as it is, the others are JSON. */
export const overridable: Readonly<Record<string, 'text' | 'json'>> = {
  version: 'json',
  'listen.host': 'text',
  'listen.port': 'json',
  'listen.tls': 'json',
  'listen.connections': 'json',
  'listen.connectionsPerAddress': 'json',
  'listen.trustedProxies': 'json',
  'returnPages.enabled': 'json',
  'returnPages.merchant': 'text',
  'admin.host': 'text',
  'admin.port': 'json',
  'database.host': 'text',
  'database.port': 'json',
  'database.name': 'text',
  'database.schema': 'text',
  'database.role': 'text',
  'database.tls': 'text',
  'database.ca': 'text',
  'database.password': 'json',
  state: 'text',
  profiles: 'json',
  acknowledgeWithinMs: 'json',
  strict: 'json',
  quarantine: 'json',
  retentionDays: 'json',
  keeper: 'json',
  confirmPaid: 'json',
  'alerts.kinds': 'json',
  'alerts.showAmounts': 'json',
  'alerts.everySeconds': 'json',
  'alerts.language': 'text',
  'alerts.webhook': 'json',
  'alerts.email': 'json',
  drainMs: 'json',
  logLevel: 'text',
};

/** `listen.tls` → `COUNTERFOIL_INTAKE_LISTEN_TLS`. */
const variableOf = (path: string): string =>
  prefix +
  path
    .replaceAll('.', '_')
    .replaceAll(/[A-Z]/g, letter => `_${letter}`)
    .toUpperCase();

const paths = new Map(Object.keys(overridable).map(path => [variableOf(path), path]));

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Sets a value two levels deep; a value of another kind in between is replaced. */
const withValue = (target: Json, path: string, value: unknown): Json => {
  const [group = '', field] = path.split('.');
  if (field === undefined) return { ...target, [group]: value };
  const inner = isObject(target[group]) ? target[group] : {};
  return { ...target, [group]: { ...inner, [field]: value } };
};

/** Names of the variables that the file itself refers to: they hold secrets, not settings. */
const referredIn = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.flatMap(referredIn)
    : isObject(value)
      ? [
          ...(typeof value['env'] === 'string' ? [value['env']] : []),
          ...Object.values(value).flatMap(referredIn),
        ]
      : [];

/**
 * `found`, the content of the file, with the values of the environment. A variable with our prefix and no meaning is a
 * problem: a misspelt one would have no effect.
 */
export const withEnvironment = (
  found: Json,
  environment: Environment,
): { value: Json; problems: FieldProblem[] } => {
  let value = found;
  const problems: FieldProblem[] = [];
  const own = Object.keys(environment).filter(
    name => name.startsWith(prefix) && name !== configVariable && environment[name] !== undefined,
  );
  for (const name of own) {
    const path = paths.get(name);
    if (path === undefined) continue;
    const text = environment[name] ?? '';
    if (overridable[path] === 'text') value = withValue(value, path, text);
    else
      try {
        value = withValue(value, path, JSON.parse(text));
      } catch {
        problems.push({ path: name, message: msg('intake.problem.variable-json') });
      }
  }
  const referred = new Set(referredIn(value));
  for (const name of own)
    if (!paths.has(name) && !referred.has(name))
      problems.push({ path: name, message: msg('intake.problem.variable-unknown') });
  return { value, problems };
};
