import * as fc from 'fast-check';
import { afterAll } from 'vitest';
import { removeFolders } from './new-folder.ts';

/**
 * Generated input is the same in every run, so that a change fails by its own faults only. `npm run test:properties` sets
 * other seeds.
 */
fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 20_261_005) });

// Of all hooks of a test file the first, so that it runs last.
afterAll(removeFolders);
