import { vi } from 'vitest';

/**
 * Responds to the window's requests until `vi.unstubAllGlobals`. Module mocks do not suit: the files of one worker share
 * the stores, and with them the first file's mocks.
 */
export const answerAsMain = (respond: (name: string, input: Record<string, unknown>) => unknown): void => {
  vi.stubGlobal('window', {
    location: { hash: '' },
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    setTimeout: () => 0,
    clearTimeout: () => undefined,
    api: {
      request: async (name: string, input: Record<string, unknown>) => respond(name, input),
      subscribe: () => () => undefined,
    },
  });
};
