import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { newFolder } from '../../tools/app-harness/new-folder.ts';
import { root } from '../../tools/build/steps.ts';

const folder = newFolder('steps');

test('a program of the project runs from a folder with spaces, with arguments that contain some', () => {
  const home = join(folder, 'Jane Doe & Co');
  mkdirSync(join(home, 'tools', 'build'), { recursive: true });
  cpSync(join(root, 'tools', 'build', 'steps.ts'), join(home, 'tools', 'build', 'steps.ts'));
  cpSync(join(root, 'package.json'), join(home, 'package.json'));
  symlinkSync(join(root, 'node_modules'), join(home, 'node_modules'));
  const code = `
    import { runTool } from ${JSON.stringify(pathToFileURL(join(home, 'tools', 'build', 'steps.ts')))};
    const { output } = await runTool('tsc', ['--ignoreConfig', 'no such file & more.ts'], { quiet: true });
    console.log(output);`;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' });
  expect(output).toContain("'no such file & more.ts'");
});
