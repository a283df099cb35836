import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../tools/build/steps.ts';

/** What a poisoned package could use: another content under the same name, a script, a range of versions. */

type Locked = {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  /** The package's own name, where it is installed under another one. */
  name?: string;
  hasInstallScript?: boolean;
};
const read = (file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'));
const manifest = read('package.json') as {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  allowScripts: Record<string, boolean>;
};
const { packages: all } = read('package-lock.json') as { packages: Record<string, Locked> };
/** Packages from the registry; the other entries are this project and its own folder. */
const packages = Object.entries(all).filter(([path, { link }]) => path.startsWith('node_modules/') && !link);

test('every package has one version and the hash of its content', () => {
  const own = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
  expect(
    own.filter(([, version]) => !/^((npm:[\w/@-]+@)?\d+\.\d+\.\d+|file:tools\/.+)$/.test(version)),
  ).toEqual([]);
  expect(packages.length).toBeGreaterThan(100);
  const withoutHash = packages.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'));
  expect(withoutHash.map(([path]) => path)).toEqual([]);
  // npm's settings choose the registry; an address in the lockfile could fetch one package from elsewhere.
  const elsewhere = packages.filter(([, { resolved }]) => resolved !== undefined);
  expect(elsewhere.map(([path]) => path)).toEqual([]);
});

test('no package may run a script when it is installed', () => {
  expect(Object.values(manifest.allowScripts).filter(Boolean)).toEqual([]);
  const undecided = packages
    // npm builds a package with a binding.gyp, as if it had a script.
    .filter(([path, { hasInstallScript }]) => hasInstallScript || existsSync(join(root, path, 'binding.gyp')))
    .map(([path, { name }]) => name ?? path.replace(/^.*node_modules\//, ''))
    .filter(name => !(name in manifest.allowScripts));
  expect(undecided).toEqual([]);
});

const npmSettings = readFileSync(join(root, '.npmrc'), 'utf8');

test('the last line of a command is not npm’s news of itself', () => {
  expect(npmSettings).toMatch(/^update-notifier=false$/m);
});

test('every installation ignores the scripts of packages, also with an npm that does not know allowScripts', () => {
  expect(npmSettings).toMatch(/^ignore-scripts=true$/m);
  const linesOf = (pattern: string, installs: RegExp): string[] =>
    globSync(pattern, { cwd: root }).flatMap(file =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .filter(line => installs.test(line)),
    );
  const installing = [
    ...linesOf('{.github/workflows/*,.ci/*,assets/intake/*}', /^[^#]*\bnpm (ci|install|i)\b/),
    ...linesOf('scripts/**/*.{ts,mjs}', /\['(ci|install|i)',/),
  ];
  expect(installing.length).toBeGreaterThan(1);
  expect(installing.filter(line => !/--ignore-scripts/.test(line))).toEqual([]);
});
