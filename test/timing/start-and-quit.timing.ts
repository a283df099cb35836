import { expect, test } from 'vitest';
import { startApp } from '../../tools/browser-harness/open-app.ts';
import { openKeyring } from '../../tools/keyring/keyring-session.ts';

test.skipIf(process.platform !== 'linux')(
  'a keyring that waits for its prompt delays neither the start of a console nor its end',
  async () => {
    const usuallyAt = performance.now();
    await (await startApp({})).close();
    const usualMs = performance.now() - usuallyAt;
    const keyring = await openKeyring('prompting');
    const startedAt = performance.now();
    await (await startApp({ env: keyring.env })).close();
    // A call of the keychain ends after 10 seconds.
    expect(performance.now() - startedAt).toBeLessThan(usualMs + 8_000);
    await keyring.close();
  },
);
