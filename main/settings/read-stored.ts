import * as z from 'zod';
import { sectionOf, type SettingsProblem } from '../../shared/settings/settings-recovery.ts';
import {
  defaultSettings,
  entryDefaults,
  sandboxProfileId,
  storedSchema,
  type Stored,
} from './stored-settings.ts';

/**
 * Reads settings field by field and entry by entry, so that one bad value affects nothing else. An unreadable value
 * is taken from the copy, otherwise from the defaults, and reported.
 */

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const fieldOf = (value: unknown, key: string): unknown =>
  isFields(value) && Object.hasOwn(value, key) ? value[key] : undefined;
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/**
 * The sources of one value: as found, from the copy, and its default (undefined: it has none). `isLost`: a value that
 * is missing here was damaged, and is not merely newer than the file.
 */
type Sources = { found: unknown; copy: unknown; fallback: unknown; isLost: boolean };
type Path = readonly string[];

const noValue = Symbol('no value');

const labelOf = (entry: unknown): string => {
  const name = fieldOf(entry, 'name') ?? fieldOf(entry, 'id');
  return typeof name === 'string' ? name.slice(0, 100) : '';
};

/**
 * `isDamaged`: the text was not valid JSON, so that missing values were lost and are not merely newer than the file.
 */
const storedReader = (isDamaged: boolean) => {
  let problems: SettingsProblem[] = [];
  const report = ([section = 'file', ...rest]: Path, outcome: SettingsProblem['outcome']): void => {
    problems.push({ section: sectionOf(section), name: rest.join('.').slice(0, 200), outcome });
  };
  /** Runs `work` and collects its problems: returns them with its value. */
  const parseEach = <T>(work: () => T): { value: T; problems: SettingsProblem[] } => {
    const before = problems;
    problems = [];
    const value = work();
    const own = problems;
    problems = before;
    return { value, problems: own };
  };

  const readLeaf = (schema: z.ZodType, { found, copy, fallback, isLost }: Sources, path: Path): unknown => {
    const read = schema.safeParse(found);
    if (found !== undefined && read.success) return read.data;
    if (found === undefined && !isLost) {
      if (fallback !== undefined) return fallback;
      return read.success ? read.data : noValue;
    }
    const copied = copy === undefined ? null : schema.safeParse(copy);
    if (copied?.success) {
      report(path, 'restored');
      return copied.data;
    }
    if (fallback === undefined) return noValue;
    report(path, 'default');
    return fallback;
  };

  const readObject = (
    schema: z.ZodObject,
    { found, copy, fallback, isLost }: Sources,
    path: Path,
  ): unknown => {
    const fields: [string, unknown][] = [];
    // An unknown name is a damaged name: the field itself is missing.
    const hasUnknownName =
      isFields(found) && Object.keys(found).some(key => !Object.hasOwn(schema.shape, key));
    for (const [key, field] of Object.entries(schema.shape)) {
      const value = fieldOf(found, key);
      const sources = {
        found: value,
        copy: fieldOf(copy, key),
        fallback: fieldOf(fallback, key),
        isLost: isDamaged || (value === undefined && (isLost || hasUnknownName || !isFields(found ?? {}))),
      };
      const read = readValue(field as z.ZodType, sources, [...path, key]);
      if (read === noValue) return noValue;
      fields.push([key, read]);
    }
    const whole = schema.safeParse(Object.fromEntries(fields));
    return whole.success ? whole.data : noValue;
  };

  /** Entries with an id: an unreadable one is taken from the copy by its id, or left out. */
  const readEntries = (schema: z.ZodObject, { found, copy, isLost }: Sources, path: Path): unknown => {
    const fallback = entryDefaults[path.at(-1) ?? ''] ?? {};
    const copies = new Map(listOf(copy).map(entry => [fieldOf(entry, 'id'), entry]));
    const entries = new Map<unknown, unknown>();
    const lost: unknown[] = [];
    for (const entry of listOf(found)) {
      const id = fieldOf(entry, 'id');
      const entryPath = [...path, labelOf(entry)];
      const read = parseEach(() =>
        readObject(schema, { found: entry, copy: copies.get(id), fallback, isLost: isDamaged }, entryPath),
      );
      if (read.value === noValue) lost.push(entry);
      else if (!entries.has(id)) {
        entries.set(id, read.value);
        if (id !== sandboxProfileId) problems.push(...read.problems);
      }
    }
    const isShort = lost.length > 0 || isLost || (found !== undefined && !Array.isArray(found));
    let restored = 0;
    for (const [id, entry] of isShort ? copies : []) {
      const read = schema.safeParse(entry);
      if (!read.success || entries.has(id)) continue;
      entries.set(id, read.data);
      restored += 1;
      if (id !== sandboxProfileId) report([...path, labelOf(entry)], 'restored');
    }
    for (const entry of lost.slice(restored)) report([...path, labelOf(entry)], 'missing');
    if (found !== undefined && !Array.isArray(found) && restored === 0) report(path, 'missing');
    return [...entries.values()];
  };

  const readRecord = (
    schema: z.ZodRecord,
    { found, copy, fallback, isLost }: Sources,
    path: Path,
  ): Record<string, unknown> => {
    const keys = new Set(isFields(found) ? Object.keys(found) : []);
    const areEntriesLost = isLost || (found !== undefined && !isFields(found));
    if (areEntriesLost) for (const key of isFields(copy) ? Object.keys(copy) : []) keys.add(key);
    const entries: [string, unknown][] = [];
    for (const key of keys) {
      if (!z.safeParse(schema.keyType, key).success) continue;
      const sources = {
        found: fieldOf(found, key),
        copy: fieldOf(copy, key),
        fallback: undefined,
        isLost: areEntriesLost,
      };
      const value = readLeaf(schema.valueType as z.ZodType, sources, [...path, key]);
      if (value === noValue) report([...path, key], 'missing');
      else entries.push([key, value]);
    }
    if (found === undefined && !isLost && isFields(fallback)) return { ...fallback };
    if (found !== undefined && !isFields(found) && entries.length === 0) report(path, 'missing');
    return Object.fromEntries(entries);
  };

  const readValue = (schema: z.ZodType, sources: Sources, path: Path): unknown => {
    if (schema instanceof z.ZodObject) return readObject(schema, sources, path);
    if (schema instanceof z.ZodRecord) return readRecord(schema, sources, path);
    if (schema instanceof z.ZodArray && schema.element instanceof z.ZodObject) {
      const entries = readEntries(schema.element, sources, path);
      const whole = schema.safeParse(entries);
      return whole.success ? whole.data : readLeaf(schema, { ...sources, found: entries }, path);
    }
    return readLeaf(schema, sources, path);
  };

  return { readValue, problems: () => problems };
};

