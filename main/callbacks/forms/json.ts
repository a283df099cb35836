import { decodeString } from './strings.ts';

/** A value of JSON; a number keeps its digits, since an amount is signed as it was sent. */
export type Tree =
  | { kind: 'text'; text: string }
  | { kind: 'map'; entries: [string, Tree][] }
  | { kind: 'list'; items: Tree[] };

/** Depth limit: more than any program nests a callback; stops on a stack of brackets. */
const maxDepth = 64;
const blanks = /[\s\ufeff]*/y;
const scalar = /-?\d[\d.eE+-]*|true|false|null/y;

/**
 * Reads the JSON value at `from` (RFC 8259). `tree` is null if there is none; `end` is then where the reading failed:
 * callers count these characters to stay linear for hostile input.
 */
export const readJson = (text: string, from: number, end: number): { tree: Tree | null; end: number } => {
  let at = from;
  const matched = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0] ?? null;
    if (found === null || at + found.length > end) return null;
    at += found.length;
    return found;
  };
  const isNext = (char: string): boolean => {
    matched(blanks);
    if (at >= end || text.charAt(at) !== char) return false;
    at++;
    return true;
  };
  const string = (): string | null => {
    const start = at;
    for (; at < end; at++) {
      const code = text.charCodeAt(at);
      if (code === 92) at++;
      else if (code === 34) return decodeString(text.slice(start, at++), 'json');
      // A log line that was cut must not take in the following ones.
      else if (code === 10) return null;
    }
    return null;
  };
  const value = (depth: number): Tree | null => {
    if (depth > maxDepth) return null;
    if (isNext('"')) {
      const read = string();
      return read === null ? null : { kind: 'text', text: read };
    }
    if (isNext('{')) {
      const entries: [string, Tree][] = [];
      if (isNext('}')) return { kind: 'map', entries };
      do {
        const key = isNext('"') ? string() : null;
        const item = key !== null && isNext(':') ? value(depth + 1) : null;
        if (key === null || !item) return null;
        entries.push([key, item]);
      } while (isNext(','));
      return isNext('}') ? { kind: 'map', entries } : null;
    }
    if (isNext('[')) {
      const items: Tree[] = [];
      if (isNext(']')) return { kind: 'list', items };
      do {
        const item = value(depth + 1);
        if (!item) return null;
        items.push(item);
      } while (isNext(','));
      return isNext(']') ? { kind: 'list', items } : null;
    }
    const word = matched(scalar);
    return word === null ? null : { kind: 'text', text: word };
  };
  const tree = value(0);
  return { tree, end: Math.max(at, from + 1) };
};
