import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import type { Page } from 'playwright-core';
import { fillDisk, mayMount, mountDisk, unmountDisk } from '../../tools/app-harness/small-disk.ts';
import { appears } from '../../tools/browser-harness/console.ts';
import { launch, type Application, type DriverName } from '../../tools/browser-harness/harness.ts';
import { openKeyring } from '../../tools/keyring/keyring-session.ts';

/** Debian's libfaketime: its clock follows a file. */
const fakeTime = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';

/** Of a page that crashes more often within ten minutes the console asks whether to restart, which is not soaked. */
const maxCrashes = 3;

/** Size of the disk with the data, megabytes: a few hours of the soak. */
const diskMb = 400;

/** A console with its window on a small disk, whose processes, threads and clock can fail. */
export type RunningConsole = {
  folder: string;
  /** The window's page. */
  page(): Page;
  /** Resident memory of the main process, megabytes. */
  memoryMb(): number;
  /** Starts it again after it has ended, and resolves when its window is usable. */
  start(): Promise<void>;
  stop(): Promise<void>;
  kill(): Promise<void>;
  /** Ends the process of the window; resolves when the window is usable again. Not too often: see `mayCrashWindow`. */
  crashWindow(): Promise<void>;
  mayCrashWindow(): boolean;
  /** Ends one of the threads; the console asks to be restarted then. */
  endThread(): Promise<void>;
  /** Fills the disk; resolves to what frees it. Null without the right to mount. */
  fill: (() => () => void) | null;
  /** Moves the main process's clock away from the right time, seconds. Null without libfaketime. */
  moveClock: ((seconds: number) => void) | null;
  /** Ends it; its data are removed at the end of this process. */
  close(): Promise<void>;
};

export const startConsole = async (driver: DriverName): Promise<RunningConsole> => {
  const keyring = await openKeyring();
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-soak-'));
  if (mayMount) mountDisk(folder, `size=${diskMb}m`);
  const clock = `${folder}.clock`;
  writeFileSync(clock, '+0');
  const env = {
    ...keyring.env,
    COUNTERFOIL_POLICY: join(folder, 'policy.json'),
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'list-threads.ts')}`,
    ...(existsSync(fakeTime)
      ? {
          LD_PRELOAD: fakeTime,
          FAKETIME_TIMESTAMP_FILE: clock,
          FAKETIME_NO_CACHE: '1',
          FAKETIME_DONT_FAKE_MONOTONIC: '1',
        }
      : {}),
  };
  const open = async (): Promise<{ app: Application; page: Page }> => {
    const app = await launch({ driver, browser: 'shared', userData: folder, env });
    const page = await app.firstWindow();
    await appears(page, '#place h1');
    return { app, page };
  };
  // At the end of this process in any case: a disk that stays mounted takes memory.
  process.once('exit', () => {
    if (mayMount && existsSync(folder)) unmountDisk(folder);
    rmSync(folder, { recursive: true, force: true });
    rmSync(clock, { force: true });
  });
  let { app, page } = await open().catch(async (thrown: unknown) => {
    await keyring.close();
    throw thrown;
  });

  let crashes = 0;

  return {
    folder,
    page: () => page,
    memoryMb: () => {
      const status = readFileSync(`/proc/${app.process().pid ?? 0}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
    },
    start: async () => {
      crashes = 0;
      ({ app, page } = await open());
    },
    stop: () => app.close(),
    kill: () => app.kill(),
    mayCrashWindow: () => crashes < maxCrashes,
    crashWindow: async () => {
      crashes += 1;
      await page.evaluate(() => Object.assign(globalThis, { isOld: true }));
      await app.evaluate(
        ({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer(),
        null,
      );
      if (driver === 'electron') page = await app.firstWindow();
      await page.waitForFunction(() => !('isOld' in globalThis)).catch(() => undefined);
      await appears(page, '#place h1');
    },
    endThread: () =>
      app.evaluate(async () => {
        const threads = [...(globalThis as unknown as { soakThreads: Set<Worker> }).soakThreads];
        await threads[Math.floor(Math.random() * threads.length)]?.terminate();
      }, null),
    fill: mayMount
      ? () => {
          const file = join(folder, 'filler');
          fillDisk(file);
          return () => rmSync(file, { force: true });
        }
      : null,
    moveClock: existsSync(fakeTime)
      ? seconds => writeFileSync(clock, `${seconds < 0 ? '' : '+'}${String(seconds)}`)
      : null,
    close: async () => {
      await app.close().catch(() => undefined);
      await keyring.close();
    },
  };
};
