import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { root } from '../../tools/build/steps.ts';

/**
 * The limits of the source tree: no import circles of files or folders, no long files, no crowded folders, no import that
 * runs upwards, no two files of one name in main or in the renderer; no test of the window that does not wait, and none
 * that waits for the clock.
 */

/** The folders that the limits hold for. */
const sources = ['main', 'renderer', 'shared', 'preload', 'scripts', 'tools'];
/** Lines of one file. */
const maxLines = 400;
/** Files of one folder, without its subfolders; the folders with a limit below that. */
const maxFiles = 20;
const lowerLimits: Readonly<Record<string, number>> = { scripts: 8 };

/** The files that a text imports, type-only imports included; `from` is the path of the text. */
const importsOf = (from: string, text: string): string[] =>
  [...text.matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, path = '']) =>
    join(dirname(from), path).replaceAll('\\', '/'),
  );

/** Every circle of a graph, each as the path around it. */
const circlesOf = (graph: ReadonlyMap<string, Iterable<string>>): string[] => {
  const circles: string[] = [];
  const done = new Set<string>();
  const visit = (node: string, path: readonly string[]): void => {
    const start = path.indexOf(node);
    if (start >= 0) circles.push([...path.slice(start), node].join(' -> '));
    const targets = graph.get(node);
    if (targets === undefined || done.has(node) || start >= 0) return;
    for (const next of targets) visit(next, [...path, node]);
    done.add(node);
  };
  for (const node of graph.keys()) visit(node, []);
  return circles;
};

/** Every import circle of some files (path and text), each as the path around it. */
export const importCircles = (files: ReadonlyMap<string, string>): string[] =>
  circlesOf(new Map([...files].map(([file, text]) => [file, importsOf(file, text)])));

/**
 * Every import circle between the subfolders of an area, such as `main/app`. Files directly in the area count one by
 * one: some are used by every subfolder, others compose them.
 */
export const folderCircles = (files: ReadonlyMap<string, string>, area: string): string[] => {
  const start = `${area}/`;
  const nodeOf = (file: string): string => start + (file.slice(start.length).split('/')[0] ?? '');
  const graph = new Map<string, Set<string>>();
  for (const [file, text] of files) {
    if (!file.startsWith(start)) continue;
    const node = nodeOf(file);
    const targets = graph.get(node) ?? new Set();
    graph.set(node, targets);
    for (const target of importsOf(file, text))
      if (target.startsWith(start) && nodeOf(target) !== node) targets.add(nodeOf(target));
  }
  return circlesOf(graph);
};

/** The folders that have subfolders: an area's subfolders must not import each other in a circle. */
const areasOf = (files: Iterable<string>): Set<string> => {
  const areas = new Set<string>();
  for (const file of files)
    for (let area = dirname(dirname(file)); area !== '.'; area = dirname(area)) areas.add(area);
  return areas;
};

/** Imports that run upwards: tools serve scripts and tests, scripts serve tests. */
const upward = [
  ['tools', 'scripts'],
  ['tools', 'test'],
  ['scripts', 'test'],
] as const;

/** Every import that runs upwards among some files (path and text). */
export const upwardImports = (files: ReadonlyMap<string, string>): string[] =>
  [...files].flatMap(([file, text]) =>
    importsOf(file, text)
      .filter(target =>
        upward.some(([from, to]) => file.startsWith(`${from}/`) && target.startsWith(`${to}/`)),
      )
      .map(target => `${file} imports ${target}`),
  );

/** What exceeds the limits among some files (path and text). */
export const oversized = (files: ReadonlyMap<string, string>): string[] => {
  const found: string[] = [];
  const folders = new Map<string, number>();
  for (const [file, text] of files) {
    const lines = text.split('\n').length - 1;
    if (lines > maxLines) found.push(`${file}: ${lines} lines, limit ${maxLines}`);
    folders.set(dirname(file), (folders.get(dirname(file)) ?? 0) + 1);
  }
  for (const [folder, count] of folders) {
    const limit = lowerLimits[folder] ?? maxFiles;
    if (count > limit) found.push(`${folder}: ${count} files, limit ${limit}`);
  }
  return found;
};

