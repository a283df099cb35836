import type { Tree } from './literal.ts';
import { afterBytes } from './text-form.ts';

/** Output of PHP's print_r and var_dump for an array or object; neither escapes anything. */

/** `bracket` and `entries`: the indentation of the opening bracket and of the first entry; null = not known. */
type Level = {
  tree: Extract<Tree, { kind: 'map' }>;
  bracket: number | null;
  entries: number | null;
};

const maxDepth = 64;
const entry = /^\s*\[([^\]]{0,200}(?:\[[^\]]{0,200}\])?)\] => ?(.*)$/;

/** Numbered entries are a list. */
const settle = (tree: Tree): Tree => {
  if (tree.kind !== 'map') return tree;
  const numbered = tree.entries.length > 0 && tree.entries.every(([key]) => /^\d+$/.test(key));
  return numbered ? { kind: 'list', items: tree.entries.map(([, value]) => value) } : tree;
};

const lineEnd = (text: string, at: number, end: number): number => {
  const found = text.indexOf('\n', at);
  return found < 0 || found > end ? end : found;
};

const lineText = (text: string, at: number, stop: number): string =>
  text.slice(at, stop > at && text.charCodeAt(stop - 1) === 13 ? stop - 1 : stop);

/** Whether the line at `at` is followed by the line `(` that opens a print_r array. */
export const opensPrintR = (text: string, at: number, end: number): boolean => {
  const stop = lineEnd(text, at, end);
  if (!/\b(?:Array|Object)\s*$/.test(text.slice(Math.max(at, stop - 60), stop))) return false;
  const next = text.slice(stop + 1, Math.min(lineEnd(text, stop + 1, end), stop + 80));
  return next.trim() === '(';
};

/**
 * Reads print_r from the line that ends in `Array`, or from a bare `[name] => value` line. A value continues over
 * lines until the next entry or its closing bracket.
 */
export const readPrintR = (text: string, from: number, end: number): { tree: Tree; end: number } => {
  const root: Level = { tree: { kind: 'map', entries: [] }, bracket: null, entries: null };
  const stack: Level[] = [root];
  let at = from;
  let started = false;
  let last: { kind: 'text'; text: string } | null = null;
  if (opensPrintR(text, at, end)) {
    root.bracket = bracketIndent(text, at, end);
    at = lineEnd(text, lineEnd(text, at, end) + 1, end) + 1;
    started = true;
  }
  while (at < end) {
    const stop = lineEnd(text, at, end);
    const line = lineText(text, at, stop);
    const trimmed = line.trim();
    const top = stack[stack.length - 1] ?? root;
    const entered: RegExpExecArray | null = entry.exec(line);
    if (entered) top.entries ??= indentOf(line);
    // An entry that is indented otherwise is a line of the value before it.
    const found: RegExpExecArray | null =
      entered && last && top.bracket !== null && indentOf(line) !== top.entries ? null : entered;
    if (found) {
      const [, key = '', value = '']: RegExpExecArray = found;
      const name = key.replace(/:(?:protected|private|[\w\\]+:private)$/, '');
      if (opensPrintR(text, at, end)) {
        if (stack.length > maxDepth) break;
        const child: Level = {
          tree: { kind: 'map', entries: [] },
          bracket: bracketIndent(text, at, end),
          entries: null,
        };
        top.tree.entries.push([name, child.tree]);
        stack.push(child);
        last = null;
        at = lineEnd(text, stop + 1, end) + 1;
        continue;
      }
      last = { kind: 'text', text: value };
      top.tree.entries.push([name, last]);
    } else if (trimmed === ')' && !(last && belongsToValue(text, stop + 1, end, indentOf(line), top))) {
      last = null;
      if (stack.length === 1) {
        at = stop + 1;
        if (started) break;
      } else stack.pop();
    } else if (last) {
      // Without a bracket to close it, a bare list of entries ends at its first blank line.
      if (!started && trimmed === '') break;
      last.text += `\n${line}`;
    } else if (trimmed !== '') break;
    at = stop + 1;
  }
  for (const level of stack) trimTail(level.tree);
  const settled = settleDeep(root.tree);
  return { tree: settled, end: Math.min(Math.max(at, from + 1), end) };
};

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** Characters that are read ahead to tell a closing bracket from a line of a value. */
const maxAhead = 4_000;

