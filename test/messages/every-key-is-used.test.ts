import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';
import en from '../../shared/messages/en.json' with { type: 'json' };

/**
 * Every message of the catalogue is used. A key counts as used if the code contains it as a literal, or a template
 * that can produce it. The template begins with the key's area, such as `state.${state}`, or with another key, such as
 * `${key}.hint`. Its gaps must be literals, names of properties or templates.
 */

const root = join(import.meta.dirname, '../..');

/** The programs that show messages. The other scripts find elements of the window by its texts. */
const sources = [
  '{main,preload,renderer,shared}/**/*.{ts,tsx}',
  'scripts/{app/{agree,inspect,log-verify},commands/command}.ts',
];

type SourceFile = { file: string; source: string };

type Template = { begin: string; pattern: RegExp };

type Words = { literals: Set<string>; templates: Template[] };

type Node = Record<string, unknown> & { type: string };

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

const escaped = (text: string): string => text.replaceAll(/[.-]/g, String.raw`\$&`);

/** The template of a node; null if it cannot be part of a key. */
const templateOf = (node: Node): Template | null => {
  if (node.type !== 'TemplateLiteral') return null;
  const parts = (node['quasis'] as { value: { cooked: string | null } }[]).map(
    ({ value }) => value.cooked ?? '',
  );
  if (parts.length === 1 || !/^[\w.-]+$/.test(parts.join(''))) return null;
  return {
    begin: parts[0] ?? '',
    pattern: new RegExp(`^${parts.map(escaped).join(String.raw`([\w.-]+?)`)}$`),
  };
};

/** The literals, names of properties and templates of source files. */
const wordsOf = (files: readonly SourceFile[]): Words => {
  const literals = new Set<string>();
  const templates = new Map<string, Template>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (isNode(value)) {
      if (value.type === 'Literal') literals.add(String(value['value']));
      const key = value.type === 'Property' ? value['key'] : null;
      if (isNode(key) && key.type === 'Identifier') literals.add(String(key['name']));
      const template = templateOf(value);
      if (template) templates.set(template.pattern.source, template);
      for (const child of Object.values(value)) visit(child);
    }
  };
  for (const { file, source } of files) visit(parseSync(file, source).program);
  return { literals, templates: [...templates.values()] };
};

/** The keys that no literal and no template of the files can produce. */
const unused = (keys: readonly string[], files: readonly SourceFile[]): string[] => {
  const { literals, templates } = wordsOf(files);
  /** Whether a literal, or templates in at most `depth` layers, can produce a part of a key. */
  const isPart = (text: string, depth = 2): boolean =>
    literals.has(text) ||
    (depth > 0 &&
      templates.some(({ pattern }) => {
        const gaps = pattern.exec(text)?.slice(1);
        return gaps?.every(gap => isPart(gap, depth - 1)) ?? false;
      }));
  const areas = templates.filter(({ begin }) => begin.includes('.'));
  const extensions = templates.filter(({ begin }) => begin === '');
  const isUsed = (key: string): boolean =>
    literals.has(key) ||
    areas.some(
      ({ pattern }) =>
        pattern
          .exec(key)
          ?.slice(1)
          .every(gap => isPart(gap)) ?? false,
    ) ||
    extensions.some(({ pattern }) => {
      const [base = '', ...others] = pattern.exec(key)?.slice(1) ?? [];
      return keys.includes(base) && base !== key && isUsed(base) && others.every(gap => isPart(gap));
    });
  return keys.filter(key => !isUsed(key));
};

test.each([
  ["t('state.paid')", []],
  ["const a = { 'state.paid': 1 };", []],
  ["t(`state.${state}`); const states = ['paid'];", []],
  ["t(`state.${a}`); const a = `${b}aid`; const b = 'p';", []],
  ["t(`state.${state}`); const states = ['open'];", ['state.paid']],
  ["t(`${area}.${state}`); const a = { state: 'paid' };", ['state.paid']],
  ["t(`cause.${state}`); const states = ['paid'];", ['state.paid']],
  ["t('state'); t('paid')", ['state.paid']],
])('the keys of a source that are unused are found: %s', (source, keys) => {
  expect(unused(['state.paid'], [{ file: 'source.ts', source }])).toEqual(keys);
});

test('a key that extends another one is used with it', () => {
  const keys = ['state.paid', 'state.paid.text', 'state.open.text'];
  const source = "const key = 'state.paid'; t(key); t(`${key}.text`);";
  expect(unused(keys, [{ file: 'source.ts', source }])).toEqual(['state.open.text']);
});

test('every message is used', () => {
  const files = globSync(sources, { cwd: root })
    // The types of the values name every key.
    .filter(file => !file.endsWith('message-values.ts'))
    .map(file => ({ file, source: readFileSync(join(root, file), 'utf8') }));
  expect(unused(Object.keys(en), files)).toEqual([]);
});
