import { describe, expect, test } from 'vitest';
import { runtimeVersions } from '../../../scripts/packaging/runtime-versions.ts';
import { newFolder } from '../../../tools/app-harness/new-folder.ts';
import { drivers, launch } from '../../../tools/browser-harness/harness.ts';

/** The bill of materials names what the real runtime contains. */

describe.each(drivers.filter(({ name }) => name === 'electron'))('on $name', ({ name, available }) => {
  test.skipIf(!available)(
    'Chromium and Node have the versions that the bill of materials names',
    async () => {
      const userData = newFolder('versions');
      const app = await launch({ driver: name, userData });
      try {
        const { electron, chrome, node } = await app.evaluate(() => process.versions, null);
        expect({ electron, chromium: chrome, node }).toEqual(runtimeVersions);
      } finally {
        await app.close();
      }
    },
  );
});