/** Areas without two files of one name, but for those that a tool looks for: people find files by name. */
const namedOnce = ['main', 'renderer'];
const toolsNames = ['index', 'vite.config'];

/** Files of one area with the same name among some files (path and text). */
export const sameNames = (files: ReadonlyMap<string, string>): string[] =>
  namedOnce.flatMap(area => {
    const known = new Map<string, string>();
    return [...files.keys()].flatMap(file => {
      const name = basename(file).replace(/\.(?:ts|tsx|css)$/, '');
      if (!file.startsWith(`${area}/`) || file.endsWith('.css') || toolsNames.includes(name)) return [];
      const first = known.get(name);
      known.set(name, file);
      return first === undefined ? [] : [`${first} and ${file} have the same name`];
    });
  });

/** A read of the window whose result is compared at once: a busy machine has not drawn it yet. */
const readOnce =
  /\bexpect\(\s*await [^;]*?\.(?:innerText|textContent|allInnerTexts|allTextContents|inputValue|count|isVisible|getAttribute)\([^()]*\)\s*,?\s*\)\s*\./g;

/** Every place where a test of the window among some files (path and text) does not wait for what it compares. */
export const readsOnce = (files: ReadonlyMap<string, string>): string[] =>
  [...files].flatMap(([file, text]) =>
    [...text.matchAll(readOnce)].map(({ index }) => {
      const line = text.slice(0, index).split('\n').length;
      return `${file}:${line} reads the window once; \`await expect.poll(() => …)\` waits for what it compares`;
    }),
  );

/** What makes a test depend on the speed of the machine: a fixed sleep, or an upper bound on a duration. */
const clockWaits =
  /\bawait (?:wait|delay|sleep)\(|\bsetTimeout\((?:resolve|done), |performance\.now\(\) - [^;\n]*\)\.toBeLess/g;

/** Every place where a test waits for the clock; with a simulated clock, in test/timing and on Windows it may. */
export const waitsForClock = (files: ReadonlyMap<string, string>): string[] =>
  [...files].flatMap(([file, text]) =>
    /\.(?:timing|windows)\.ts$/.test(file) || text.includes('useFakeTimers(')
      ? []
      : [...text.matchAll(clockWaits)].map(({ index }) => {
          const line = text.slice(0, index).split('\n').length;
          return `${file}:${line} waits for the clock; wait for an event, or put the promise into test/timing`;
        }),
  );

/** The files beneath some folders, also those that are not committed; without git, all of them. */
const listFiles = (folder: string, of: readonly string[]): readonly string[] => {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', ...of];
  const { status, stdout } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' });
  // No git on the path, or an unpacked archive instead of a clone.
  if (status !== 0)
    return globSync(
      of.map(one => `${one}/**/*`),
      { cwd: folder },
    ).map(file => file.replaceAll('\\', '/'));
  return stdout.split('\0');
};

/** The source files beneath some folders of the project: path relative to its root, and text. */
const readSources = (folder: string, of: readonly string[]): Map<string, string> => {
  const files = new Map<string, string>();
  for (const file of listFiles(folder, of)) {
    // The lint test writes files that break rules, and may run at the same time.
    if (!/\.(?:ts|tsx|mjs|css)$/.test(file) || file.includes('/breaks-a-rule-')) continue;
    try {
      files.set(file, readFileSync(join(folder, file), 'utf8'));
    } catch {
      // Deleted, but not yet committed.
    }
  }
  return files;
};

/** Everything in a checkout of the project that breaks a limit; empty if nothing does. */
export const structureProblems = (folder: string = root): string[] => {
  const files = readSources(folder, sources);
  return [
    ...importCircles(files).map(circle => `import circle: ${circle}`),
    ...[...areasOf(files.keys())]
      .flatMap(area => folderCircles(files, area))
      .map(circle => `folder circle: ${circle}`),
    ...upwardImports(files),
    ...sameNames(files),
    ...oversized(files),
    ...readsOnce(readSources(folder, ['test/end-to-end'])),
    ...waitsForClock(readSources(folder, ['test'])),
  ];
};
