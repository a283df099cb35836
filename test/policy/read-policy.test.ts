import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { policyFile } from '../../main/policy/policy-file.ts';
import { readPolicy, readPolicyOnly } from '../../main/policy/read-policy.ts';
import { operationSettingsSchema } from '../../shared/settings/profile.ts';
import { manageableSettings } from '../../shared/administration/policy.ts';
import { newFolder } from '../../tools/app-harness/new-folder.ts';
import { tableOf } from '../../tools/app-harness/table.ts';

/** The policy file: real files in a folder of the test. */

const example = readFileSync('docs/use/policy.example.json', 'utf8');
let folder: string;
let file: string;
let remembered: string;
beforeEach(() => {
  folder = newFolder('policy');
  file = join(folder, 'policy.json');
  remembered = join(folder, 'policy.last.json');
});

const write = (content: unknown): void =>
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
const read = (platform = process.platform) => readPolicy(file, remembered, platform);
const problems = (content: unknown): string[] => {
  write(content);
  return read().state.problems.map(({ path, message }) => `${path}: ${message.key}`);
};
const shop = {
  id: 'shop',
  name: 'Shop',
  kind: 'test',
  baseUrl: 'https://pay.example.com',
  merchantKey: 'k',
  successUrl: 'https://shop.test/thanks',
  cancelUrl: 'https://shop.test/cancelled',
};

test('the policy file is in the place that each system has for all users', () => {
  expect(policyFile('linux')).toBe('/etc/counterfoil/policy.json');
  expect(policyFile('darwin')).toBe('/Library/Application Support/Counterfoil/policy.json');
  const usual = process.platform === 'win32' ? process.env['ProgramData'] : 'C:\\ProgramData';
  expect(policyFile('win32')).toBe(`${String(usual)}\\Counterfoil\\policy.json`);
});

test('the policy file is on the drive of Windows, and no variable of the environment moves it', () => {
  const variables = {
    ProgramData: 'D:\\Data',
    ALLUSERSPROFILE: 'D:\\Data',
    SystemDrive: 'D:',
    SystemRoot: 'D:\\W',
  };
  const before = { ...process.env };
  const usual = policyFile('win32');
  try {
    Object.assign(process.env, variables);
    expect(policyFile('win32')).toBe(usual);
    expect(policyFile('win32', () => 'E:\\Windows')).toBe('E:\\ProgramData\\Counterfoil\\policy.json');
  } finally {
    for (const name of Object.keys(variables))
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
  }
});

test('the policy file is on drive C if the kernel does not say where Windows is', () => {
  const silent = (): string => {
    throw new Error('EINVAL');
  };
  for (const find of [silent, () => '\\\\server\\Windows', () => ''])
    expect(policyFile('win32', find)).toBe('C:\\ProgramData\\Counterfoil\\policy.json');
});

test('the policy file is optional: without it nothing is fixed', () => {
  expect(read()).toMatchObject({ state: { state: 'none', problems: [] }, policy: null });
});

test('the policy file of the documentation is valid and fixes everything that a policy can fix', () => {
  write(example);
  const { state } = read();
  expect(state).toMatchObject({ state: 'applied', problems: [] });
  expect(state.managed.settings).toEqual([...manageableSettings]);
  expect(state.managed).toMatchObject({ profiles: ['hotel-lindenhof'], allProfiles: true, people: true });
});

test('the policy file can switch on operations and their limits; the others stay off, and a wrong limit is named', () => {
  const operations = { refund: true, limits: { perDay: 'EUR 500.00' } };
  write({ version: 1, profiles: [{ ...shop, operations }] });
  expect(read().policy?.profiles?.[0]?.operations).toEqual(
    operationSettingsSchema.parse({ refund: true, limits: { perDay: 'EUR 500.00' } }),
  );
  const wrong = { ...operations, limits: { perDay: '500' } };
  expect(problems({ version: 1, profiles: [{ ...shop, operations: wrong }] })).toEqual([
    'profiles.0.operations.limits.perDay: profile.limits.no-currency',
  ]);
  expect(problems({ version: 1, profiles: [{ ...shop, operations: { refunds: true } }] })).toHaveLength(1);
});

test('the policy file refuses a second profile of one account', () => {
  const second = { ...shop, id: 'second', name: 'Second', merchantKey: shop.merchantKey.toUpperCase() };
  expect(problems({ version: 1, profiles: [shop, second] })).toEqual([
    'profiles.1.merchantKey: profile.account-taken',
  ]);
});

test('the policy file refuses a profile whose free JSON repeats a setting', () => {
  const extras = { extraJson: '{"session_expiry":15}' };
  expect(problems({ version: 1, profiles: [{ ...shop, extras }] })).toEqual([
    'profiles.0.extras.extraJson: profile.extra-json.setting',
  ]);
});

