/**
 * Recovers damaged JSON, one member or element at a time. It relies on the layout of the settings file: one member a
 * line, two spaces of indentation a level.
 */

type Kind = 'object' | 'array';

const indentOf = (line: string): number => line.length - line.trimStart().length;
const isClosing = (line: string): boolean => /^\s*[}\]],?$/.test(line);
const opening = /^\s*(?:("(?:[^"\\]|\\.)*"): )?([{[])$/;

/** The lines of each member at one level: a line at that indentation begins one. */
const membersOf = (lines: readonly string[], indent: number): string[][] => {
  const members: string[][] = [];
  for (const line of lines) {
    const last = members.at(-1);
    if (!last || (indentOf(line) === indent && !isClosing(line))) members.push([line]);
    else last.push(line);
  }
  return members;
};

const parse = (text: string): { value: unknown } | null => {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
};

const readBlock = (kind: Kind, lines: readonly string[], indent: number): unknown => {
  const entries: [string, unknown][] = [];
  const elements: unknown[] = [];
  for (const member of membersOf(lines, indent)) {
    const text = member.join('\n').replace(/,\s*$/, '');
    const parsed = parse(kind === 'object' ? `{${text}}` : `[${text}]`);
    if (parsed) {
      if (kind === 'object') entries.push(...Object.entries(parsed.value as object));
      else elements.push(...(parsed.value as unknown[]));
      continue;
    }
    const [, key, bracket] = opening.exec(member[0] ?? '') ?? [];
    if (bracket === undefined || (kind === 'object') !== (key !== undefined)) continue;
    const inner = member.slice(1, isClosing(member.at(-1) ?? '') ? -1 : undefined);
    const value = readBlock(bracket === '{' ? 'object' : 'array', inner, indent + 2);
    const name = key === undefined ? null : parse(key);
    if (name) entries.push([String(name.value), value]);
    else if (key === undefined) elements.push(value);
  }
  // Assigned as own properties, so that `__proto__` is an ordinary member.
  return kind === 'object' ? Object.fromEntries(entries) : elements;
};

/** The object in `text`, without unreadable members; empty if none is readable. */
export const recoverJson = (text: string): unknown =>
  readBlock(
    'object',
    text.split(/\r?\n/).filter(line => indentOf(line) > 0),
    2,
  );
