import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';

/**
 * Main and shared contain no sentences for users: they return messages, and the catalogues contain the texts.
 * This test reads the string literals and templates of every file. A text counts as a sentence if it begins
 * with a capital and has three words, or ends with a full stop and contains a space.
 */

const root = join(import.meta.dirname, '../..');

/**
 * Texts that users do not see in their language, each with the reason. `text`: a part of it; without it, the
 * whole file.
 */
const exceptions: readonly { file: string; text?: string; reason: string }[] = [
  {
    file: 'main/app/desktop/desktop-feature.ts',
    reason: 'The application log is in English.',
  },
  {
    file: 'main/app-log/app-log.ts',
    text: 'Further records were dropped.',
    reason: 'The application log is in English.',
  },
  ...['Not a callback', 'Not kept, please send again', 'No content encoding', 'HTTP/1.1 …'].map(text => ({
    file: 'main/callbacks/start-receiver.ts',
    text,
    reason: 'An HTTP response to the gateway.',
  })),
  {
    file: 'main/status/run-status.ts',
    text: 'SQLite format 3',
    reason: 'The first bytes of a database file.',
  },
  { file: 'main/intake/serve/metrics.ts', reason: 'Descriptions in the format of Prometheus.' },
  {
    file: 'main/gateway/dry-run.ts',
    text: 'Zwei Nächte, Zimmer 12',
    reason: 'A sample description with a character that is not ASCII.',
  },
];

/** Functions whose texts are English: the application log, the intake's log, and the descriptions in the contract. */
const englishCalls = new Set([
  'reportFailure',
  'failureDetails',
  'forwardFailure',
  'appLog.write',
  'log.info',
  'log.warn',
  'log.error',
  'defineRequest',
]);

const sql =
  /^\s*(?:--|ALTER|AND|FROM|ANALYZE|BEGIN|CASE|COMMIT|CREATE|CROSS|DECLARE|DELETE|DETACH|ATTACH|DO|DROP|EXISTS|FETCH|GRANT|INSERT|JOIN|LISTEN|ORDER BY|PRAGMA|REPLACE|RESET|REVOKE|ROLLBACK|SELECT|SET|UPDATE|VACUUM|WHERE|WITH)\b/;

const isSentence = (text: string): boolean => {
  const trimmed = text.trim();
  // Lists of codes, such as currencies, have no lower case.
  if (sql.test(text) || !/\p{Ll}/u.test(text)) return false;
  const words = trimmed.match(/[\p{L}\p{N}…][\p{L}\p{N}’'-]*/gu) ?? [];
  return (
    (/^\p{Lu}/u.test(trimmed) && /\s/.test(trimmed) && words.length >= 3) ||
    (/\p{L}\.$/u.test(trimmed) && /\s/.test(trimmed))
  );
};

type Node = Record<string, unknown> & { type: string; start: number };

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

/** `name` or `object.name` of an expression. */
const nameOf = (node: unknown): string => {
  if (!isNode(node)) return '';
  if (node.type === 'Identifier') return String(node['name']);
  return node.type === 'MemberExpression'
    ? `${nameOf(node['object'])}.${nameOf(node['property'])}`.replace(/^.*\.(?=\w+\.\w+$)/, '')
    : '';
};

/** Whether the texts below a node are English records or code. */
const isExempt = (node: Node, errorClasses: ReadonlySet<string>): boolean => {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'TSLiteralType':
      return true;
    case 'NewExpression':
      return errorClasses.has(nameOf(node['callee'])) || nameOf(node['callee']).endsWith('Error');
    case 'CallExpression':
      return nameOf(node['callee']) === 'super' || englishCalls.has(nameOf(node['callee']));
    case 'TaggedTemplateExpression':
      return nameOf(node['tag']) === 'sql';
    default:
      return false;
  }
};

/** The text of a literal or template, its expressions as `…`; null for other nodes. */
const textOf = (node: Node): string | null => {
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : null;
  if (node.type !== 'TemplateLiteral') return null;
  const quasis = node['quasis'] as { value: { cooked: string | null } }[];
  return quasis.map(({ value }) => value.cooked ?? '').join('…');
};

type Found = { line: number; text: string };

/** The sentences of a source file. */
const sentencesIn = (source: string, errorClasses: ReadonlySet<string> = new Set()): Found[] => {
  const found: Found[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (isNode(value) && !isExempt(value, errorClasses)) {
      const text = textOf(value);
      if (text !== null && isSentence(text))
        found.push({ line: source.slice(0, value.start).split('\n').length, text });
      for (const child of Object.values(value)) visit(child);
    }
  };
  visit(parseSync('source.ts', source).program);
  return found;
};

const files = globSync('{main,shared}/**/*.ts', { cwd: root, exclude: ['main/sandbox/**'] })
  .map(file => file.replaceAll('\\', '/'))
  .toSorted()
  .map(file => ({ file, source: readFileSync(join(root, file), 'utf8') }));

const errorClasses = new Set(
  files.flatMap(({ source }) =>
    [...source.matchAll(/class (\w+) extends \w*Error\b/g)].map(([, name]) => name ?? ''),
  ),
);

test.each([
  ["const a = 'The amount is missing.';", ['The amount is missing.']],
  ["const a = 'Choose another folder';", ['Choose another folder']],
  ['const a = `${name} is missing.`;', ['… is missing.']],
  ['const a = `No payment for ${order}`;', ['No payment for …']],
  ["throw new Error('The worker has ended.');", []],
  ["class Lost extends Error {}\nthrow new Lost('The worker has ended.');", []],
  ["parts.appLog.write('warn', 'window', 'The window is slow.');", []],
  ["database.prepare('SELECT key FROM events WHERE seq = ?.');", []],
  ["defineRequest('Read a payment and its events.', schema);", []],
  ["// The amount is missing.\nconst a = msg('amount.missing');", []],
  ["const a: 'Not a value here' = b;", []],
  ["const a = 'Content-Type';", []],
])('a sentence for users is found in a source: %s', (source, texts) => {
  expect(sentencesIn(source, new Set(['Lost'])).map(({ text }) => text)).toEqual(texts);
});

const isExcepted = (file: string, text: string): boolean =>
  exceptions.some(one => one.file === file && (one.text === undefined || text.includes(one.text)));

test('main and shared contain no sentence for users', () => {
  const found = files.flatMap(({ file, source }) =>
    sentencesIn(source, errorClasses)
      .filter(({ text }) => !isExcepted(file, text))
      .map(({ line, text }) => `${file}:${line} ${text}`),
  );
  expect(found).toEqual([]);
});

test('every exception is needed', () => {
  const unneeded = exceptions.filter(
    one =>
      !files.some(
        ({ file, source }) =>
          file === one.file &&
          sentencesIn(source, errorClasses).some(
            ({ text }) => one.text === undefined || text.includes(one.text),
          ),
      ),
  );
  expect(unneeded).toEqual([]);
});
