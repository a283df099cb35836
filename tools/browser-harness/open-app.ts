import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openKeyring } from '../keyring/keyring-session.ts';
import { appears, box } from './console.ts';
import { launch, type Application, type LaunchOptions } from './harness.ts';

/** A separate console for the tests of one block. */
export type StartedApp = {
  app: Application;
  page: Page;
  userData: string;
  /** Ends it, changes its files, and starts it again: `app` and `page` are other ones then. */
  restart(change?: () => unknown): Promise<void>;
  /** Ends it and deletes its data. */
  close(): Promise<void>;
};

type Options = Omit<LaunchOptions, 'userData'> & {
  prepare?: (userData: string) => Promise<unknown>;
  /** Whether it has a keychain; otherwise passwords are kept for one run only. */
  hasKeychain?: boolean;
};

/**
 * Starts a console on a separate folder, empty except for the files from `prepare`; resolves at its first screen,
 * without animation.
 */
export const startApp = async ({
  prepare,
  hasKeychain = false,
  ...options
}: Options): Promise<StartedApp> => {
  const userData = mkdtempSync(join(tmpdir(), 'counterfoil-spec-'));
  const keyring = hasKeychain ? await openKeyring() : null;
  await prepare?.(userData);
  const open = async (): Promise<Pick<StartedApp, 'app' | 'page'>> => {
    const app = await launch({
      browser: 'shared',
      ...options,
      userData,
      // Not this computer's own.
      env: { ...keyring?.env, COUNTERFOIL_POLICY: join(userData, 'policy.json'), ...options.env },
    });
    const page = await app.firstWindow();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    return { app, page };
  };
  const started: StartedApp = {
    ...(await open()),
    userData,
    restart: async change => {
      await started.app.close();
      await change?.();
      Object.assign(started, await open());
    },
    close: async () => {
      await started.app.close();
      await keyring?.close();
      rmSync(userData, { recursive: true, force: true });
    },
  };
  await appears(started.page, '#place input');
  await box(started.page, 'new.amount').waitFor();
  return started;
};
