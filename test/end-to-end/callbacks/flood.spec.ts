import { describe, expect, test } from 'vitest';
import { signedCallbacks } from '../../../scripts/load/callbacks.ts';
import { floodWithWindow, rail } from '../../../scripts/load/window.ts';
import { drivers } from '../../../tools/browser-harness/harness.ts';

/** The window under high load; `npm run soak -- receiver` does the same for a minute. */

const password = 'correct horse';

describe.each(drivers)('on $name', ({ name, available }) => {
  test.skipIf(!available)(
    'every screen opens under high load, and every callback that was answered 200 is in the log once',
    { timeout: 120_000 },
    async () => {
      const flood = await floodWithWindow(name, password, signedCallbacks(password), 2_000);
      // All 32 connections were used, and every callback got a response.
      expect(flood.sent).toBeGreaterThanOrEqual(32);
      expect(flood.answered).toBe(flood.sent);
      expect(flood.stored).toBe(flood.answered);
      expect(flood.screens.length).toBeGreaterThanOrEqual(rail.length);
    },
  );
});
