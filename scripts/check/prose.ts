import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { root } from '../../tools/build/steps.ts';

/**
 * Finds words that the project does not use in comments, strings and documents. Part of `npm run check`.
 * An exception states its reason in a comment on the same line or on the line before: `prose-ok: reason`.
 */

/** Ruled-out words, each with what to write instead. */
const ruledOut: readonly (readonly [RegExp, string])[] = [
  [/\bwho(?:m|so)?ever\b/i, 'name the user, the caller or the component'],
  [/\bnobody\b/i, '"no user", "no caller", or the passive voice'],
  [
    /\bso many (?:bytes|characters|events|milliseconds|of|payments|rows|seconds)\b/i,
    'the limit with its unit',
  ],
  [/\bmanieth\b/i, '"every n-th"'],
  [/\bof (?:its|their) own\b/i, '"separate", "own", "dedicated"'],
  [/\bby (?:itself|themselves)\b/i, '"automatically", "alone"'],
  [/\bpour(?:s|ed|ing)?\b/i, '"arrives", "high load"'],
  [/\banew\b/i, '"again", "new"'],
  [/\b(?:lies|lay)\b/i, '"is", "is stored"'],
  [/\bstands\b(?! for)/i, '"is", "contains"'],
  [/\b(?:told|tells)\b/i, '"notified", "returns", "reports"'],
  [/\b(?:over)?hear[sd]?\b/i, '"receives", "listens"'],
  [/\b(?:whatever|whichever) (?:it|they) (?:is|are|was|were)\b/i, '"any"'],
  [/\bat work\b/i, '"active"'],
  [/\b(?:gives?|gave|given|giving) back\b/i, '"returns", "restores", "refunds"'],
  [/\blearn(?:t|s)\b/i, '"detects", "reads"'],
  [/(?<!there )is none\b/i, '"is not a …", "does not exist"'],
  [/\bfares?\b/i, '"works", "succeeds"'],
  [/\bin one go\b/i, '"in one batch", "at once"'],
  [/\bfor so long\b/i, 'the parameter with its unit'],
  [/\b(?:is|are) no news\b/i, '"causes no notification"'],
  [/\bby heart\b/i, '"from memory"'],
  [/\bthereupon\b/i, '"then"'],
  [/(?<!-|^')\bdesks?\b(?!-)/i, '"the console", "the app", "Counterfoil"; "agent" for the person'],
  [/\bdoors?\b(?!-)/i, '"listener", "bridge", "external opener", "command"'],
  [/\bsomebody\b/i, 'name the user, the caller or the component'],
  [/\b(?:what|which|wher)ever\b/i, '"any", "for any …"'],
  [/\b(?:go(?:es|ing)?|went) on\b(?! (?:a|the)\b)/i, '"continues"'],
  [/\bhand(?:s|ed|ing)? (?:over|on)\b/i, '"share", "pass", "return"'],
  [/\bunder way\b/i, '"in flight", "in progress"'],
  [/\b(?:ran|runs?|running) out\b/i, '"expires"'],
  [/\b(?:is|are|was|were) said\b/i, '"is reported", "is shown"'],
  [/\basked about\b/i, '"looked up", "confirmed"'],
  [/\b(?:brought|brings?|bringing) back\b/i, '"restores"'],
  [/\b(?:gives?|gave|giving) way\b/i, '"is replaced by", "ends"'],
  [/\b(?:let|lets|letting) go\b/i, '"releases"'],
  [/\b(?:refute[sd]?|judge[sd]?)\b/i, '"invalid", "checks", "verifies"'],
  [/\bat fault\b/i, '"invalid"'],
  [/\bin passing\b/i, '"temporarily"'],
  [/\bamid\b/i, '"within", "during"'],
  [/\bnoughts?\b/i, '"zero"'],
];

/** A word of a rule may be on the next line. */
const rules = ruledOut.map(
  ([{ source }, instead]) => [new RegExp(source.replaceAll(' ', String.raw`\s+`), 'gi'), instead] as const,
);

/** Folders and documents that are checked. */
const checkedSources = ['{main,preload,renderer,shared,scripts,tools,test}/**/*.{ts,tsx,mjs}', '*.config.ts'];
const checkedTexts = ['*.md', 'docs/**/*.md', 'shared/messages/en.json'];

/** Exceptions where a comment is not possible: a file, a part of the line, and the reason. */
const allowed: readonly { file: string; text: string; reason: string }[] = [
  {
    file: 'main/payment-log/sqlite/store/migrations.ts',
    text: 'states are told more finely',
    reason: 'A test holds the hash of each migration, which covers its SQL comments.',
  },
  {
    file: 'main/payment-log/sqlite/store/migrations.ts',
    text: 'while evidence goes on being written',
    reason: 'As above.',
  },
  { file: 'scripts/check/prose.ts', text: 'states are told more finely', reason: 'The exception above.' },
  {
    file: 'scripts/check/prose.ts',
    text: 'while evidence goes on being written',
    reason: 'The exception above.',
  },
  { file: 'test/scripts/prose.test.ts', text: '', reason: 'The test of this check.' },
];

export type ProseFinding = { line: number; word: string; instead: string; text: string };

type Span = { start: number; end: number };

const isNode = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** The string literals, template texts and JSX texts below a node of the syntax tree. */
const literalsOf = (node: unknown, spans: Span[] = []): Span[] => {
  if (Array.isArray(node)) for (const child of node) literalsOf(child, spans);
  else if (isNode(node)) {
    const { type, start, end } = node;
    if (typeof start === 'number' && typeof end === 'number') {
      const isText = type === 'TemplateElement' || type === 'JSXText';
      if (isText || (type === 'Literal' && typeof node['value'] === 'string')) spans.push({ start, end });
    }
    for (const [key, child] of Object.entries(node))
      // Module paths are not prose.
      if (key !== 'source') literalsOf(child, spans);
  }
  return spans;
};

/** The string literals and the texts of templates in a source file, without module paths. */
export const literalTexts = (file: string, content: string): string[] =>
  literalsOf(parseSync(file, content).program).map(({ start, end }) => content.slice(start, end));

/** Replaces code in a Markdown text by blanks, so that positions stay. */
const withoutCode = (markdown: string): string =>
  markdown.replaceAll(/^```[\s\S]*?^```|`[^`\n]*`/gm, code => code.replaceAll(/[^\n]/g, ' '));

const spansOf = (file: string, text: string): Span[] => {
  if (!/\.(?:ts|tsx|mjs)$/.test(file)) return [{ start: 0, end: text.length }];
  const { program, comments } = parseSync(file, text);
  return [...comments, ...literalsOf(program)].map(({ start, end }) => ({ start, end }));
};

/** The ruled-out words in the comments and strings of a source file, or in a document. `file` gives the language. */
export const ruledOutWords = (file: string, content: string): ProseFinding[] => {
  const text = file.endsWith('.md') ? withoutCode(content) : content;
  const lines = text.split('\n');
  const findings: ProseFinding[] = [];
  for (const { start, end } of spansOf(file, text)) {
    // A comment's line breaks and asterisks must not split a phrase.
    const prose = text.slice(start, end).replaceAll(/\n[ \t]*(?:\*|\/\/)?/g, gap => '\n'.padEnd(gap.length));
    for (const [pattern, instead] of rules)
      for (const match of prose.matchAll(pattern)) {
        const line = text.slice(0, start + match.index).split('\n').length;
        const found = (lines[line - 1] ?? '').trim();
        const isException =
          [found, lines[line - 2]].some(near => near?.includes('prose-ok:')) ||
          allowed.some(exception => exception.file === file && found.includes(exception.text));
        if (!isException) findings.push({ line, word: match[0], instead, text: found });
      }
  }
  return findings.sort((a, b) => a.line - b.line);
};

/** The project's findings, one a line; empty when there is none. */
export const checkProse = (): string[] =>
  globSync([...checkedSources, ...checkedTexts], { cwd: root, exclude: ['**/node_modules/**'] })
    .map(file => file.replaceAll('\\', '/'))
    .toSorted()
    .flatMap(file =>
      ruledOutWords(file, readFileSync(join(root, file), 'utf8')).map(
        ({ line, word, instead, text }) =>
          `${file}:${line} "${word}": write ${instead}. ${text.slice(0, 160)}`,
      ),
    );

if (import.meta.main) {
  const findings = checkProse();
  for (const finding of findings) console.log(finding);
  if (findings.length > 0) process.exitCode = 1;
}
