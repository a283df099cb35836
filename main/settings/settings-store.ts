import { randomBytes, randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod';
import { agentNameSchema } from '../../shared/agent.ts';
import { settingsSchema } from '../../shared/contract.ts';
import { templateSchema } from '../../shared/template.ts';
import { profileSchema, type Profile } from '../../shared/profile.ts';

const agentSchema = z.object({
  id: z.uuid(),
  name: agentNameSchema,
  /** Salt and scrypt hash in hex, or none. */
  pin: z.object({ salt: z.string(), hash: z.string() }).nullable(),
  /** Wrong PINs in a row, and until when no other is tried, in milliseconds. */
  wrong: z.int(),
  waitUntil: z.int(),
});
export type KeptAgent = z.infer<typeof agentSchema>;

/** Where the window was last, in device-independent pixels; while maximised, where it would be otherwise. */
const windowPlaceSchema = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int().positive(),
  height: z.int().positive(),
  maximised: z.boolean(),
});
export type WindowPlace = z.infer<typeof windowPlaceSchema>;

const storedSchema = z.object({
  version: z.literal(1),
  /** Who this installation is: names its chain in the log and its service in the keychain. */
  installation: z.uuid(),
  settings: settingsSchema,
  /** Who can be at the desk; an older file names one in its settings alone. */
  agents: z.array(agentSchema).default([]),
  profiles: z.array(profileSchema),
  /** The random path at which each profile's callbacks arrive. */
  callbackPaths: z.record(z.string(), z.string()),
  sandbox: z.object({ merchantKey: z.string() }),
  window: windowPlaceSchema.nullable().default(null),
  templates: z.array(templateSchema).default([]),
});
type Stored = z.infer<typeof storedSchema>;

export const sandboxProfileId = 'sandbox';

/** Settings, profiles and addresses, in one small JSON file that holds no secret but the callback paths. */
export type SettingsStore = {
  read(): Stored;
  /** Writes to disk before it returns; throws when the folder cannot be written. */
  change(change: (stored: Stored) => Stored): Stored;
  profile(id: string): Profile | null;
  /** The callback path of a profile, made on first use: `/` and 128 random bits. */
  callbackPath(profileId: string): string;
  /** Set when the file could not be read and was put aside under this name. */
  putAside: string | null;
};

const fresh = (agent: string): Stored => ({
  version: 1,
  installation: randomUUID(),
  settings: {
    theme: 'system',
    density: 'regular',
    language: 'system',
    confirmPaid: true,
    lookUpMissing: false,
    receiver: { enabled: false, host: '127.0.0.1', port: 0, tls: null, quarantine: 10_000 },
    agent: agent || 'desk',
    activeProfileId: sandboxProfileId,
    retentionDays: 0,
    guide: { shown: 'new', skipped: [], checked: false },
    waitingRail: true,
    singleKeys: true,
    tray: true,
    stayOpen: false,
    columns: null,
    views: [],
    sentences: { en: {}, de: {} },
    notifications: { enabled: true, quiet: null },
  },
  agents: [],
  profiles: [],
  callbackPaths: {},
  sandbox: { merchantKey: `sandbox-${randomBytes(8).toString('hex')}` },
  window: null,
  templates: [],
});

/** An older file lacks what came later: settings it does not know have their first value. */
const completed = (read: unknown, first: Stored): unknown => {
  const settings = { ...first.settings, ...(read as Partial<Stored>).settings };
  return {
    ...(read as object),
    settings: {
      ...settings,
      receiver: { ...first.settings.receiver, ...settings.receiver },
      sentences: { ...first.settings.sentences, ...settings.sentences },
    },
  };
};

/** Replaces the file in one step, so that a crash leaves the old one or the new one. */
const writeWhole = (file: string, text: string): void => {
  const next = `${file}.next`;
  const handle = openSync(next, 'w', 0o600);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(next, file);
};

/**
 * Opens the settings of this installation.
 * `file`: path of the JSON file, made when missing. `agent`: who is at the desk until someone says otherwise.
 * A file that cannot be read is put aside, never deleted. Throws when the folder cannot be written.
 */
export const openSettings = (file: string, agent: string): SettingsStore => {
  mkdirSync(dirname(file), { recursive: true });
  let putAside: string | null = null;
  let stored = fresh(agent);
  if (existsSync(file)) {
    try {
      stored = storedSchema.parse(completed(JSON.parse(readFileSync(file, 'utf8')), stored));
    } catch {
      putAside = `${file}.unreadable-${Date.now()}`;
      renameSync(file, putAside);
    }
  }
  const save = (next: Stored): Stored => {
    writeWhole(file, `${JSON.stringify(next, null, 2)}\n`);
    stored = next;
    return next;
  };
  const listed = stored.agents.some(one => one.name === stored.settings.agent);
  const first = { id: randomUUID(), name: stored.settings.agent, pin: null, wrong: 0, waitUntil: 0 };
  save(listed ? stored : { ...stored, agents: [...stored.agents, first] });
  return {
    read: () => stored,
    change: change => save(storedSchema.parse(change(stored))),
    profile: id => stored.profiles.find(profile => profile.id === id) ?? null,
    callbackPath: profileId => {
      const known = stored.callbackPaths[profileId];
      if (known) return known;
      const path = `/${randomBytes(16).toString('hex')}`;
      save({ ...stored, callbackPaths: { ...stored.callbackPaths, [profileId]: path } });
      return path;
    },
    putAside,
  };
};
