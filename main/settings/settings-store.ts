import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fail, type AppError } from '../../shared/errors.ts';
import type { Profile } from '../../shared/settings/profile.ts';
import { writeFileAtomic } from '../files/replace-file.ts';
import { codeOf, copyOf, loadSettings, type ReadFile } from './load-settings.ts';
import { storedSchema, type Stored } from './stored-settings.ts';

export { sandboxProfileId, type StoredAgent, type WindowState } from './stored-settings.ts';

/** Milliseconds until settings that could not be written are written again. */
const retryMs = 10_000;

/**
 * Settings, profiles and addresses, in one small JSON file that holds no secret but the callback paths; a copy lies
 * beside it. A change counts at once and is written off the main thread's time.
 */
export type SettingsStore = {
  read(): Stored;
  /** Changes the settings and schedules the write. Throws when the result does not satisfy the schema. */
  change(change: (stored: Stored) => Stored): Stored;
  /** Resolves when every change so far is on disk, or cannot be written now: see `problem`. */
  flush(): Promise<void>;
  profile(id: string): Profile | null;
  /** The callback path of a profile, made on first use: `/` and 128 random bits. */
  callbackPath(profileId: string): string;
  /** Why the settings cannot be used at all: `settings.newer` or `settings.unreadable`. Nothing is written then. */
  blocked: AppError | null;
  /** `settings.unwritable` while changes are not on disk; they are tried again. */
  problem(): AppError | null;
  /** `listener` is called when `problem` has changed; one at a time. */
  onProblem(listener: () => void): void;
  /** Writes what is not written yet and ends the attempts. */
  close(): Promise<void>;
};

/** How files are read and written, so that a test can have it fail. */
type SettingsFiles = {
  read?: ReadFile;
  write?: (file: string, text: string) => Promise<void>;
  /** Writes a file that is not there yet. */
  writeNew?: (file: string, bytes: Buffer) => Promise<void>;
  clock?: () => number;
};

const writeNewFile = (file: string, bytes: Buffer): Promise<void> =>
  writeFile(file, bytes, { flag: 'wx', mode: 0o600, flush: true });

const toText = (stored: Stored): string => `${JSON.stringify(stored, null, 2)}\n`;

/** Somebody is always listed and signed in: an older file names one in its settings alone. */
const withAgent = (stored: Stored): Stored => {
  const { agents, settings } = stored;
  if (agents.some(({ name }) => name === settings.agent)) return stored;
  const [first] = agents;
  if (first) return { ...stored, settings: { ...settings, agent: first.name } };
  return {
    ...stored,
    agents: [{ id: randomUUID(), name: settings.agent, pin: null, wrong: 0, waitMs: 0 }],
  };
};

/**
 * Opens the settings of this installation.
 * `file`: path of the JSON file, made when missing. `agent`: who is signed in until somebody else signs in.
 * A file that cannot be read in full is kept beside the new one, and `read().recovery` tells what was not readable.
 * Writes nothing itself: a full disk is a `problem` later. Throws when the folder cannot be made.
 */
export const openSettings = (
  file: string,
  agent: string,
  { read, write = writeFileAtomic, writeNew = writeNewFile, clock = () => Date.now() }: SettingsFiles = {},
): SettingsStore => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const loaded = loadSettings(file, agent, { clock, read });
  const { blocked } = loaded;
  let { keep } = loaded;
  let stored = blocked ? loaded.stored : withAgent(loaded.stored);
  /** What the file and its copy hold, as far as is known. */
  let written = loaded.text;
  let copied = loaded.copyText;
  let writing: Promise<void> | null = null;
  let failure: AppError | null = null;
  let listener = (): void => undefined;
  let retry: NodeJS.Timeout | null = null;
  let isClosed = false;

  const setFailure = (next: AppError | null): void => {
    if (failure?.details?.['cause'] === next?.details?.['cause']) return;
    failure = next;
    listener();
  };

  /** The file as it was found is kept before it is replaced. */
  const archiveUnreadable = async (): Promise<void> => {
    if (!keep) return;
    try {
      await writeNew(keep.file, keep.bytes);
    } catch (thrown) {
      // Named by its content: an earlier start has kept the same.
      if (codeOf(thrown) !== 'EEXIST') throw thrown;
    }
    keep = null;
  };

  const writeCopy = async (text: string): Promise<void> => {
    copied = text;
    // The file itself is what counts: a copy that cannot be written now is written with the next change.
    await write(copyOf(file), text).catch(() => undefined);
  };

  /** Ends in the same turn as its last comparison, so that no change falls between two runs. */
  const writeAll = async (): Promise<void> => {
    try {
      for (let text = toText(stored); text !== written || text !== copied; text = toText(stored)) {
        if (text !== written) {
          await archiveUnreadable();
          await write(file, text);
          written = text;
        }
        await writeCopy(text);
      }
      writing = null;
      setFailure(null);
    } catch (thrown) {
      writing = null;
      const { error } = fail('settings.unwritable', 'Your settings could not be saved on this computer.', {
        hint: 'Free some space or check the permissions of the folder. Your changes apply until you close Counterfoil and are saved as soon as possible.',
        details: { file, cause: codeOf(thrown) || 'unknown' },
      });
      if (!isClosed) retry = setTimeout(schedule, retryMs).unref();
      setFailure(error);
    }
  };

  /** Starts writing unless it is in progress: what changes meanwhile is part of the same run. */
  const schedule = (): void => {
    if (blocked || writing) return;
    if (retry) clearTimeout(retry);
    retry = null;
    writing = Promise.resolve().then(writeAll);
  };

  const change = (next: Stored): Stored => {
    stored = next;
    schedule();
    return next;
  };

  const flush = async (): Promise<void> => {
    await writing;
  };

  // A file that was read in full is left alone, whatever defaults it lacks.
  if (written !== null && stored === loaded.stored) written = toText(stored);
  if (written !== toText(stored) || copied !== written) schedule();

  return {
    read: () => stored,
    change: changes => change(storedSchema.parse(changes(stored))),
    flush,
    profile: id => stored.profiles.find(profile => profile.id === id) ?? null,
    callbackPath: profileId => {
      const known = stored.callbackPaths[profileId];
      if (known) return known;
      const path = `/${randomBytes(16).toString('hex')}`;
      change({ ...stored, callbackPaths: { ...stored.callbackPaths, [profileId]: path } });
      return path;
    },
    blocked,
    problem: () => failure,
    onProblem: next => {
      listener = next;
    },
    close: async () => {
      isClosed = true;
      if (retry) schedule();
      await flush();
      if (retry) clearTimeout(retry);
    },
  };
};
