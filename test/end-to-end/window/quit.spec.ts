import { describe, expect, test } from 'vitest';
import { drivers } from '../../../tools/browser-harness/harness.ts';
import { startApp } from '../../../tools/browser-harness/open-app.ts';

describe.each(drivers)('on $name', ({ name, available }) => {
  describe.skipIf(!available)('a console that closes', () => {
    test('starts again, once, if it is started meanwhile: with the deep link that was opened', async () => {
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
  });
});
