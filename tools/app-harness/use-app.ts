import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { startTestApp, type TestApp } from './running-app.ts';

type Options = Parameters<typeof startTestApp>[1] & { each?: 'test' | 'file' };

/** A new console for all tests of a file or group, or for each test; removed after them. */
export const useApp = ({ each = 'file', ...options }: Options = {}): TestApp => {
  let app: TestApp | undefined;
  const [before, after] = each === 'test' ? [beforeEach, afterEach] : [beforeAll, afterAll];
  before(async () => {
    app = await startTestApp(undefined, options);
  });
  after(() => app?.remove());
  return new Proxy({} as TestApp, {
    get: (_, part: keyof TestApp) => {
      if (app === undefined) throw new Error('There is no console outside a test.');
      return app[part];
    },
  });
};
