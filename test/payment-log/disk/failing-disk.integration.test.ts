import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newFolder } from '../../../tools/app-harness/new-folder.ts';
import { logFolder, type LogFolder } from '../../../tools/app-harness/running-payment-log.ts';
import { root } from '../../../tools/build/steps.ts';

/** A disk that fails to read or to write: a library in front of the system's makes those calls fail. */

const hasCompiler = process.platform === 'linux' && spawnSync('gcc', ['--version']).status === 0;
const bundled = pathToFileURL(join(root, 'tools', 'app-harness', 'use-bundled-workers.ts')).href;

/** Reads every row through caches of all sizes while reads fail, and prints each number of rows or code of an error. */
const countRows = `
  import Database from 'better-sqlite3';
  import { writeFileSync, rmSync } from 'node:fs';
  const [file, control] = process.argv.slice(1);
  const made = new Database(file);
  made.exec("CREATE TABLE t (v); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000) INSERT INTO t SELECT printf('%200d', i) FROM n");
  made.close();
  const answers = new Set();
  for (let size = 2; size < 60; size += 1) {
    const database = new Database(file);
    database.pragma('cache_size = ' + size);
    writeFileSync(control, '');
    try {
      answers.add(String(database.prepare('SELECT count(*) FROM t').pluck().get()));
    } catch (thrown) {
      answers.add(thrown.code);
    }
    rmSync(control);
    database.close();
  }
  console.log([...answers].join(' '));`;

describe.runIf(hasCompiler)('a disk that fails', () => {
  let build: string;
  let env: NodeJS.ProcessEnv;
  let folder: LogFolder;
  let console1: ChildProcess;
  let lines: Interface;
  beforeAll(() => {
    build = newFolder('failing-disk');
    const library = join(build, 'failing-disk.so');
    execFileSync('gcc', [
      '-shared',
      '-fPIC',
      '-o',
      library,
      join(import.meta.dirname, 'failing-disk.c'),
      '-ldl',
    ]);
    env = { ...process.env, LD_PRELOAD: library };
  });
  beforeEach(() => {
    folder = logFolder();
  });
  afterEach(async () => {
    console1?.kill('SIGKILL');
    await folder.remove();
  });

  const control = (what: string): string => join(dirname(folder.file), `fail.${what}`);
  const whileFailing = async <T>(what: 'read' | 'write', work: () => Promise<T>): Promise<T> => {
    writeFileSync(control(what), '');
    try {
      return await work();
    } finally {
      rmSync(control(what));
    }
  };

  const start = async (): Promise<void> => {
    const child = join(import.meta.dirname, 'console-child.ts');
    console1 = spawn(process.execPath, ['--import', bundled, child, folder.file], {
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    if (!console1.stdout) throw new Error('no output');
    lines = createInterface({ input: console1.stdout });
    await answer();
  };
  const answer = (): Promise<string[]> =>
    new Promise(resolve => {
      const said: string[] = [];
      const listen = (line: string): void => {
        if (line !== 'done') return void said.push(line);
        lines.off('line', listen);
        resolve(said);
      };
      lines.on('line', listen);
    });
  const say = (command: string): Promise<string[]> => {
    const said = answer();
    console1.stdin?.write(`${command}\n`);
    return said;
  };

  test('SQLite itself reports a read that fails, and no number that it could not count', () => {
    const count = (what: string): string =>
      execFileSync(process.execPath, ['--input-type=module', '-e', countRows, folder.file, control(what)], {
        env,
        encoding: 'utf8',
        cwd: root,
      }).trim();
    // SQLite's word for an input/output error of the disk, since 3.47.
    expect(count('read')).toBe('SQLITE_CORRUPT');
    rmSync(folder.file);
    expect(count('other')).toBe('4000');
  });

  test('a read that fails is reported, and nothing that was acknowledged is lost, also after writes that failed', async () => {
    await start();
    const stored = await say('write 60');
    const refused = await whileFailing('write', () => say('write 20'));
    expect(new Set(refused)).toEqual(new Set(['log.unavailable']));
    stored.push(...(await say('write 60')));
    // Other orders than those that the reader may still hold.
    const read = await whileFailing('read', () => say('read 0 30'));
    expect(new Set(read)).toEqual(new Set(['log.corrupt']));
    stored.push(...(await whileFailing('read', () => say('write 60'))));
    stored.push(...(await say('write 60')));
    expect(await say('read 0 30')).toEqual(Array.from({ length: 30 }, () => 'found 1'));
    console1.kill('SIGKILL');
    await once(console1, 'exit');

    const acknowledged = stored.filter(line => line.startsWith('stored ')).map(line => line.slice(7));
    expect(acknowledged.length).toBeGreaterThanOrEqual(180);
    const log = await folder.open();
    for (const order of acknowledged) expect(await log.events('sandbox', order)).toHaveLength(1);
    expect(await log.verify()).toMatchObject({ problems: [] });
  });
});
