import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { writeNotices } from './notices.ts';
import { root, runTool } from './steps.ts';

/** Builds main, preload and renderer, and the intake, into out/: `npm run build`. */

const parts = ['main', 'preload', 'renderer'] as const;
const outputs = [
  'out/main/index.js',
  'out/preload/index.cjs',
  'out/renderer/index.html',
  'out/THIRD-PARTY-NOTICES.txt',
  'out/bundled-packages.json',
];

const newestIn = (folder: string): number =>
  Math.max(
    0,
    ...readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => statSync(join(entry.parentPath, entry.name)).mtimeMs),
  );

/** Whether every bundle is newer than all of its sources. */
export const isBuilt = (): boolean => {
  const made = outputs.map(file => join(root, file));
  if (!made.every(file => existsSync(file))) return false;
  const oldest = Math.min(...made.map(file => statSync(file).mtimeMs));
  const sources = [...parts, 'shared', 'assets'].map(folder => newestIn(join(root, folder)));
  return Math.max(...sources, statSync(join(root, 'package-lock.json')).mtimeMs) < oldest;
};

/** What the builds write into out/. Anything else there would be packed. */
const inOut = [...parts, 'intake', 'THIRD-PARTY-NOTICES.txt', 'bundled-packages.json'];

/** Resolves to whether all three bundles were built; prints the failures. */
export const build = async (): Promise<boolean> => {
  const out = join(root, 'out');
  for (const entry of existsSync(out) ? readdirSync(out) : [])
    if (!inOut.includes(entry)) rmSync(join(out, entry), { recursive: true, force: true });
  const built = await Promise.all(
    parts.map(part =>
      runTool('vite', ['build', '--logLevel', 'warn', '--config', `${part}/vite.config.ts`], {
        quiet: true,
        // A test runner's NODE_ENV would build React's development version, which names source paths.
        env: { NODE_ENV: 'production' },
      }),
    ),
  );
  const failed = built.filter(({ code }) => code !== 0);
  for (const { output } of failed) process.stderr.write(output);
  if (failed.length === 0)
    writeNotices(
      parts.map(part => join(root, 'out', part)),
      join(root, 'out'),
    );
  return failed.length === 0;
};

/** A build that takes longer was ended from outside. */
const maxBuildMs = 60_000;

/** Builds what is older than its sources; several processes at the same time build once. */
export const ensureBuilt = async (): Promise<void> => {
  const lock = join(root, 'node_modules', '.counterfoil-build');
  while (!isBuilt()) {
    if (existsSync(lock) && Date.now() - statSync(lock).mtimeMs > maxBuildMs)
      rmSync(lock, { recursive: true, force: true });
    try {
      mkdirSync(lock);
    } catch {
      await setTimeout(200);
      continue;
    }
    try {
      if (!isBuilt() && !(await build())) throw new Error('The bundles could not be built.');
    } finally {
      rmSync(lock, { recursive: true, force: true });
    }
  }
};

/** Builds the intake into out/intake, with its notices; resolves to whether it was built. */
export const buildIntake = async (): Promise<boolean> => {
  const { code, output } = await runTool(
    'vite',
    ['build', '--logLevel', 'warn', '--config', 'main/intake/vite.config.ts'],
    { quiet: true, env: { NODE_ENV: 'production' } },
  );
  if (code !== 0) process.stderr.write(output);
  else writeNotices([join(root, 'out', 'intake')], join(root, 'out', 'intake'), ['better-sqlite3']);
  return code === 0;
};

if (import.meta.main && !((await build()) && (await buildIntake()))) process.exitCode = 1;
