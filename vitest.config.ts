import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { requestRights } from './shared/contract/required-rights.ts';

/**
 * Node strips types with WebAssembly on every thread, and V8 13.6 sometimes aborts while it optimises the calls into
 * it (ThreadIsolation::UnregisterWasmAllocation). Bundles contain no types; only sources are affected.
 */
const monotonic = '--wasm-wrapper-tiering-budget=1000000000';

/** Megabytes. V8 begins with one for new objects: while it grows, collections take a seventh of the integration tests. */
const newObjects = '--min-semi-space-size=16';

const execArgv = [monotonic, newObjects];

/**
 * `isolate: false` below: the files of a project share processes and loaded modules. A process for each file costs more
 * than half of the unit tests, and a test that depends on another file's leftovers is wrong with or without it.
 */

/** Workers of the tests without windows: more than there are cores, because many of them wait for a server or a clock. */
const workers = Math.ceil(availableParallelism() * 1.5);

/**
 * Limit of one test and of its preparation, milliseconds: opening a console takes seconds on a busy machine, and
 * several times as long under Wine.
 */
const timeoutMs = process.platform === 'win32' ? 120_000 : 30_000;

/** Limit of a condition that becomes true shortly, milliseconds: a busy machine takes seconds for it. */
const expectations = { poll: { timeout: 20_000 } };

/** As renderer/vite.config.ts does, for tests that render parts of the window. */
const define = { REQUEST_RIGHTS: JSON.stringify(requestRights) };

export default defineConfig({
  test: {
    // Vitest leaves one core free, which of two is half the machine.
    maxWorkers: '100%',
    projects: [
      // Starts nothing: no app, server, worker, child process or database.
      {
        define,
        test: {
          name: 'unit',
          execArgv,
          isolate: false,
          setupFiles: 'tools/app-harness/each-test-file.ts',
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.integration.test.ts'],
          testTimeout: timeoutMs,
          hookTimeout: timeoutMs,
          expect: expectations,
          maxWorkers: workers,
          sequence: { groupOrder: 0 },
        },
      },
      {
        define,
        test: {
          name: 'integration',
          execArgv,
          isolate: false,
          include: ['test/**/*.integration.test.ts'],
          globalSetup: ['tools/app-harness/bundle-workers.ts', 'tools/keyring/shared-keyring.ts'],
          setupFiles: [
            'tools/app-harness/each-test-file.ts',
            'tools/app-harness/single-connections.ts',
            'tools/app-harness/use-bundled-workers.ts',
          ],
          testTimeout: timeoutMs,
          hookTimeout: timeoutMs,
          expect: expectations,
          maxWorkers: workers,
          // With the unit tests: no core waits for the last of them.
          sequence: { groupOrder: 0 },
        },
      },
      // Promises in seconds: `npm run test:timing`, on a machine that does nothing else. Not part of `npm test`.
      {
        test: {
          name: 'timing',
          execArgv,
          include: ['test/timing/*.timing.ts'],
          globalSetup: ['tools/app-harness/bundle-workers.ts', 'tools/browser-harness/build-bundles.ts'],
          setupFiles: [
            'tools/app-harness/each-test-file.ts',
            'tools/app-harness/single-connections.ts',
            'tools/app-harness/use-bundled-workers.ts',
          ],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: expectations,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'end-to-end',
          execArgv,
          include: ['test/end-to-end/**/*.spec.ts'],
          globalSetup: 'tools/browser-harness/build-bundles.ts',
          setupFiles: ['tools/app-harness/each-test-file.ts', 'tools/app-harness/single-connections.ts'],
          isolate: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: expectations,
          // One for each core: a window waits for little, and a third one makes the others miss their limits.
          maxWorkers: availableParallelism(),
          // After the others, so that windows are not measured on a busy machine.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
