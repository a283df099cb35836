import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { newFolder } from '../../tools/app-harness/new-folder.ts';
import { runs } from '../../tools/app-harness/runs.ts';
import { beforeEach, expect, test } from 'vitest';
import { openAppLog } from '../../main/app-log/app-log.ts';
import { describeError, newReference } from '../../main/app-log/failure-report.ts';
import { createRedactor } from '../../main/app-log/redact.ts';

let folder: string;
const file = (): string => join(folder, 'logs', 'app.log');

beforeEach(() => {
  folder = newFolder('app-log');
});

type Line = {
  time: string;
  level: string;
  area: string;
  message: string;
  reference?: string;
  error?: unknown;
};
const lines = (): Line[] =>
  readFileSync(file(), 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as Line);

const hex = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...Array.from('0123456789abcdef')), { minLength, maxLength })
    .map(parts => parts.join(''))
    .filter(text => /\d/.test(text) && /[a-f]/.test(text));

/** Secrets that are recognised by their form. */
const recognised = fc.oneof(
  hex(32, 64),
  hex(32, 64).map(text => text.toUpperCase()),
  fc.uuid(),
  // A digit that is not at the end: without it, chance makes a text that reads like a name of the program.
  fc
    .uint8Array({ minLength: 24, maxLength: 48 })
    .map(bytes => Buffer.from(bytes).toString('base64url'))
    .filter(text => /\d.*[A-Za-z]/.test(text)),
  fc.emailAddress().filter(address => !/["'(),:;<>@\\/]/.test(address.replace('@', ''))),
  fc
    .array(fc.constantFrom(...Array.from('0123456789')), { minLength: 13, maxLength: 19 })
    .map(digits => digits.join(''))
    .chain(digits =>
      fc.constantFrom('', ' ', '-').map(separator => digits.replaceAll(/(\d{4})(?=\d)/g, `$1${separator}`)),
    ),
  hex(20, 40).map(token => `https://pay.example.com/session/${token}?t=${token}`),
);
/** Passwords have any form: they are recognised by their value. */
const password = fc
  .string({ minLength: 4, maxLength: 40, unit: 'grapheme' })
  .filter(text => text.trim() !== '');
const around = fc.constantFrom(
  (secret: string) => `Request failed for ${secret}`,
  (secret: string) => `Unexpected value "${secret}" in field`,
  (secret: string) => `{"password":${JSON.stringify(secret)},"hash":"x"}`,
  (secret: string) => `a=1&token=${encodeURIComponent(secret)}&b=2`,
  (secret: string) => `\n  at handler (${secret})`,
  (secret: string) => secret,
);

test('no part of a logged error contains a secret', async () => {
  await fc.assert(
    fc.asyncProperty(recognised, password, around, around, async (secret, word, one, other) => {
      rmSync(join(folder, 'logs'), { recursive: true, force: true });
      const log = openAppLog(file());
      log.addSecret(word);
      const inner = Object.assign(new Error(one(word)), { code: 'E1' });
      const error = new TypeError(one(secret), { cause: inner });
      error.stack = `TypeError: ${other(secret)}\n    at ${other(word)}`;
      log.fail({
        area: 'request',
        message: 'A handler threw.',
        reference: newReference(),
        error: describeError(error),
      });
      log.fail({
        area: 'request',
        message: 'Thrown.',
        reference: newReference(),
        error: describeError({ secret, word }),
      });
      log.write('warn', 'gateway', 'The gateway does not answer.', { cause: one(secret), word: other(word) });
      await log.flush();
      // Values before JSON escapes them.
      const values: string[] = [];
      const collect = (value: unknown): void => {
        if (typeof value === 'string') values.push(value);
        else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
      };
      for (const { reference: _reference, time: _time, ...line } of lines()) collect(line);
      const fixed = [
        'A handler threw.',
        'Thrown.',
        'The gateway does not answer.',
        'TypeError',
        'Error',
        'object',
      ];
      for (const value of values.filter(text => !fixed.includes(text))) {
        expect(value).not.toContain(secret);
        if (word.length >= 8) expect(value).not.toContain(word);
      }
    }),
    { numRuns: runs(80) },
  );
});

test.each([
  ['Session qZkXwPmBvTgLrYnHcDfJsAeU refused', 'qZkXwPmBvTgLrYnHcDfJsAeU'],
  ['Session qZkXwPmBvTgLrYnHcDfJsAeU7 refused', 'qZkXwPmBvTgLrYnHcDfJsAeU7'],
  ['Session qZkX-wPmBvTgLrYn_HcDfJsAeU refused', 'qZkX-wPmBvTgLrYn_HcDfJsAeU'],
  ['Session AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB0 refused', 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB0'],
  ['password=hunter2 given', 'hunter2'],
  ['{"merchant_password":"hunter2"}', 'hunter2'],
  ['Authorization: Bearer abc.def', 'abc.def'],
  ['hash: 0123456789abcdef0123456789abcdef', '0123456789abcdef'],
  ['card 4111 1111 1111 1111 refused', '1111'],
  ['mail to anna@example.com', 'anna'],
  ['call +49 30 1234567890 back', '1234567890'],
  ['open https://pay.example.com/s/abc?d=1', '/s/abc'],
  ['https://user:pw1234@pay.example.com/', 'pw1234'],
])('the application log hides what is secret in: %s', (text, secret) => {
  expect(createRedactor().redact(text)).not.toContain(secret);
});

test('details that help to find a fault stay readable in the application log', () => {
  const stack = [
    "TypeError: Cannot read properties of undefined (reading 'orderNumber')",
    '    at handler (file:///opt/Counterfoil/resources/app.asar/main/index.js:123:45)',
    '    at answerRequest (/home/anna/counterfoil/main/electron/answer.ts:20:7)',
    '    at dispatch (/tmp/a1/main/electron/ipc/ipc-dispatcher.ts:20:7)',
    'SQLITE_CORRUPT_INDEX at https://pay.example.com after 12345 ms, 2 of 3',
  ].join('\n');
  expect(createRedactor().redact(stack)).toBe(stack);
});

test('a text that JSON.parse quotes in its error is not logged', () => {
  let thrown: unknown = null;
  try {
    JSON.parse('hunter2 is "no" JSON');
  } catch (error) {
    thrown = error;
  }
  const error = describeError(thrown);
  expect(`${error.message} ${error.stack ?? ''}`).not.toContain('hunter2');
});

test('a record contains time, version, level, area, message, reference, and the error with its stack and causes', async () => {
  const log = openAppLog(file(), { version: '1.2.3', clock: () => 0 });
  const cause = Object.assign(new Error('no space'), { code: 'ENOSPC' });
  const reference = newReference();
  log.fail({
    area: 'background',
    message: 'A job failed.',
    reference,
    error: describeError(new Error('outer', { cause })),
  });
  await log.flush();
  expect(lines()).toMatchObject([
    {
      time: '1970-01-01T00:00:00.000Z',
      version: '1.2.3',
      level: 'error',
      area: 'background',
      message: 'A job failed.',
      reference,
      error: { name: 'Error', message: 'outer', cause: { message: 'no space', code: 'ENOSPC' } },
    },
  ]);
  expect(JSON.stringify(lines())).toContain('app-log.test.ts');
  if (process.platform !== 'win32') expect(statSync(file()).mode & 0o777).toBe(0o600);
});

test('any thrown value is described', () => {
  fc.assert(
    fc.property(fc.anything({ withBigInt: true, withNullPrototype: true, withMap: true }), thrown => {
      expect(typeof describeError(thrown).message).toBe('string');
    }),
  );
  const hostile = new Proxy(
    {},
    {
      get: () => {
        throw new Error('no');
      },
    },
  );
  expect(describeError(hostile).name).toBe('Error');
});

test('the file is rotated by size, and a fixed number of older files is stored', async () => {
  const log = openAppLog(file(), { limitBytes: 500 });
  for (let at = 0; at < 40; at += 1) {
    log.write('info', 'process', `Line ${at}`);
    await log.flush();
  }
  expect(readdirSync(join(folder, 'logs')).toSorted()).toEqual([
    'app.log',
    'app.log.1',
    'app.log.2',
    'app.log.3',
    'app.log.4',
  ]);
  for (const name of readdirSync(join(folder, 'logs')))
    expect(statSync(join(folder, 'logs', name)).size).toBeLessThanOrEqual(500);
  expect(lines().at(-1)).toMatchObject({ message: 'Line 39' });
});

test('when an older file of the application log cannot be renamed, none is replaced, and records are still written', async () => {
  const older = (index: number): string => `${file()}.${index}`;
  const log = openAppLog(file(), { limitBytes: 300 });
  const write = async (message: string, flush: 'flush' | 'flushSync'): Promise<void> => {
    log.write('info', 'process', `${message} ${'x '.repeat(100)}`);
    await log[flush]();
  };
  for (const at of [0, 1, 2, 3, 4]) await write(`Line ${at}`, 'flush');
  // In the way of app.log.3, as a file is on Windows that another program holds open.
  rmSync(older(4));
  mkdirSync(join(older(4), 'held'), { recursive: true });
  await write('Line 5', 'flush');
  await write('Line 6', 'flushSync');
  expect(readFileSync(older(3), 'utf8')).toContain('Line 1');
  expect(lines().map(({ message }) => message.slice(0, 6))).toEqual(['Line 4', 'Line 5', 'Line 6']);
});

test('a record written just before the process ends is in the file', () => {
  const log = openAppLog(file());
  log.write('info', 'process', 'Last words');
  log.flushSync();
  expect(lines()).toMatchObject([{ message: 'Last words' }]);
});

test('a log that cannot be written causes no error, and a link in its place is not followed', async () => {
  writeFileSync(join(folder, 'logs'), 'a file');
  const log = openAppLog(file());
  log.write('info', 'process', 'An unread record');
  await log.flush();
  log.flushSync();
  rmSync(join(folder, 'logs'));
  log.write('info', 'process', 'First');
  await log.flush();
  const victim = join(folder, 'victim');
  writeFileSync(victim, '');
  rmSync(file());
  symlinkSync(victim, file());
  log.write('info', 'process', 'Second');
  await log.flush();
  expect(readFileSync(victim, 'utf8')).toBe('');
  expect(existsSync(victim)).toBe(true);
});

/** RFC 3986: everything except letters, digits and `-._~` is encoded. */
const strict = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

test('a password is hidden in every spelling of JSON', () => {
  const redactor = createRedactor();
  redactor.add('ünter/über "x"');
  for (const spelling of [
    String.raw`ünter/über \"x\"`,
    String.raw`ünter\/über \"x\"`,
    String.raw`\u00fcnter\/\u00fcber \"x\"`,
    String.raw`\u00FCnter/\u00FCber \"x\"`,
    String.raw`\u00DCNTER/\u00DCBER \"X\"`,
  ])
    expect(redactor.redact(`sent ${spelling} to the gateway`)).toBe('sent ••• to the gateway');
});

test('a password is hidden in every spelling of a URL or a form', () => {
  const redactor = createRedactor();
  const inLowerCase = (text: string): string => text.replaceAll(/%[0-9A-F]{2}/g, hex => hex.toLowerCase());
  for (const secret of ['s3cr3t-Passw0rd!', "pa's(sw)o~rd", 'a b*c!d', 'ünter+über']) {
    redactor.add(secret);
    const form = new URLSearchParams({ a: secret }).toString().slice(2);
    const spellings = [encodeURIComponent(secret), strict(secret), form, strict(strict(secret))];
    for (const spelling of [...spellings, ...spellings.map(inLowerCase)])
      expect(redactor.redact(`sent ${spelling} to the gateway`)).toBe('sent ••• to the gateway');
  }
});
