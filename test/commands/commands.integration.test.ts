import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../../tools/app-harness/new-folder.ts';
import { root } from '../../tools/build/steps.ts';
import { documentedCallback, documentedPassword } from '../../tools/evidence/documented-callback.ts';

/** The three commands for integrators, started like an integrator does: through npm. */

const folder = newFolder('commands');

const npm = (...args: string[]): ChildProcess =>
  spawn('npm', ['run', '-s', ...args], { cwd: root, stdio: ['pipe', 'pipe', 'pipe'] });

const finished = async (
  child: ChildProcess,
  input = '',
): Promise<{ code: number | null; out: string; err: string }> => {
  let out = '';
  let err = '';
  child.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (err += chunk.toString()));
  child.stdin?.end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
};

const callback = documentedCallback.join('\n');

const password = join(folder, 'password');
writeFileSync(password, `${documentedPassword}\n`);

test('npm run -s inspect inspects standard input and prints JSON, verified with the password from a file', async () => {
  const { code, out } = await finished(npm('inspect', '--', '-', '--password-file', password), callback);
  expect(code).toBe(0);
  const found = JSON.parse(out) as { form: string; callbacks: Record<string, unknown>[] };
  expect(found.form).toBe('lines');
  expect(found.callbacks).toHaveLength(1);
  expect(found.callbacks[0]).toMatchObject({
    verified: true,
    fields: { order_amount: '10.00', type: 'sale' },
  });
  expect(Object.keys(found.callbacks[0] ?? {})).toEqual(
    expect.arrayContaining(['fields', 'verified', 'uppercasing', 'explanation', 'meaning', 'problems']),
  );
  expect(out).not.toContain(documentedPassword);
});

test('npm run -s inspect prints no token, no hash and no card number', async () => {
  const token = 'f0e24964-fc43-11ec-a7e0-0242ac120004';
  const sent = new URLSearchParams({
    id: '50a1361a-7c2e-11f1-b8d4-0242ac120002',
    order_number: 'A-1',
    order_description: 'card 4111 1111 1111 1111 ok',
    type: 'sale 4111-1111-1111-1111',
    status: 'success',
    card: '4111111111111111',
    card_token: token,
    recurring_token: token,
    hash: 'a'.repeat(40),
  }).toString();
  const { code, out } = await finished(npm('inspect', '--', '-', '--password-file', password), sent);
  expect(code).toBe(0);
  for (const secret of ['4111111111111111', '1111 1111', '1111-1111', token, 'a'.repeat(40)])
    expect(out).not.toContain(secret);
  expect(JSON.parse(out)).toMatchObject({
    callbacks: [{ fields: { card: '411111******1111', card_token: '•••', hash: '•••' } }],
  });
});

test('npm run -s inspect prints its texts and errors in the language of --language', async () => {
  const { code, out } = await finished(npm('inspect', '--', '-', '--language', 'de'), callback);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    callbacks: [{ explanation: expect.stringContaining('Das Passwort fehlt') }],
  });
  const unknown = await finished(npm('inspect', '--', '-', '--language', 'xx'));
  expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining('en, de') });
});

test('npm run -s inspect accepts no password on the command line, and does not repeat it', async () => {
  const { code, out, err } = await finished(
    npm('inspect', '--', '-', '--language=de', `--password=${documentedPassword}`),
    callback,
  );
  expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('Aufruf: inspect') });
  expect(out + err).not.toContain(documentedPassword);
});

test('npm run -s sandbox prints one JSON line, serves its gateway, and ends when npm is stopped', async () => {
  const child = npm('sandbox', '--', '--fault', 'http-500');
  const [line] = (await once(child.stdout ?? child, 'data')) as [Buffer];
  const printed = JSON.parse(line.toString()) as Record<string, string | number>;
  expect(Object.keys(printed).sort()).toEqual(['base_url', 'merchant_key', 'merchant_password', 'port']);
  const ask = () => fetch(`${printed['base_url']}/api/v1/payment/status`, { method: 'POST', body: '{}' });
  expect((await ask()).status).toBe(500);
  child.kill('SIGTERM');
  await once(child, 'exit');
  await expect
    .poll(() =>
      ask().then(
        () => 'there',
        () => 'gone',
      ),
    )
    .toBe('gone');
});

test('npm run -s sandbox lists the known faults after an unknown one', async () => {
  const { code, err } = await finished(npm('sandbox', '--', '--fault', 'nonsense'));
  expect(code).toBe(2);
  expect(err).toContain('callback-wrong-signature');
});

test('npm run -s log:verify reports a problem in a file that is no payment log', async () => {
  const file = join(folder, 'other.db');
  writeFileSync(
    file,
    'this is not a database, but a text that is long enough to be taken for one'.repeat(20),
  );
  const { code, out, err } = await finished(npm('log:verify', '--', file));
  expect(code).not.toBe(0);
  expect(out + err).not.toBe('');
});