/** Indentation of the bracket on the line below the one at `at`. */
const bracketIndent = (text: string, at: number, end: number): number => {
  const start = lineEnd(text, at, end) + 1;
  return indentOf(text.slice(start, lineEnd(text, start, end)));
};

/**
 * Whether a line `)` is one of a value: it is not below its bracket, or an entry of the same level follows it before
 * another block begins. A block whose indentation was lost does not show this.
 */
const belongsToValue = (
  text: string,
  from: number,
  end: number,
  indent: number,
  { bracket, entries }: Level,
): boolean => {
  if (bracket === null || entries === null || entries <= bracket) return false;
  if (indent !== bracket) return true;
  const limit = Math.min(end, from + maxAhead);
  for (let at = from; at < limit;) {
    const stop = lineEnd(text, at, end);
    const line = lineText(text, at, Math.min(stop, limit));
    if (line.trim() === '(') return false;
    if (entry.test(line)) return indentOf(line) === entries && !opensPrintR(text, at, end);
    at = stop + 1;
  }
  return false;
};

/** A blank line before a closing bracket is layout, not value. */
const trimTail = (tree: Tree): void => {
  if (tree.kind !== 'map') return;
  const last = tree.entries[tree.entries.length - 1]?.[1];
  if (last?.kind === 'text') last.text = last.text.replace(/\n+$/, '');
};

const settleDeep = (tree: Tree): Tree => {
  if (tree.kind !== 'map') return tree;
  for (const item of tree.entries) item[1] = settleDeep(item[1]);
  return settle(tree);
};

const dumpToken =
  /\s*(?:\["((?:[^"\\]|\\.){0,200})"(?::[^\]]{0,80})?\]=>|\[(\d{1,9})\]=>|string\((\d{1,8})\) "|(?:int|float|double)\(([^)]{0,40})\)|bool\((true|false)\)|(NULL)|(?:array\(\d{1,8}\)|object\([^)]{0,200}\)#\d{1,9} \(\d{1,8}\)) \{|(\}))/y;

/** Whether a var_dump begins here. */
export const opensVarDump = (line: string): boolean =>
  /(?:array\(\d{1,8}\)|object\([^)]{0,200}\)#\d{1,9} \(\d{1,8}\)) \{\s*$/.test(line.slice(-300));

/** Reads var_dump from `at`; null if it is not one. */
export const readVarDump = (text: string, from: number, end: number): { tree: Tree; end: number } | null => {
  const stack: Extract<Tree, { kind: 'map' }>[] = [];
  let key = '';
  dumpToken.lastIndex = from;
  for (;;) {
    const at = dumpToken.lastIndex;
    const found = at < end ? dumpToken.exec(text) : null;
    if (!found) return null;
    const [, name, index, length, number, bool, none, close] = found;
    const top = stack[stack.length - 1];
    if (name !== undefined || index !== undefined) {
      key = name ?? index ?? '';
      continue;
    }
    if (close !== undefined) {
      const done = stack.pop();
      if (!done) return null;
      if (stack.length === 0) return { tree: settleDeep(done), end: dumpToken.lastIndex };
      continue;
    }
    if (length !== undefined) {
      const stop = afterBytes(text, dumpToken.lastIndex, Number(length), end);
      if (!top || stop === null) return null;
      top.entries.push([key, { kind: 'text', text: text.slice(dumpToken.lastIndex, stop) }]);
      if (text.charAt(stop) !== '"') return null;
      dumpToken.lastIndex = stop + 1;
      continue;
    }
    const plain = number ?? bool ?? (none === undefined ? undefined : 'null');
    if (plain !== undefined) {
      if (!top) return null;
      top.entries.push([key, { kind: 'text', text: plain }]);
      continue;
    }
    if (stack.length > maxDepth) return null;
    const child: Extract<Tree, { kind: 'map' }> = { kind: 'map', entries: [] };
    top?.entries.push([key, child]);
    stack.push(child);
  }
};
