/**
 * The same value with every text in it well-formed, names included: a lone surrogate becomes U+FFFD. SQLite stores
 * UTF-8, which cannot contain a lone surrogate, so the hashed text must not contain one either. Returns `value`
 * itself if nothing was replaced. `value`: plain JSON values.
 */
export const wellFormed = <T>(value: T): T => (isWellFormed(value) ? value : (replaced(value) as T));

/** Parses JSON from `JSON.stringify`, which escapes every lone surrogate, and makes its texts well-formed. */
export const parseWellFormed = (json: string): unknown => {
  const value: unknown = JSON.parse(json);
  return json.includes('\\ud') ? wellFormed(value) : value;
};

const isWellFormed = (value: unknown): boolean => {
  if (typeof value === 'string') return value.isWellFormed();
  if (Array.isArray(value)) return value.every(isWellFormed);
  if (typeof value !== 'object' || value === null) return true;
  for (const [name, of] of Object.entries(value)) if (!name.isWellFormed() || !isWellFormed(of)) return false;
  return true;
};

const replaced = (value: unknown): unknown => {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(replaced);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, of]) => [name.toWellFormed(), replaced(of)]));
};
