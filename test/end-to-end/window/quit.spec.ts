import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { raiseLink } from '../../../tools/browser-harness/console.ts';
import { drivers } from '../../../tools/browser-harness/harness.ts';
import { startApp } from '../../../tools/browser-harness/open-app.ts';
import { openKeyring } from '../../../tools/keyring/keyring-session.ts';

/** Limit of the delay of a start: less than the time limit of a call of the keychain, 10 seconds. */
const maxDelayMs = 8_000;
/** Limit of closing and ending; the silent prompter is given up after 25 seconds. */
const maxQuitMs = 15_000;

describe.each(drivers)('on $name', ({ name, available }) => {
  describe.skipIf(!available)('a console that closes', () => {
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
      await app.close();
    });

    test.skipIf(process.platform !== 'linux')(
      'a console starts and ends at once, though the keyring waits for its prompt: a call of the keychain cannot be cancelled',
      async () => {
        const usuallyAt = performance.now();
        await (await startApp({ driver: name })).close();
        const usualMs = performance.now() - usuallyAt;
        const keyring = await openKeyring('prompting');
        const startedAt = performance.now();
        const app = await startApp({ driver: name, env: keyring.env });
        expect(performance.now() - startedAt).toBeLessThan(usualMs + maxDelayMs);
        await raiseLink(app.page, { amount: '12', description: 'Deposit' });
        const ended = app.close().then(() => 'ended');
        expect(await Promise.race([ended, wait(maxQuitMs, 'waits')])).toBe('ended');
        await keyring.close();
      },
    );
  });
});
