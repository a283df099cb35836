import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { _electron, chromium, type Browser, type Page } from 'playwright-core';
import type * as Electron from 'electron';
import { sandboxArguments } from '../build/chromium-sandbox.ts';
import { electronBinary } from '../build/host.ts';
import { compileCache, root } from '../build/steps.ts';
import { serveWindows } from './window-server.ts';

/**
 * Starts and drives the application like Playwright's Electron support, so that one set of specs has two drivers:
 * Electron's own runtime if installed, and the fake Electron.
 */
export type Application = {
  firstWindow(): Promise<Page>;
  /** Runs a function in the main process, with the module `electron` as its first argument. */
  evaluate<R, A>(work: (electron: typeof Electron, argument: A) => R | Promise<R>, argument: A): Promise<R>;
  close(): Promise<void>;
  /** Ends it like a power cut. */
  kill(): Promise<void>;
  process(): ChildProcess;
};

export type LaunchOptions = {
  driver?: DriverName;
  appFolder?: string;
  userData: string;
  args?: readonly string[];
  env?: NodeJS.ProcessEnv;
  size?: { width: number; height: number };
  /**
   * On the fake Electron: `shared` opens the window in a Chromium that other applications use before and after it;
   * by default the application starts its own, as it does for a user.
   */
  browser?: 'own' | 'shared';
};

/** An installed application's archive: the program itself refuses every debugger, and so every driver. */
const installedArchive = process.env['COUNTERFOIL_ARCHIVE'];

export type DriverName = 'electron' | 'stand-in';
/** Every driver by name; specs skip and report the one that is missing on this machine. */
export const drivers: readonly { name: DriverName; available: boolean }[] = [
  { name: 'electron', available: electronBinary() !== null },
  // It would run the checkout in place of an installed application.
  { name: 'stand-in', available: process.platform === 'linux' && installedArchive === undefined },
];

const ended = (child: ChildProcess): Promise<void> =>
  new Promise(resolve => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });

const launchElectron = async (binary: string, options: LaunchOptions): Promise<Application> => {
  const app = await _electron.launch({
    executablePath: binary,
    args: [
      ...sandboxArguments(binary).args,
      options.appFolder ?? installedArchive ?? root,
      `--user-data-dir=${options.userData}`,
      ...(options.args ?? []),
    ],
    env: Object.fromEntries(
      Object.entries({ ...process.env, ...options.env }).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      ),
    ),
  });
  return {
    firstWindow: () => app.firstWindow(),
    evaluate: (work, argument) => app.evaluate(work as never, argument as never),
    close: () => app.close(),
    kill: async () => {
      app.process().kill('SIGKILL');
      await ended(app.process());
    },
    process: () => app.process(),
  };
};

/** The window in the application's own Chromium, over a second connection. */
const connectToWindow = (
  application: ChildProcess,
): { firstWindow: () => Promise<Page>; close(): Promise<void> } => {
  let browser: Browser | null = null;
  const address = new Promise<string>((resolve, reject) => {
    application.on('message', (message: { kind: string; address: string }) => {
      if (message.kind === 'host') resolve(message.address);
    });
    application.once('exit', code =>
      reject(new Error(`the application ended with ${code} before its window opened`)),
    );
  });
  // Read by firstWindow; an earlier failure must not become an unhandled rejection.
  address.catch(() => undefined);
  return {
    firstWindow: async () => {
      browser ??= await chromium.connectOverCDP(await address);
      const context = browser.contexts()[0];
      const found = context?.pages()[0] ?? (await context?.waitForEvent('page'));
      if (!found) throw new Error('the application has no window');
      return found;
    },
    close: async () => {
      await browser?.close().catch(() => undefined);
    },
  };
};

const launchFakeElectron = async (options: LaunchOptions): Promise<Application> => {
  const isShared = options.browser === 'shared';
  const child = fork(
    join(root, 'tools', 'fake-electron', 'run.ts'),
    [options.appFolder ?? root, '--headless', `--user-data-dir=${options.userData}`, ...(options.args ?? [])],
    {
      env: {
        ...process.env,
        NODE_COMPILE_CACHE: compileCache,
        ...(isShared ? { STAND_IN_WINDOW: 'harness' } : {}),
        ...options.env,
      },
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    },
  );
  let evaluations = 0;
  const window = isShared ? serveWindows(child) : connectToWindow(child);

  const page = async (): Promise<Page> => {
    const found = await window.firstWindow();
    await found.waitForURL(/stand-in\.invalid/);
    if (options.size) await found.setViewportSize(options.size);
    return found;
  };
  return {
    firstWindow: page,
    evaluate: (work, argument) =>
      new Promise((resolve, reject) => {
        evaluations += 1;
        const id = evaluations;
        const listen = (message: { kind: string; id: number; value: never; error?: string }): void => {
          if (message.kind !== 'evaluated' || message.id !== id) return;
          child.off('message', listen);
          child.off('exit', ended);
          if (message.error === undefined) resolve(message.value);
          else reject(new Error(message.error));
        };
        const ended = (): void => reject(new Error('the application ended'));
        child.on('message', listen);
        child.once('exit', ended);
        if (!child.connected) return reject(new Error('the application has ended'));
        child.send({ kind: 'evaluate', id, source: work.toString(), argument });
      }),
    close: async () => {
      if (!isShared) await window.close();
      child.kill('SIGTERM');
      await ended(child);
      if (isShared) await window.close();
    },
    kill: async () => {
      child.kill('SIGKILL');
      await ended(child);
      await window.close();
    },
    process: () => child,
  };
};

/** Starts the application's built bundles on the chosen driver, by default the fake Electron. */
export const launch = (options: LaunchOptions): Promise<Application> => {
  if (options.driver !== 'electron') return launchFakeElectron(options);
  const binary = electronBinary();
  if (!binary) throw new Error("Electron's runtime is not on this machine.");
  return launchElectron(binary, options);
};

/** The file that a person chooses in the system's dialogs from now on. */
export const willChoose = (app: Application, file: string): Promise<void> =>
  app.evaluate(({ dialog }, chosen) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath: chosen });
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] });
  }, file);
