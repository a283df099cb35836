/**
 * Main writes plain English, for the window and for the command line. A phrasebook translates it: pairs of sentences
 * with placeholders, `{name}` for a literal value and `{+name}` for a value that is translated in turn. A third
 * language needs only another file of pairs.
 */
export type Phrases = readonly (readonly string[])[];
/** The sentence in the window's language; null if there is no translation. */
export type Phrasebook = (sentence: string) => string | null;

/** Cache limit, sentences. */
const maxRemembered = 2_000;
/** Depth limit of nested translations: more than any of our sentences needs. */
const maxDepth = 6;

type ServerPhrase = {
  /**
   * A pattern with placeholders within one sentence; and one with placeholders for any text, such as a gateway's
   * answer.
   */
  narrow: RegExp;
  wide: RegExp;
  placeholders: readonly { name: string; said: boolean }[];
  target: string;
  /** Characters outside its placeholders. */
  fixed: number;
};

const phraseOf = ([source = '', target = '']: readonly string[]): ServerPhrase => {
  const placeholders: { name: string; said: boolean }[] = [];
  const parts = source.split(/(\{\+?\w+\})/).map(part => {
    const placeholder = /^\{(\+?)(\w+)\}$/.exec(part);
    if (!placeholder) return part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
    placeholders.push({ name: placeholder[2] ?? '', said: placeholder[1] === '+' });
    return null;
  });
  const withPlaceholders = (placeholder: string): RegExp =>
    new RegExp(`^${parts.map(part => part ?? placeholder).join('')}$`);
  const fixed = source.replaceAll(/\{\+?\w+\}/g, '').length;
  return {
    narrow: withPlaceholders(String.raw`((?:(?!\. )[\s\S])+?)`),
    wide: withPlaceholders(String.raw`([\s\S]+?)`),
    placeholders,
    target,
    fixed,
  };
};

/** Creates a phrasebook from pairs: a sentence in English, and its translation. */
export const phrasebook = (pairs: Phrases): Phrasebook => {
  let phrases: ServerPhrase[] | null = null;
  const known = new Map<string, string | null>();

  const whole = (sentence: string, depth: number, width: 'narrow' | 'wide'): string | null => {
    // The most specific match wins: `There is no amount.` before `{name} is {value}.`
    phrases ??= pairs.map(phraseOf).sort((one, other) => other.fixed - one.fixed);
    for (const { [width]: pattern, placeholders, target } of phrases) {
      const found = pattern.exec(sentence);
      if (!found) continue;
      let said: string | null = target;
      for (const [index, placeholder] of placeholders.entries()) {
        const quoted = found[index + 1] ?? '';
        const filled: string | null = placeholder.said ? say(quoted, depth + 1) : quoted;
        if (filled === null || said === null) said = null;
        else
          said = said.replaceAll(
            placeholder.said ? `{+${placeholder.name}}` : `{${placeholder.name}}`,
            () => filled,
          );
      }
      if (said !== null) return said;
    }
    return null;
  };

  /** One sentence, or several one after the other. */
  const say = (text: string, depth: number): string | null => {
    if (depth > maxDepth) return null;
    const one = whole(text, depth, 'narrow');
    if (one !== null) return one;
    for (let end = text.indexOf('. '); end >= 0; end = text.indexOf('. ', end + 1)) {
      const begin = text.slice(0, end + 1);
      const first = whole(begin, depth, 'narrow') ?? whole(begin, depth, 'wide');
      const rest = first === null ? null : say(text.slice(end + 2), depth + 1);
      if (rest !== null) return `${first} ${rest}`;
    }
    return whole(text, depth, 'wide');
  };

  return sentence => {
    const before = known.get(sentence);
    if (before !== undefined) return before;
    const said = say(sentence, 0);
    if (known.size < maxRemembered) known.set(sentence, said);
    return said;
  };
};
