import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf, fail, type AppError } from '../../shared/errors.ts';
import { msg } from '../../shared/messages/message.ts';
import { noPolicy } from '../../shared/administration/no-policy.ts';
import type { Profile } from '../../shared/settings/profile.ts';
import { writeFileAtomic } from '../files/replace-file.ts';
import { copyOf, loadSettings, type ReadFile } from './load-settings.ts';
import { storedSchema, type Stored } from './stored-settings.ts';
import { systemClock } from '../clock.ts';

export { sandboxProfileId, type StoredAgent, type WindowState } from './stored-settings.ts';

/** Retry interval of a failed write. */
const retryMs = 10_000;

/**
 * Settings, profiles and addresses, in one small JSON file without secrets except the callback paths; a copy is next
 * to it. A change takes effect at once and is written off the main thread.
 */
export type SettingsStore = ReturnType<typeof openSettings>;

/** The file functions; tests let them fail. */
type SettingsFiles = {
  read?: ReadFile;
  write?: (file: string, text: string) => Promise<void>;
  /** Writes a file that must not exist yet. */
  writeNew?: (file: string, bytes: Buffer) => Promise<void>;
  clock?: () => number;
};

const writeNewFile = (file: string, bytes: Buffer): Promise<void> =>
  writeFile(file, bytes, { flag: 'wx', mode: 0o600, flush: true });

const toText = (stored: Stored): string => `${JSON.stringify(stored, null, 2)}\n`;

/** Someone is always listed and signed in: an older file names one person only in its settings. */
const withAgent = (stored: Stored): Stored => {
  const { agents, settings } = stored;
  if (agents.some(({ name }) => name === settings.agent)) return stored;
  const [first] = agents;
  if (first) return { ...stored, settings: { ...settings, agent: first.name } };
  return {
    ...stored,
    agents: [
      { id: randomUUID(), name: settings.agent, role: 'administrator', pin: null, wrong: 0, waitMs: 0 },
    ],
  };
};

/** Someone is always the administrator: without one, the first person of the list. */
const withAdministrator = (stored: Stored): Stored => {
  const [first, ...others] = stored.agents;
  if (!first || stored.agents.some(({ role }) => role === 'administrator')) return stored;
  return { ...stored, agents: [{ ...first, role: 'administrator' }, ...others] };
};

/**
 * Opens the settings of this installation. `file`: path of the JSON file, created if missing. `agent`: the default
 * agent. A file that cannot be read completely is kept next to the new one, and `read().recovery` lists the
 * unreadable parts. Writes nothing itself: a full disk is a `problem` later. Throws if the folder cannot be created.
 */
export const openSettings = (
  file: string,
  agent: string,
  { read, write = writeFileAtomic, writeNew = writeNewFile, clock = systemClock }: SettingsFiles = {},
) => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const loaded = loadSettings(file, agent, { clock, read });
  const { blocked, repaired } = loaded;
  let isWritten = blocked === null;
  let { unreadable } = loaded;
  let stored = blocked ? loaded.stored : withAdministrator(withAgent(loaded.stored));
  /** The known content of the file and its copy. */
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

  /** The original file is kept before it is replaced. */
  const archiveUnreadable = async (): Promise<void> => {
    if (!unreadable) return;
    try {
      await writeNew(unreadable.file, unreadable.bytes);
    } catch (thrown) {
      // Named by its content: an earlier start has kept the same.
      if (codeOf(thrown) !== 'EEXIST') throw thrown;
    }
    unreadable = null;
  };

  const writeCopy = async (text: string): Promise<void> => {
    copied = text;
    // Only the file itself is authoritative: a failed copy is written with the next change.
    await write(copyOf(file), text).catch(() => undefined);
  };

  /** Ends in the same turn as its last comparison, so that no change is lost between two runs. */
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
      const { error } = fail('settings.unwritable', msg('error.settings.unwritable'), {
        hint: msg('hint.settings.unwritable'),
        details: { file, cause: codeOf(thrown) || 'unknown' },
      });
      if (!isClosed) retry = setTimeout(schedule, retryMs).unref();
      setFailure(error);
    }
  };

  /** Starts writing unless a run is in progress: it includes later changes. */
  const schedule = (): void => {
    if (!isWritten || writing) return;
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

  // A completely read file is left unchanged, even without newer defaults.
  if (written !== null && stored === loaded.stored) written = toText(stored);
  if (written !== toText(stored) || copied !== written) schedule();

  return {
    read: (): Stored => stored,
    /** Changes the settings and schedules the write. Throws if the result does not satisfy the schema. */
    change: (changes: (stored: Stored) => Stored): Stored => change(storedSchema.parse(changes(stored))),
    /** Resolves when every previous change is on disk, or cannot be written now: see `problem`. */
    flush,
    profile: (id: string): Profile | null => stored.profiles.find(profile => profile.id === id) ?? null,
    /** The callback path of a profile, created on first use: `/` and 128 random bits. */
    callbackPath: (profileId: string): string => {
      const known = stored.callbackPaths[profileId];
      if (known) return known;
      const path = `/${randomBytes(16).toString('hex')}`;
      change({ ...stored, callbackPaths: { ...stored.callbackPaths, [profileId]: path } });
      return path;
    },
    /**
     * Why the settings cannot be used: `settings.newer`, `settings.unreadable` or `settings.team-lost`. Nothing is written
     * then.
     */
    blocked,
    /** With `settings.team-lost`: writes settings without the team, which the next start uses. */
    continueWithoutTeam: async (): Promise<void> => {
      if (repaired === null) return;
      isWritten = true;
      change(withAdministrator(withAgent(repaired)));
      await flush();
    },
    /** What an administrator of this computer has fixed; see main/policy. */
    policy: noPolicy,
    /** `settings.unwritable` while changes are not on disk; the write is retried. */
    problem: (): AppError | null => failure,
    /** `listener` is called when `problem` has changed; only one listener. */
    onProblem: (next: () => void): void => {
      listener = next;
    },
    /** Writes pending changes and ends the retries. */
    close: async (): Promise<void> => {
      isClosed = true;
      if (retry) schedule();
      await flush();
      if (retry) clearTimeout(retry);
    },
  };
};
