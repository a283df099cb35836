/**
 * The same value with every text in it well-formed, names included: a lone half of a surrogate pair becomes U+FFFD.
 * SQLite stores UTF-8, which cannot hold such a half, so what is hashed must not hold one either. Returns `value`
 * itself when nothing had to be replaced. `value`: plain JSON values.
 */
export const wellFormed = <T>(value: T): T => (isWellFormed(value) ? value : (replaced(value) as T));

/** Parses JSON that `JSON.stringify` wrote, its texts made well-formed; it writes every lone half as an escape. */
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
