import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Runs an application's unmodified bundles without Electron's runtime:
 * `node tools/fake-electron/run.ts FOLDER [arguments]`. See docs/build/fake-electron.md.
 */

const folder = resolve(process.argv[2] ?? '.');
process.env['STAND_IN_APP'] = folder;
// The application gets its own arguments, like under Electron.
process.argv.splice(1, 2, folder);

const fakeElectron = pathToFileURL(join(import.meta.dirname, 'electron.ts')).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: fakeElectron, shortCircuit: true } : next(specifier, context),
});

const electron: unknown = await import(fakeElectron);

// A harness may run a function in this process, like Playwright's Electron driver.
process.on('message', (message: { kind: string; id: number; source: string; argument: unknown }) => {
  if (message.kind !== 'evaluate') return;
  const run = async (): Promise<unknown> => {
    // oxlint-disable-next-line no-new-func, typescript/no-implied-eval
    const made = new Function(`return (${message.source})`)() as (
      electron: unknown,
      argument: unknown,
    ) => unknown;
    return made(electron, message.argument);
  };
  run().then(
    value => process.send?.({ kind: 'evaluated', id: message.id, value }),
    (error: unknown) => process.send?.({ kind: 'evaluated', id: message.id, error: String(error) }),
  );
});

const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { main: string };
await import(pathToFileURL(join(folder, manifest.main)).href);
