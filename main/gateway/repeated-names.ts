const token = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g;

/** Whether an object in a valid JSON text has a name twice: which value is meant is unknown then. Linear. */
export const hasRepeatedNames = (json: string): boolean => {
  /** The names of each open object; null for a list. */
  const open: (Set<string> | null)[] = [];
  let last = '';
  for (const [part] of json.matchAll(token))
    if (part === '{') open.push(new Set());
    else if (part === '[') open.push(null);
    else if (part === '}' || part === ']') open.pop();
    else if (part === ':') {
      const names = open.at(-1);
      const name: unknown = JSON.parse(last);
      if (typeof name !== 'string') continue;
      if (names?.has(name)) return true;
      names?.add(name);
    } else last = part;
  return false;
};
