import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { languages } from '../../shared/messages/message.ts';
import { root } from '../../tools/build/steps.ts';

/**
 * Sorts the catalogues by key: `npm run messages`. `npm run check` fails if that would change a file. Every script first
 * writes the types of their values, `shared/messages/message-values.ts`, where they are older than the catalogue
 * (`--types`; scripts/setup.mjs): they are needed by type checks only, and are not in git.
 */

const folder = join(root, 'shared', 'messages');
const catalogueFiles = languages.map(language => join(folder, `${language}.json`));
const typesFile = join(folder, 'message-values.ts');

/** The values of a parsed message and their TypeScript types. */
const valuesOf = (elements: readonly MessageFormatElement[]): Map<string, string> => {
  const found = new Map<string, string>();
  const add = (more: ReadonlyMap<string, string>): void => {
    for (const [name, type] of more) if (found.get(name) !== 'number') found.set(name, type);
  };
  for (const element of elements)
    switch (element.type) {
      case TYPE.argument:
        add(new Map([[element.value, 'V']]));
        break;
      case TYPE.number:
      case TYPE.date:
      case TYPE.time:
        add(new Map([[element.value, 'number']]));
        break;
      case TYPE.plural:
        add(new Map([[element.value, 'number']]));
        for (const { value } of Object.values(element.options)) add(valuesOf(value));
        break;
      case TYPE.select:
        add(new Map([[element.value, 'string']]));
        for (const { value } of Object.values(element.options)) add(valuesOf(value));
        break;
      default:
        break;
    }
  return found;
};

/** The types of a catalogue's values, as TypeScript. */
export const messageTypes = (english: Readonly<Record<string, string>>): string => {
  const lines = Object.entries(english).flatMap(([key, text]) => {
    const values = [...valuesOf(parse(text))].sort(([one], [other]) => (one < other ? -1 : 1));
    if (values.length === 0) return [];
    return [`  '${key}': { ${values.map(([name, type]) => `${name}: ${type}`).join('; ')} };`];
  });
  return [
    "import type en from './en.json';",
    '',
    '/** Written by every script of package.json from `en.json`. */',
    'export type MessageKey = keyof typeof en;',
    '',
    '/** The values of each message that has placeholders; `V` is the type of a value that is not a number. */',
    'export type MessageValues<V> = {',
    ...lines,
    '};',
    '',
  ].join('\n');
};

const read = (file: string): Record<string, string> =>
  JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;

const sorted = (texts: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).sort(([one], [other]) => (one < other ? -1 : 1)));

/** What the catalogues must contain: path and text. */
const wanted = (): [file: string, text: string][] =>
  catalogueFiles.map(file => [file, `${JSON.stringify(sorted(read(file)), null, 2)}\n`]);

const writeTypes = (): void => {
  // Another script may read them now.
  const written = join(root, 'node_modules', `.message-values-${process.pid}`);
  writeFileSync(written, messageTypes(sorted(read(join(folder, 'en.json')))));
  renameSync(written, typesFile);
};

/** The catalogues that `npm run messages` would change. */
export const staleMessageFiles = (): string[] =>
  wanted()
    .filter(([file, text]) => readFileSync(file, 'utf8') !== text)
    .map(([file]) => `${file} is not sorted: npm run messages`);

if (import.meta.main) {
  if (!process.argv.includes('--types')) for (const [file, text] of wanted()) writeFileSync(file, text);
  writeTypes();
}