test('the policy file fixes only the fields that it contains', () => {
  write({ version: 1, settings: { receiver: { port: 8443 }, idleLock: null } });
  expect(read().state.managed).toEqual({
    settings: ['idleLock', 'receiver.port'],
    profiles: [],
    allProfiles: false,
    people: false,
    list: {},
    isEncryptionRequired: false,
    sharedLog: { isFixed: false, server: null },
  });
});

/** Policies of version 1, in which SHOP is the shop above, and their problems. */
const faulty = tableOf(`
  a misspelt name | "settings": {"recevier": {}} | settings.recevier: policy.problem.unknown
  a misspelt name in a group | "settings": {"receiver": {"prot": 1}} | settings.receiver.prot: policy.problem.unknown
  two bad values | "settings": {"retentionDays": -1, "receiver": {"port": 70000}} | settings.retentionDays: policy.problem.invalid, settings.receiver.port: policy.problem.invalid
  a password | "profiles": [{SHOP, "password": "correct horse"}] | profiles.0.password: policy.problem.unknown
  an address without encryption | "profiles": [{SHOP, "baseUrl": "http://pay.example.com"}] | profiles.0.baseUrl: joined
  the sandbox | "profiles": [{SHOP, "id": "sandbox"}] | profiles.0.id: policy.problem.invalid
  the same profile twice | "profiles": [{SHOP}, {SHOP}] | profiles.1.id: policy.problem.twice, profiles.1.name: policy.problem.twice, profiles.1.merchantKey: profile.account-taken
  people without an administrator | "people": [{"name": "Ada", "role": "agent"}] | people: agents.last-administrator`).map(
  ([name = '', fields = '', found = '']): [string, unknown, string[]] => [
    name,
    JSON.parse(`{"version": 1, ${fields.replaceAll('SHOP', JSON.stringify(shop).slice(1, -1))}}`),
    found.split(', '),
  ],
);

test.each<[string, unknown, string[]]>([
  ['text', 'version: 1', [': policy.problem.json']],
  ['UTF-16', '{\0"\0', [': policy.problem.utf16']],
  ['another version', { version: 2 }, ['version: policy.problem.newer']],
  ['no version', {}, ['version: policy.problem.invalid']],
  ...faulty,
])('the policy file names each problem by its path: %s', (_name, content, expected) => {
  expect(problems(content)).toEqual(expected);
  expect(read().state.state).toBe('restricted');
});

test.skipIf(process.platform === 'win32')(
  'the policy file that every user can change decides nothing',
  () => {
    write(example);
    chmodSync(file, 0o666);
    expect(read().state).toMatchObject({
      state: 'restricted',
      problems: [{ path: '', message: { key: 'policy.problem.writable' } }],
    });
    chmodSync(file, 0o644);
    expect(read().state.state).toBe('applied');
  },
);

test.skipIf(process.getuid === undefined)(
  'the policy file in its usual place has to belong to the administrator, with its folder, which no other user may change',
  () => {
    const own = process.getuid?.() ?? 0;
    const owned = (owner: number) => readPolicy(file, remembered, process.platform, owner).state;
    write(example);
    expect(owned(own).state).toBe('applied');
    expect(owned(own + 1)).toMatchObject({
      state: 'remembered',
      problems: [{ message: { key: 'policy.problem.writable' } }],
    });
    chmodSync(dirname(file), 0o777);
    expect(owned(own).problems).toMatchObject([{ message: { key: 'policy.problem.writable' } }]);
    chmodSync(dirname(file), 0o700);
    expect(owned(own).state).toBe('applied');
  },
);

test('the policy file once faulty, leaves the last valid one in force and everything read-only', () => {
  write({ version: 1, settings: { retentionDays: 30 } });
  read();
  write('{ "version": 1, ');
  expect(read()).toMatchObject({
    state: { state: 'remembered', managed: { allProfiles: true, people: true } },
    policy: { settings: { retentionDays: 30 } },
  });
  expect(read().state.managed.settings).toEqual([...manageableSettings]);
});

test('the policy file that is missing applies for one more start with what it fixed, then nothing is managed', () => {
  write({ version: 1, settings: { retentionDays: 30 } });
  read();
  rmSync(file);
  expect(readPolicyOnly(file, remembered).state.state).toBe('missing');
  expect(read()).toMatchObject({
    state: {
      state: 'missing',
      file,
      problems: [],
      managed: { settings: ['retentionDays'], people: false },
    },
    policy: { settings: { retentionDays: 30 } },
  });
  expect(existsSync(remembered)).toBe(false);
  expect(read()).toMatchObject({ state: { state: 'none' }, policy: null });
});

test('the policy file that another program is replacing applies again as soon as it is there', () => {
  write({ version: 1, settings: { retentionDays: 30 } });
  read();
  rmSync(file);
  read();
  write({ version: 1, settings: { retentionDays: 40 } });
  expect(read()).toMatchObject({
    state: { state: 'applied' },
    policy: { settings: { retentionDays: 40 } },
  });
});
