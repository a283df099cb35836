/** Finds tests by their titles, for documents that name tests. */

/** The end of the brackets that open at `from`; strings and comments are skipped. */
const closing = (source: string, from: number): number => {
  const parts = /\\.|(['"`])(?:\\.|(?!\1)[^\\])*\1|\/\/[^\n]*|\/\*[\s\S]*?\*\/|[()]/g;
  parts.lastIndex = from;
  let depth = 0;
  for (let part = parts.exec(source); part; part = parts.exec(source)) {
    if (part[0] === '(') depth += 1;
    else if (part[0] === ')') depth -= 1;
    if (depth === 0 && part[0] === ')') return part.index;
  }
  return source.length;
};

/**
 * The bodies of the tests, or of the group of tests, with exactly this title; whitespace is normalised. A title that
 * ends in … stands for those that begin so.
 */
export const bodiesOf = (source: string, title: string): string[] => {
  const titles = /(?:\b(?:it|test|describe|onEachDriver)|\))\(\s*(['"`])((?:\\.|(?!\1)[^\n])*)\1\s*,/g;
  return [...source.matchAll(titles)]
    .filter(([, , written = '']) => {
      const full = written.replaceAll(/\\(['"`])/g, '$1');
      return title.endsWith('…') ? full.startsWith(title.slice(0, -1)) : full === title;
    })
    .map(found => {
      const open = found.index + found[0].indexOf('(');
      return source.slice(open, closing(source, found[0].startsWith(')') ? found.index + 1 : open));
    })
    .map(body => body.replaceAll(/\s+/g, ' '));
};
