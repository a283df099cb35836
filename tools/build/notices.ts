import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { root } from './steps.ts';

/** Native packages, which are packed unbundled. */
const nativePackages = ['better-sqlite3', '@napi-rs/keyring'];
/** Packages of which only fonts are bundled, so that the bundler does not list them. */
const fontPackages = ['inter', 'jetbrains-mono'].flatMap(font => [
  `@fontsource-variable/${font}`,
  `@fontsource/${font}`,
]);

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

const mitTerms = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/** Holders of packages under MIT that ship no text of it, from their package.json and their repository. */
const mitHolders: Readonly<Record<string, string>> = {
  'lazy-val': 'Copyright (c) Vladimir Krivosheev',
  nub: 'Copyright (c) James Halliday',
};

/** The parser of HTTP inside undici. */
const parserNotice: License = {
  name: 'llhttp',
  version: 'in undici',
  identifier: 'MIT',
  text: `The MIT License\n\nCopyright Fedor Indutny, 2018.\n\n${mitTerms}`,
};

const packageSchema = z.object({ name: z.string(), version: z.string(), license: z.string().optional() });

/** Packages under the ISC licence without its text. */
const iscHolders: Readonly<Record<string, string>> = {
  saxes:
    'Copyright (c) Isaac Z. Schlueter and Contributors\nCopyright (c) Louis-Dominique Dubeau and Contributors',
};

const iscTerms = `Permission to use, copy, modify, and/or distribute this software for any
purpose with or without fee is hereby granted, provided that the above
copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES
WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF
MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY
SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER
RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT,
NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE
USE OR PERFORMANCE OF THIS SOFTWARE.`;

/** The text of a package's licence: its own file, otherwise the section of its README; undefined if it has none. */
const licenseText = (folder: string): string | undefined => {
  const entries = readdirSync(folder);
  const file = entries.find(entry => /^(licen[cs]e|copying)/i.test(entry));
  if (file !== undefined) return readFileSync(join(folder, file), 'utf8').trim();
  const readme = entries.find(entry => /^readme/i.test(entry));
  const section =
    readme &&
    /^#+\s*licen[cs]e\s*$([\s\S]*?)(?=^#|(?![\s\S]))/im.exec(readFileSync(join(folder, readme), 'utf8'));
  const text = section?.[1]?.trim() ?? '';
  return /copyright/i.test(text) ? text : undefined;
};

/** The licence of a package in a folder of node_modules, from its own files. */
const licenseOf = (installedAs: string): License => {
  const folder = join(root, 'node_modules', installedAs);
  const { name, version, license } = packageSchema.parse(
    JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
  );
  const text = licenseText(folder);
  return {
    name,
    version,
    ...(license === undefined ? {} : { identifier: license }),
    ...(text === undefined ? {} : { text }),
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
  for (const [key, license] of found) {
    if (license.text !== undefined) continue;
    const holder = mitHolders[license.name];
    const isc = iscHolders[license.name];
    const text =
      licenseText(join(root, 'node_modules', license.name)) ??
      (holder && `The MIT License\n\n${holder}\n\n${mitTerms}`) ??
      (isc && `The ISC License\n\n${isc}\n\n${iscTerms}`);
    if (!text)
      throw new Error(
        `${license.name} has no text of its licence. Add its holder to tools/build/notices.ts.`,
      );
    found.set(key, { ...license, text });
  }
  if ([...found.values()].some(({ name }) => name === 'undici')) found.set(parserNotice.name, parserNotice);
  const licenses = [...found.values()].toSorted((one, other) => one.name.localeCompare(other.name, 'en'));
  const list = licenses
    .filter(license => license !== parserNotice)
    .map(({ text: _text, ...license }) => license);
  writeFileSync(join(folder, listName), `${JSON.stringify(list, null, 2)}\n`);
  const sections = licenses.map(({ name, version, identifier, text }) =>
    [`${name} ${version} (${identifier ?? 'see below'})`, '', text].join('\n'),
  );
  const head = 'Counterfoil contains the following software of others, under the licences printed with each.';
  const rule = `\n\n${'-'.repeat(80)}\n\n`;
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), `${[head, ...sections].join(rule)}\n`);
};
