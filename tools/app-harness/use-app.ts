import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { newFolder } from './new-folder.ts';
import { startTestApp, type TestApp } from './running-app.ts';

type Options = Parameters<typeof startTestApp>[1] & {
  each?: 'test' | 'file';
  /** Works in the folder before the first start. */
  prepare?: (folder: string) => Promise<unknown>;
};

export type UsedApp = TestApp & {
  /** Closes the console, works, and starts it again. */
  restart: (whileClosed?: () => unknown) => Promise<void>;
};

/** A new console for all tests of a file or group, or for each test; removed after them. */
export const useApp = ({ each = 'file', prepare, ...options }: Options = {}): UsedApp => {
  let app: TestApp | undefined;
  const [before, after] = each === 'test' ? [beforeEach, afterEach] : [beforeAll, afterAll];
  before(async () => {
    const folder = newFolder('app');
    await prepare?.(folder);
    app = await startTestApp(folder, options);
  });
  after(() => app?.remove());
  const running = (): TestApp => {
    if (app === undefined) throw new Error('There is no console outside a test.');
    return app;
  };
  const restart: UsedApp['restart'] = async whileClosed => {
    const { folder, close } = running();
    await close();
    await whileClosed?.();
    app = await startTestApp(folder, { ...options, evidence: [] });
  };
  return new Proxy({} as UsedApp, {
    get: (_, part: keyof UsedApp) => (part === 'restart' ? restart : running()[part]),
  });
};
