import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The program that docs/integrate/dossier.md describes. */
const program = join(import.meta.dirname, '../../docs/integrate/check-dossier.mjs');

export const documentedProcedure = (): string => readFileSync(program, 'utf8');

/** The result of the documented procedure for a dossier. `folder`: for its file. */
export const checkAsDocumented = async (
  json: string,
  folder: string,
): Promise<{ whole: boolean; description: string }> => {
  const file = join(folder, 'checked.json');
  writeFileSync(file, json);
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [program, file]);
    return { whole: true, description: stdout };
  } catch (thrown) {
    return { whole: false, description: (thrown as { stdout: string }).stdout };
  }
};
