import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { codeOf, fail, type AppError } from '../../shared/errors.ts';
import { msg } from '../../shared/messages/message.ts';
import type { SettingsProblem } from '../../shared/settings/settings-recovery.ts';
import { readStored } from './read-stored.ts';
import { defaultSettings, settingsVersion, storedSchema, type Stored } from './stored-settings.ts';

/** Reads settings.json at the start: unchanged, from its copy if it is damaged, or not at all. */

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
const recoverJson = (text: string): unknown =>
  readBlock(
    'object',
    text.split(/\r?\n/).filter(line => indentOf(line) > 0),
    2,
  );

/** Errors of a locked file, or of a disk that may answer at the next attempt. */
const transientCodes: ReadonlySet<string> = new Set(['EBUSY', 'EACCES', 'EPERM', 'EIO', 'EAGAIN', 'EMFILE']);
/** Pauses between attempts to read; about a second in total, since the window waits for it. */
const pausesMs = [20, 40, 80, 160, 300, 400];
/** Limit of problems that are kept and shown. */
const maxProblems = 200;

/** The copy of the settings next to `file`. */
export const copyOf = (file: string): string => `${file}.copy`;

export type ReadFile = (file: string) => Buffer;

/** The file's bytes, or null if it does not exist. Blocks for about a second, then throws the file system's error. */
const readWithRetry = (file: string, read: ReadFile): Buffer | null => {
  for (let attempt = 0; ; attempt += 1)
    try {
      return read(file);
    } catch (thrown) {
      if (codeOf(thrown) === 'ENOENT') return null;
      const pauseMs = pausesMs[attempt];
      if (pauseMs === undefined || !transientCodes.has(codeOf(thrown))) throw thrown;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
};

const parseJson = (text: string): { found: unknown; isDamaged: boolean } => {
  try {
    const found: unknown = JSON.parse(text);
    const isObject = typeof found === 'object' && found !== null && !Array.isArray(found);
    return isObject ? { found, isDamaged: false } : { found: {}, isDamaged: true };
  } catch {
    return { found: recoverJson(text), isDamaged: true };
  }
};

/**
 * The installation's id, from anywhere in a damaged text, or from the copy. Another id would name another keychain
 * service, and every stored password would be lost.
 */
const withInstallation = (found: unknown, text: string, copy: unknown): unknown => {
  const given = found as { installation?: unknown };
  const inText = /"installation"\s*:\s*"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"/i.exec(text)?.[1];
  const inCopy = (copy as { installation?: unknown } | null)?.installation;
  const id = [given.installation, inText, inCopy].find(
    one => storedSchema.shape.installation.safeParse(one).success,
  );
  return id === undefined ? found : { ...given, installation: id };
};

const versionOf = (found: unknown, text: string): number => {
  const { version } = found as { version?: unknown };
  if (typeof version === 'number') return version;
  return Number(/^ {2}"version": (\d{1,9}),?$/m.exec(text)?.[1] ?? settingsVersion);
};

/** The settings that a newer file certainly shares with this version: the window's appearance. */
const appearanceOf = (found: unknown): Partial<Stored['settings']> => {
  const { theme, density, language } = storedSchema.shape.settings.shape;
  const schema = z.object({
    theme: theme.catch('system'),
    density: density.catch('regular'),
    language: language.catch('system'),
  });
  const read = schema.safeParse((found as { settings?: unknown }).settings);
  return read.success ? read.data : {};
};

export type Loaded = {
  stored: Stored;
  /** Why the settings cannot be used: then nothing is written, and nothing else runs. */
  blocked: AppError | null;
  /** The file's text if it needs no repair; null if it is missing or was read partly. */
  text: string | null;
  copyText: string | null;
  /** The original file, to be kept under this path before it is replaced. */
  unreadable: { bytes: Buffer; file: string } | null;
  /** With `settings.team-lost`: the settings to use if a person agrees to continue without the team. */
  repaired: Stored | null;
};

/** What names the team and the chain that this installation writes in it, as the text of a file shows that it had them. */
const teamParts = { sharedLog: /"sharedLog"\s*:\s*\{/, chain: /"chain"\s*:\s*"/ };

/** Whether a part of these was in the text and is read neither from it nor from the copy. */
const isTeamLost = (problems: readonly SettingsProblem[], text: string): boolean =>
  (['sharedLog', 'chain'] as const).some(
    part =>
      teamParts[part].test(text) &&
      problems.some(({ section, outcome }) => section === part && outcome === 'default'),
  );

const isSandboxOnly = (stored: Stored): boolean => stored.profiles.length === 0 && stored.agents.length === 0;

/**
 * Loads the settings in `file`. `agent`: see `defaultSettings`. `read` reads a file's bytes or throws. `blocked` is
 * `settings.newer`, `settings.unreadable` or `settings.team-lost`: without a question it would leave its team, delete
 * what it holds of the others, and continue an earlier chain. Other faults are repaired and reported in
 * `stored.recovery`.
 */
export const loadSettings = (
  file: string,
  agent: string,
  { clock, read = readFileSync }: { clock: () => number; read?: ReadFile | undefined },
): Loaded => {
  const blockedBy = (blocked: AppError, appearance: Partial<Stored['settings']> = {}): Loaded => {
    const stored = defaultSettings(agent);
    return {
      stored: { ...stored, settings: { ...stored.settings, ...appearance } },
      blocked,
      text: null,
      copyText: null,
      unreadable: null,
      repaired: null,
    };
  };
  let bytes: Buffer | null;
  let copyBytes: Buffer | null = null;
  try {
    bytes = readWithRetry(file, read);
  } catch (thrown) {
    const unreadable = fail('settings.unreadable', msg('error.settings.unreadable'), {
      hint: msg('hint.settings.unreadable'),
      details: { file, cause: codeOf(thrown) },
    });
    return blockedBy(unreadable.error);
  }
  try {
    copyBytes = readWithRetry(copyOf(file), read);
  } catch {
    // Only the file itself is authoritative.
  }
  const text = bytes?.toString('utf8') ?? '';
  const main = bytes ? parseJson(text) : { found: {}, isDamaged: true };
  if (versionOf(main.found, text) > settingsVersion) {
    const newer = fail('settings.newer', msg('error.settings.newer'), {
      hint: msg('hint.settings.newer'),
      details: { file },
    });
    return blockedBy(newer.error, appearanceOf(main.found));
  }
  const copyText = copyBytes?.toString('utf8') ?? null;
  const copied = copyText === null ? null : parseJson(copyText);
  const copy = copied && versionOf(copied.found, '') <= settingsVersion ? copied.found : null;
  if (!bytes && copy === null)
    return {
      stored: defaultSettings(agent),
      blocked: null,
      text: null,
      copyText: null,
      unreadable: null,
      repaired: null,
    };

  const found = withInstallation(main.found, text, copy);
  const isText = bytes === null || isUtf8(bytes);
  const isDamaged = main.isDamaged || !isText;
  const result = readStored({ found, copy, isDamaged }, agent);
  let problems: SettingsProblem[] = result.problems;
  if (!bytes) {
    // A missing file: its copy is complete, and one message reports it.
    const outcome = isSandboxOnly(result.stored) ? 'default' : 'restored';
    problems = [{ section: 'file', name: '', outcome }];
  } else if (isDamaged && problems.length === 0)
    problems = [{ section: 'file', name: '', outcome: 'restored' }];
  if (problems.length === 0)
    return { stored: result.stored, blocked: null, text, copyText, unreadable: null, repaired: null };

  const digest = bytes && createHash('sha256').update(bytes).digest('hex').slice(0, 12);
  const unreadable = bytes && { bytes, file: `${file}.unreadable-${digest}` };
  const earlier = result.stored.recovery?.problems ?? [];
  const recovery = {
    at: clock(),
    keptFile: unreadable?.file ?? null,
    problems: [...problems, ...earlier].slice(0, maxProblems),
  };
  const stored = { ...result.stored, recovery };
  if (isTeamLost(problems, text)) {
    const lost = fail('settings.team-lost', msg('error.settings.team-lost'), {
      hint: msg('hint.settings.team-lost'),
      details: { file },
    });
    return { ...blockedBy(lost.error, appearanceOf(result.stored)), copyText, unreadable, repaired: stored };
  }
  return { stored, blocked: null, text: null, copyText, unreadable, repaired: null };
};
