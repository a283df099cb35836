import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { readConfig } from '../../main/intake/config/read-config.ts';
import { readSecrets } from '../../main/intake/config/secrets.ts';
import { inEnglish } from '../../shared/messages/catalogues.ts';
import { newFolder } from '../../tools/app-harness/new-folder.ts';

/** The configuration of an intake: every problem is named by its path, and no secret is in it. */

let folder: string;
let file: string;
beforeEach(() => {
  folder = newFolder('config');
  file = join(folder, 'intake.json');
});

const profile = { id: 'live', name: 'Shop', callbackPath: `/${'1'.repeat(32)}` };
const database = { host: 'db', name: 'counterfoil', role: 'cf_intake' };

const read = (content: unknown, environment: Record<string, string> = {}) => {
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return readConfig(file, environment);
};
const problemsOf = (content: unknown, environment: Record<string, string> = {}): string[] => {
  const found = read(content, environment);
  return 'problems' in found ? found.problems.map(({ path }) => path) : [];
};
const configOf = (content: unknown, environment: Record<string, string> = {}) => {
  const found = read(content, environment);
  if ('problems' in found) throw new Error(found.problems.map(({ path }) => path).join());
  return found.config;
};

test('a configuration needs a version and a profile; everything else has a default', () => {
  expect(configOf({ version: 1, profiles: [profile] })).toMatchObject({
    listen: { host: '127.0.0.1', port: 8420, tls: null },
    admin: { host: '127.0.0.1', port: 9464 },
    database: null,
    acknowledgeWithinMs: 1_000,
    strict: false,
    profiles: [{ password: null, digest: 'md5', refundAmountInCallback: 'order' }],
  });
});

test.each([
  ['{', [expect.stringContaining('intake.json')]],
  ['[]', [expect.stringContaining('intake.json')]],
  [{}, ['version', 'profiles']],
  [{ version: 2, profiles: [profile] }, ['version']],
  [{ version: 1, profiles: [] }, ['profiles']],
  [{ version: 1, profiles: [profile], retries: 3 }, ['retries']],
  [{ version: 1, profiles: [profile], listen: { port: '8420', hots: 'x' } }, ['listen.port', 'listen.hots']],
  [{ version: 1, profiles: [{ ...profile, callbackPath: '/short' }] }, ['profiles.0.callbackPath']],
  [
    { version: 1, profiles: [{ ...profile, callbackPath: `/${'0'.repeat(32)}` }] },
    ['profiles.0.callbackPath'],
  ],
  [{ version: 1, profiles: [profile, profile] }, ['profiles.1.id', 'profiles.1.callbackPath']],
  [{ version: 1, profiles: [{ ...profile, id: 'sandbox' }] }, ['profiles.0.id']],
  [{ version: 1, profiles: [profile], admin: { port: 8420 } }, ['admin.port']],
  [{ version: 1, profiles: [profile], strict: true }, ['strict']],
  [{ version: 1, profiles: [profile], confirmPaid: true }, ['confirmPaid']],
  [
    { version: 1, profiles: [{ ...profile, password: { env: 'P' } }], confirmPaid: true, database },
    ['profiles.0.gateway'],
  ],
  [{ version: 1, profiles: [profile], listen: { trustedProxies: ['proxy'] } }, ['listen.trustedProxies.0']],
  [{ version: 1, profiles: [profile], acknowledgeWithinMs: 50 }, ['acknowledgeWithinMs']],
  [
    {
      version: 1,
      profiles: [profile],
      alerts: { webhook: { url: 'http://hooks.example.com/x', secret: { env: 'S' } } },
    },
    ['alerts.webhook.url'],
  ],
  [{ version: 1, profiles: [profile], alerts: { kinds: ['everything'] } }, ['alerts.kinds.0']],
  [{ version: 1, profiles: [profile], database: { host: 'db' } }, ['database.name', 'database.role']],
  [{ version: 1, profiles: [profile], database: { ...database, host: 'a,b' } }, ['database.host']],
  [{ version: 1, profiles: [profile], database: { ...database, host: 'postgres://db' } }, ['database.host']],
])('the intake’s configuration %j has its problems at %j', (content, paths) => {
  expect(problemsOf(content)).toEqual(paths);
});

test('a configuration refuses a secret that is written into it, and never repeats it', () => {
  const content = {
    version: 1,
    profiles: [{ ...profile, password: 'hunter2-hunter2' }],
    database: { ...database, password: 'hunter2-hunter2' },
    alerts: { webhook: { url: 'https://hooks.example.com/x', secret: 'hunter2-hunter2' } },
  };
  const found = read(content);
  const problems = 'problems' in found ? found.problems : [];
  expect(problems.map(({ path }) => path)).toEqual([
    'database.password',
    'profiles.0.password',
    'alerts.webhook.secret',
  ]);
  expect(problems.map(({ message }) => inEnglish(message))).toEqual([
    expect.stringContaining('no secret itself'),
    expect.stringContaining('{"env": "…"}'),
    expect.stringContaining('no secret itself'),
  ]);
  expect(JSON.stringify(found)).not.toContain('hunter2');
});

test('a configuration that is named and missing is a problem; the environment alone is enough without a name', () => {
  expect(readConfig(join(folder, 'none.json'), {})).toMatchObject({
    problems: [{ path: join(folder, 'none.json') }],
  });
  const alone = readConfig(null, {
    COUNTERFOIL_INTAKE_VERSION: '1',
    COUNTERFOIL_INTAKE_PROFILES: JSON.stringify([profile]),
  });
  expect(alone).toMatchObject({ config: { profiles: [{ id: 'live' }] } });
});

