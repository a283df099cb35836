import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { root } from '../steps.ts';

/** Native packages, which are packed unbundled. */
const nativePackages = ['better-sqlite3', '@napi-rs/keyring'];
/** Packages of which only fonts are bundled, so that the bundler does not list them. */
const fontPackages = ['@fontsource-variable/inter', '@fontsource-variable/jetbrains-mono'];

const licenseSchema = z.object({
  name: z.string(),
  version: z.string(),
  identifier: z.string().optional(),
  text: z.string().optional(),
});
type License = z.infer<typeof licenseSchema>;

const bundledPackageSchema = licenseSchema.omit({ text: true });
/** A package in a bundle, or packed beside it; `identifier`: its licence's name in the list of SPDX. */
export type BundledPackage = z.infer<typeof bundledPackageSchema>;

const listName = 'bundled-packages.json';

/** The packages that `writeNotices` found for a folder. */
export const bundledPackages = (folder: string): BundledPackage[] =>
  z.array(bundledPackageSchema).parse(JSON.parse(readFileSync(join(folder, listName), 'utf8')));

const packageSchema = z.object({ name: z.string(), version: z.string(), license: z.string().optional() });

/** The licence of a package in node_modules, from its own files. */
const licenseOf = (name: string): License => {
  const folder = join(root, 'node_modules', name);
  const { version, license } = packageSchema.parse(
    JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
  );
  const file = readdirSync(folder).find(entry => /^(licen[cs]e|copying)/i.test(entry));
  return {
    name,
    version,
    ...(license === undefined ? {} : { identifier: license }),
    ...(file === undefined ? {} : { text: readFileSync(join(folder, file), 'utf8').trim() }),
  };
};

/**
 * Writes THIRD-PARTY-NOTICES.txt, every bundled package and the others that are packed, with their licences, and the
 * list of the same packages for the bill of materials. `bundles`:
 * folders of the bundles, each with the `licenses.json` of its build, which is removed. `others`: packages that no
 * bundler lists, the desktop application's if left out.
 */
export const writeNotices = (
  bundles: readonly string[],
  folder: string,
  others: readonly string[] = [...nativePackages, ...fontPackages],
): void => {
  const found = new Map<string, License>();
  for (const bundle of bundles) {
    const file = join(bundle, 'licenses.json');
    for (const license of z.array(licenseSchema).parse(JSON.parse(readFileSync(file, 'utf8'))))
      found.set(`${license.name}@${license.version}`, license);
    rmSync(file);
  }
  for (const name of others) found.set(name, licenseOf(name));
  const licenses = [...found.values()].toSorted((one, other) => one.name.localeCompare(other.name, 'en'));
  const list = licenses.map(({ text: _text, ...license }) => license);
  writeFileSync(join(folder, listName), `${JSON.stringify(list, null, 2)}\n`);
  const sections = licenses.map(({ name, version, identifier, text }) =>
    [
      `${name} ${version} (${identifier ?? 'see below'})`,
      '',
      text ?? `Licence: ${identifier ?? 'unknown'}`,
    ].join('\n'),
  );
  const head = 'Counterfoil contains the following software of others, under the licences printed with each.';
  const rule = `\n\n${'-'.repeat(80)}\n\n`;
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), `${[head, ...sections].join(rule)}\n`);
};
