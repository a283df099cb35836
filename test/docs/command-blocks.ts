import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../tools/build/steps.ts';

/** The blocks of code in the documents. A block of commands names its shell, and what else it needs. */

type Block = {
  file: string;
  /** The language: `sh`, `bat`, `powershell`; empty if the block is no code. */
  language: string;
  /** What a block in `sh` needs, such as `linux` or `root`; empty if a checkout is enough. */
  needs: string;
  lines: string[];
};

const documents = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...globSync('docs/**/*.md', { cwd: root })];

/** The names of scripts after `npm run` in the text of the documents. */
export const namedScripts: readonly { file: string; script: string }[] = documents.flatMap(file =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/`npm run (?:-s )?(\w[\w:-]*)/g)].map(
    ([, script = '']) => ({ file, script }),
  ),
);

/** Every block of every document, in order. */
export const blocks: readonly Block[] = documents.flatMap(file =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/^ *```(\w*) *([^\n]*)\n([\s\S]*?)^ *```$/gm)].map(
    ([, language = '', needs = '', text = '']) => ({
      file: file.replaceAll('\\', '/'),
      language,
      needs,
      lines: text
        .split('\n')
        .map(line => line.trim())
        .filter(line => line !== ''),
    }),
  ),
);