test('a configuration in the documentation needs a callback path and nothing else', () => {
  const example = readFileSync(join(import.meta.dirname, '../../assets/intake/intake.example.json'), 'utf8');
  expect(problemsOf(example)).toEqual(['profiles.0.callbackPath']);
  const own = example.replace('0'.repeat(32), '1'.repeat(32));
  expect(configOf(own)).toMatchObject({ version: 1 });
});

test('the environment of the intake overrides single values', () => {
  const { listen, acknowledgeWithinMs, state } = configOf(
    { version: 1, profiles: [profile], listen: { host: '0.0.0.0', port: 1 } },
    {
      COUNTERFOIL_INTAKE_LISTEN_PORT: '8080',
      COUNTERFOIL_INTAKE_ACKNOWLEDGE_WITHIN_MS: '500',
      COUNTERFOIL_INTAKE_STATE: '/data',
    },
  );
  expect([listen.host, listen.port, acknowledgeWithinMs, state]).toEqual(['0.0.0.0', 8080, 500, '/data']);
});

test('the environment of the intake has a variable for every setting, also without a file', () => {
  const texts = {
    LISTEN_HOST: '::1',
    DATABASE_HOST: 'localhost',
    DATABASE_NAME: '1',
    DATABASE_ROLE: 'null',
  };
  const values = {
    VERSION: '1',
    PROFILES: JSON.stringify([profile]),
    LISTEN_TLS: '{"certificate":"c.pem","key":"k.pem"}',
    LISTEN_CONNECTIONS_PER_ADDRESS: '7',
    LISTEN_TRUSTED_PROXIES: '["10.0.0.0/8"]',
    RETURN_PAGES_ENABLED: 'true',
    ADMIN_PORT: '0',
    DATABASE_PASSWORD: '{"env":"PG"}',
    CONFIRM_PAID: 'true',
    RETENTION_DAYS: 'null',
    ALERTS_KINDS: '["paid"]',
    ALERTS_WEBHOOK: '{"url":"https://hooks.example.com/","secret":{"file":"s"}}',
  };
  const named = (given: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(given).map(([name, value]) => [`COUNTERFOIL_INTAKE_${name}`, value]));
  const found = configOf({}, { ...named(texts), ...named(values), COUNTERFOIL_INTAKE_LOG_LEVEL: 'warn' });
  expect(found).toMatchObject({
    listen: { host: '::1', connectionsPerAddress: 7, trustedProxies: ['10.0.0.0/8'] },
    returnPages: { enabled: true },
    database: { host: 'localhost', name: '1', role: 'null', password: { env: 'PG' } },
    alerts: { kinds: ['paid'], webhook: { secret: { file: 's' } } },
    logLevel: 'warn',
  });
});

test.each([
  [{ COUNTERFOIL_INTAKE_LISTN_PORT: '1' }, ['COUNTERFOIL_INTAKE_LISTN_PORT']],
  [{ COUNTERFOIL_INTAKE_STRICT: 'yes' }, ['COUNTERFOIL_INTAKE_STRICT']],
  [{ COUNTERFOIL_INTAKE_LISTEN_PORT: '70000' }, ['listen.port']],
])('the environment %j of the intake has its problems at %j', (environment, paths) => {
  expect(problemsOf({ version: 1, profiles: [profile] }, environment)).toEqual(paths);
});

test('the environment of the intake may hold a secret under a name that the file refers to', () => {
  const content = { version: 1, profiles: [{ ...profile, password: { env: 'COUNTERFOIL_INTAKE_LIVE' } }] };
  expect(problemsOf(content, { COUNTERFOIL_INTAKE_LIVE: 'hunter2' })).toEqual([]);
});

const secretsOf = (password: unknown, environment: Record<string, string> = {}) => {
  const loaded = read({ version: 1, profiles: [{ ...profile, password }] });
  if ('problems' in loaded) throw new Error('The configuration has problems.');
  return readSecrets(loaded, environment);
};

test('secrets are read from a file beside the configuration, a folder of credentials or a variable', () => {
  writeFileSync(join(folder, 'live'), 'with blanks \r\n');
  expect(secretsOf({ file: 'live' }).secrets.passwords.get('live')).toBe('with blanks ');
  expect(secretsOf({ file: 'live' }, { CREDENTIALS_DIRECTORY: folder }).problems).toEqual([]);
  expect(secretsOf({ env: 'PASSWORD' }, { PASSWORD: 'x' }).secrets.passwords.get('live')).toBe('x');
});

test('secrets that cannot be read are named by their path', () => {
  writeFileSync(join(folder, 'empty'), '\n');
  writeFileSync(join(folder, 'large'), 'x'.repeat(5_000));
  for (const [reference, reason] of [
    [{ file: 'none' }, 'ENOENT'],
    [{ file: 'empty' }, 'is empty'],
    [{ file: 'large' }, 'too large'],
    [{ env: 'NONE' }, 'NONE is not set'],
  ] as const) {
    const { problems } = secretsOf(reference);
    expect(problems.map(({ path, message }) => [path, inEnglish(message)])).toEqual([
      ['profiles.0.password', expect.stringContaining(reason)],
    ]);
  }
});
