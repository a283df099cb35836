import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { newPayment, startTestApp } from '../../tools/app-harness/running-app.ts';
import { documentedCallback, documentedPassword } from '../../tools/evidence/documented-callback.ts';
import { finished, firstLine, startBundle } from './child.ts';
import { testFolder } from './test-folder.ts';

/** The commands for integrators, on Windows. */

describe('the commands', () => {
  const folder = testFolder();
  let logFile = '';
  before(async () => {
    const app = await startTestApp(folder.app);
    await app.value('payments.create', newPayment());
    ({ logFile } = app);
    await app.close();
  });
  after(folder.remove);

  const callback = documentedCallback.join('\r\n');

  test('the command inspect verifies a callback of a Windows text file, with the password of another', async () => {
    const password = join(folder.path, 'Passwort.txt');
    writeFileSync(password, `\uFEFF${documentedPassword}\r\n`);
    const file = join(folder.path, 'Rückruf.txt');
    writeFileSync(file, `\uFEFF${callback}\r\n`);
    for (const [name, input] of [
      [file, ''],
      ['-', callback],
    ] as const) {
      const inspect = startBundle('inspect', name, '--password-file', password);
      const { code, output, errors } = await finished(inspect, input);
      assert.equal(code, 0, errors);
      const { callbacks } = JSON.parse(output) as { callbacks: { verified: boolean }[] };
      assert.deepEqual(
        callbacks.map(({ verified }) => verified),
        [true],
      );
    }
  });

  test('the command log:verify verifies a payment log, and names a missing one', async () => {
    const verified = await finished(startBundle('log-verify', '--json', logFile));
    assert.equal(verified.code, 0, verified.errors);
    assert.equal((JSON.parse(verified.output) as { payments: number }).payments, 1);
    const missing = await finished(startBundle('log-verify', join(folder.path, 'none.db')));
    assert.equal(missing.code, 2);
    assert.match(missing.errors, /none\.db/);
  });

  test('the command sandbox prints its address in one line and serves it', async () => {
    const sandbox = startBundle('sandbox', '--fault', 'http-500');
    const closed = once(sandbox, 'close');
    const { base_url: address } = JSON.parse(await firstLine(sandbox)) as { base_url: string };
    const answer = await fetch(`${address}/api/v1/payment/status`, { method: 'POST', body: '{}' });
    assert.equal(answer.status, 500);
    sandbox.kill();
    await closed;
  });
});
