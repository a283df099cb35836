/**
 * Texts that a merchant writes, with placeholders: a subset of ICU messages. An apostrophe is literal, since nothing
 * needs quoting.
 */

/** A parsed text. A plural's branches have ICU names: `=0`, `one`, `other`. */
export type TextPart<P extends string> =
  | { kind: 'text'; text: string }
  | { kind: 'value'; name: P }
  | { kind: 'number' }
  | { kind: 'plural'; branches: ReadonlyMap<string, readonly TextPart<P>[]> };

/** Why a text is refused. `found` quotes the invalid part. */
export type TextProblem<K extends string = never> = {
  kind: K | 'too-long' | 'hidden' | 'card-number' | 'no-words' | 'unreadable' | 'unknown' | 'plural';
  found: string;
};

export type TextReading<P extends string, K extends string = never> =
  | { ok: true; parts: readonly TextPart<P>[] }
  | { ok: false; problem: TextProblem<K> };

/** Control characters, and marks that change the writing direction. */
export const hiddenCharacter = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

const words = /[^{}#]+/y;
const value = /\{\s*([^\s{},]*)\s*\}/y;
const plural = /\{\s*([^\s{},]*)\s*,\s*plural\s*,/y;
const branch = /\s*(=\d{1,6}|zero|one|two|few|many|other)\s*\{/y;
const end = /\s*\}/y;

/** An excerpt of the text that shows the position of a problem. */
const excerpt = (text: string, at: number): string => Array.from(text.slice(at)).slice(0, 20).join('');

/**
 * Parses a text with placeholders; a recursive descent, whose depth the caller bounds by the length of the text.
 * `counted`: the placeholder that may have a plural; null if none may.
 */
export const readParts = <P extends string>(
  text: string,
  taken: readonly P[],
  counted: P | null,
): TextReading<P> => {
  let at = 0;
  let problem: TextProblem | null = null;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at = pattern.lastIndex;
    return found;
  };
  const refuse = (kind: TextProblem['kind'], found: string): null => {
    problem ??= { kind, found };
    return null;
  };
  const named = (name: string): P | null =>
    taken.find(one => one === name) ?? refuse('unknown', name === '' ? '{}' : `{${name}}`);

  const readPlural = (name: string, from: number): TextPart<P> | null => {
    if (named(name) === null) return null;
    if (name !== counted) return refuse('plural', excerpt(text, from));
    const branches = new Map<string, readonly TextPart<P>[]>();
    for (let found = take(branch); found !== null; found = take(branch)) {
      const [, selector = ''] = found;
      const parts = read(true);
      if (parts === null || branches.has(selector)) return refuse('plural', excerpt(text, from));
      branches.set(selector, parts);
      at += 1;
    }
    if (!branches.has('other') || take(end) === null) return refuse('plural', excerpt(text, from));
    return { kind: 'plural', branches };
  };

  /** Reads to the end, or within a plural to the closing brace of the branch. */
  const read = (isBranch: boolean): readonly TextPart<P>[] | null => {
    const parts: TextPart<P>[] = [];
    for (;;) {
      if (at >= text.length || (isBranch && text[at] === '}')) break;
      const from = at;
      const plain = take(words);
      const one = plain ? null : take(value);
      const many = (plain ?? one) ? null : take(plural);
      let part: TextPart<P> | null;
      if (plain) part = { kind: 'text', text: plain[0] };
      else if (one) {
        const name = named(one[1] ?? '');
        part = name && { kind: 'value', name };
      } else if (many) part = readPlural(many[1] ?? '', from);
      else if (text[at] === '#') {
        at += 1;
        part = isBranch ? { kind: 'number' } : { kind: 'text', text: '#' };
      } else part = refuse('unreadable', excerpt(text, at));
      if (part === null) return null;
      parts.push(part);
    }
    return isBranch && at >= text.length ? refuse('unreadable', excerpt(text, text.lastIndexOf('{'))) : parts;
  };

  const parts = read(false);
  return parts === null
    ? { ok: false, problem: problem ?? { kind: 'unreadable', found: text } }
    : { ok: true, parts };
};

/** Whether it contains text in every branch: an unknown amount yields nothing. */
export const hasWords = (parts: readonly TextPart<string>[]): boolean =>
  parts.some(
    part =>
      (part.kind === 'text' && /\p{L}/u.test(part.text)) ||
      (part.kind === 'plural' && [...part.branches.values()].every(hasWords)),
  );
