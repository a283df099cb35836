import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The program of docs/integrate/dossier.md. */
export const documentedProcedure = (): string => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/integrate/dossier.md'), 'utf8');
  const found = /```js\n([\s\S]*?)```/.exec(text)?.[1];
  if (found === undefined) throw new Error('docs/integrate/dossier.md shows no procedure.');
  return found;
};

/** The result of the documented procedure for a dossier. `folder`: for its files. */
export const checkAsDocumented = async (
  json: string,
  folder: string,
): Promise<{ whole: boolean; description: string }> => {
  const script = join(folder, 'check-dossier.mjs');
  const file = join(folder, 'checked.json');
  writeFileSync(script, documentedProcedure());
  writeFileSync(file, json);
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [script, file]);
    return { whole: true, description: stdout };
  } catch (thrown) {
    return { whole: false, description: (thrown as { stdout: string }).stdout };
  }
};
