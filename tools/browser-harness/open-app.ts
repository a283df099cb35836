import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { appears, box } from './console.ts';
import { launch, type Application, type LaunchOptions } from './harness.ts';

/** A separate console for the tests of one block. */
export type StartedApp = {
  app: Application;
  page: Page;
  userData: string;
  /** Ends it and deletes its data. */
  close(): Promise<void>;
};

/**
 * Starts a console on a separate folder, empty except for the files from `prepare`; resolves at its first screen,
 * without animation.
 */
export const startApp = async ({
  prepare,
  ...options
}: Omit<LaunchOptions, 'userData'> & {
  prepare?: (userData: string) => Promise<unknown>;
}): Promise<StartedApp> => {
  const userData = mkdtempSync(join(tmpdir(), 'counterfoil-spec-'));
  await prepare?.(userData);
  const app = await launch({
    browser: 'shared',
    ...options,
    userData,
    // Not this computer's own.
    env: { COUNTERFOIL_POLICY: join(userData, 'policy.json'), ...options.env },
  });
  const page = await app.firstWindow();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await appears(page, '#place input');
  await box(page, 'new.amount').waitFor();
  return {
    app,
    page,
    userData,
    close: async () => {
      await app.close();
      rmSync(userData, { recursive: true, force: true });
    },
  };
};
