import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onEachDriver } from '../../../tools/browser-harness/use-console.ts';
import { expect, test } from 'vitest';
import { raiseLink } from '../../../tools/browser-harness/console.ts';
import { startApp } from '../../../tools/browser-harness/open-app.ts';
import { openKeyring } from '../../../tools/keyring/keyring-session.ts';

onEachDriver('a console that closes', name => {
  test('a console that closes starts again, once, if it is started meanwhile: with the deep link that was opened', async () => {
    const app = await startApp({ driver: name });
    const { app: ending } = app;
    const starts = await ending.evaluate(({ app: own }) => {
      const asked: (readonly string[])[] = [];
      own.relaunch = options => void asked.push(options?.args ?? []);
      return new Promise<typeof asked>(resolve => {
        own.once('will-quit', () => {
          for (let start = 0; start < 2; start += 1)
            own.emit('second-instance', {}, ['Counterfoil', 'counterfoil:payments/sandbox/A-1']);
          resolve(asked);
        });
        own.quit();
      });
    }, null);
    expect(starts).toHaveLength(1);
    expect(starts[0]).toContain('counterfoil:payments/sandbox/A-1');
    expect(starts[0]).toContain(`--user-data-dir=${app.userData}`);
    // With the version in both records, as in every one.
    const log = () => readFileSync(join(app.userData, 'logs', 'app.log'), 'utf8');
    await expect.poll(log).toMatch(/"version":"[\d.]+".*Counterfoil ends\./);
    expect(log()).toMatch(/"version":"[\d.]+".*Counterfoil starts\./);
    await app.close();
  });

  test.skipIf(process.platform !== 'linux')(
    'a console starts and ends though the keyring waits for its prompt: a call of the keychain cannot be cancelled',
    async () => {
      const keyring = await openKeyring('prompting');
      const app = await startApp({ driver: name, env: keyring.env });
      await raiseLink(app.page, { amount: '12', description: 'Deposit' });
      await app.close();
      await keyring.close();
    },
  );
});
