/**
 * Main speaks plain English, to the window as to the command line. A phrasebook says the same in the window's
 * language: pairs of sentences with holes, `{name}` for what is quoted as it stands and `{+name}` for what is said
 * in turn. A third language is one more file of pairs.
 */
export type Phrases = readonly (readonly string[])[];
/** The sentence in the window's language; null when the book lacks it. */
export type Phrasebook = (sentence: string) => string | null;

/** Sentences that were looked up already are remembered, up to this many. */
const remembered = 2_000;
/** Said within said within said: no sentence of ours goes deeper. */
const deepest = 6;

type Phrase = { pattern: RegExp; holes: readonly { name: string; said: boolean }[]; target: string };

const phraseOf = ([source = '', target = '']: readonly string[]): Phrase => {
  const holes: { name: string; said: boolean }[] = [];
  const pattern = source
    .split(/(\{\+?\w+\})/)
    .map(part => {
      const hole = /^\{(\+?)(\w+)\}$/.exec(part);
      if (!hole) return part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
      holes.push({ name: hole[2] ?? '', said: hole[1] === '+' });
      return String.raw`([\s\S]+?)`;
    })
    .join('');
  return { pattern: new RegExp(`^${pattern}$`), holes, target };
};

/** Makes a phrasebook of pairs: a sentence in English, and the same in the window's language. */
export const phrasebook = (pairs: Phrases): Phrasebook => {
  let phrases: Phrase[] | null = null;
  const known = new Map<string, string | null>();

  const whole = (sentence: string, depth: number): string | null => {
    for (const { pattern, holes, target } of (phrases ??= pairs.map(phraseOf))) {
      const found = pattern.exec(sentence);
      if (!found) continue;
      let said: string | null = target;
      for (const [index, hole] of holes.entries()) {
        const quoted = found[index + 1] ?? '';
        const filled: string | null = hole.said ? say(quoted, depth + 1) : quoted;
        if (filled === null || said === null) said = null;
        else said = said.replaceAll(hole.said ? `{+${hole.name}}` : `{${hole.name}}`, () => filled);
      }
      if (said !== null) return said;
    }
    return null;
  };

  /** A sentence by itself, or several one after the other. */
  const say = (text: string, depth: number): string | null => {
    if (depth > deepest) return null;
    const one = whole(text, depth);
    if (one !== null) return one;
    for (let end = text.indexOf('. '); end >= 0; end = text.indexOf('. ', end + 1)) {
      const first = whole(text.slice(0, end + 1), depth);
      const rest = first === null ? null : say(text.slice(end + 2), depth + 1);
      if (rest !== null) return `${first} ${rest}`;
    }
    return null;
  };

  return sentence => {
    const before = known.get(sentence);
    if (before !== undefined) return before;
    const said = say(sentence, 0);
    if (known.size < remembered) known.set(sentence, said);
    return said;
  };
};