/** The receiver must not listen with a guessed path, address or certificate. */
const usedReceiverDefaults = ({ section, name, outcome }: SettingsProblem): boolean =>
  section === 'settings' &&
  outcome === 'default' &&
  ['receiver.host', 'receiver.port', 'receiver.tls'].some(field => name.startsWith(field));

/**
 * Reads the content of a settings file. `found`: as parsed or recovered; `copy`: the content of the copy, or null.
 * `agent`: see `defaultSettings`. Returns settings that satisfy the schema, and the unreadable parts.
 */
export const readStored = (
  { found, copy, isDamaged }: { found: unknown; copy: unknown; isDamaged: boolean },
  agent: string,
): { stored: Stored; problems: SettingsProblem[] } => {
  const defaults = defaultSettings(agent);
  const reader = storedReader(isDamaged);
  // Excluded: the version was checked before, and a window position is no loss.
  const { version: _version, recovery: _recovery, ...sections } = isFields(found) ? found : {};
  const given = { found: isFields(found) ? sections : found, copy, fallback: defaults, isLost: isDamaged };
  const read = reader.readValue(storedSchema.omit({ version: true, recovery: true }), given, []);
  const recovery = storedSchema.shape.recovery.safeParse(fieldOf(found, 'recovery'));
  const parsed = storedSchema.safeParse({
    ...(isFields(read) ? read : {}),
    version: defaults.version,
    recovery: recovery.success ? recovery.data : null,
  });
  const installation = storedSchema.shape.installation.safeParse(fieldOf(read, 'installation'));
  const stored = parsed.success
    ? parsed.data
    : { ...defaults, ...(installation.success ? { installation: installation.data } : {}) };
  const problems = reader.problems().filter(({ section }) => section !== 'window');
  if (!parsed.success) problems.push({ section: 'file', name: '', outcome: 'default' });
  if (problems.some(usedReceiverDefaults)) stored.settings.receiver.enabled = false;
  return { stored, problems };
};
