import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { writeFileAtomicSync } from '../../files/replace-file.ts';
import { intakeAlertKinds } from '../config/alerts-config.ts';

/**
 * What has to be sent, on disk before it is sent: an event is in one message, however often it is found, and a message
 * is sent until it is accepted or too old. A file in the state folder, readable by its user only.
 */

export const intakeAlertSchema = z.object({
  id: z.string().max(500),
  kind: z.enum(intakeAlertKinds),
  /** Milliseconds. */
  at: z.int(),
  profileId: z.string().nullable(),
  orderNumber: z.string().nullable(),
  /** Null unless amounts are sent. */
  amount: z.string().nullable(),
  currency: z.string().nullable(),
});
export type IntakeAlert = z.infer<typeof intakeAlertSchema>;

const channels = ['webhook', 'email'] as const;
export type Channel = (typeof channels)[number];

const messageSchema = z.object({
  /** Stays the same in every attempt, so that a receiver can drop repetitions. */
  id: z.uuid(),
  createdAt: z.int(),
  alerts: z.array(intakeAlertSchema),
  /** Further alerts that are only counted. */
  more: z.int(),
  /** The channels that have not accepted the message. */
  channels: z.array(z.enum(channels)),
  /** Recipients for whom the mail server accepted it: the next attempt is for the others. */
  emailed: z.array(z.string()).default([]),
  attempts: z.int(),
  /** Milliseconds. */
  nextAt: z.int(),
});
export type AlertMessage = z.infer<typeof messageSchema>;

const storedSchema = z.object({
  version: z.literal(1),
  /** The last event of each chain that was looked at, by writer. */
  positions: z.record(z.string(), z.int()),
  /** Payments whose callback may be overdue, with when they were looked up, milliseconds. */
  suspects: z.array(z.object({ profileId: z.string(), orderNumber: z.string(), at: z.int() })),
  /** Ids of alerts, the latest last. */
  known: z.array(z.string()),
  /** Alerts of the next message. */
  waiting: z.array(intakeAlertSchema),
  more: z.int(),
  messages: z.array(messageSchema),
});
type Stored = z.infer<typeof storedSchema>;

/** Limits: of remembered ids, of alerts in one message, of messages that wait. */
const maxKnown = 10_000;
export const maxListed = 100;
const maxMessages = 200;
/** Delays between attempts, milliseconds; the last one is repeated. */
const retryMs = [5_000, 30_000, 2 * 60_000, 10 * 60_000, 30 * 60_000];
/** Age at which a message is given up, milliseconds. */
export const maxMessageAgeMs = 24 * 60 * 60_000;

const empty: Stored = {
  version: 1,
  positions: {},
  suspects: [],
  known: [],
  waiting: [],
  more: 0,
  messages: [],
};

export type AlertOutbox = {
  read(): Readonly<Pick<Stored, 'positions' | 'suspects' | 'waiting' | 'messages'>>;
  /**
   * Adds alerts that were never added, together with what was looked at; returns how many were new. `others`: ids of
   * alerts that another intake sends, which are never added either.
   */
  add(
    alerts: readonly IntakeAlert[],
    looked?: Partial<Pick<Stored, 'positions' | 'suspects'>>,
    others?: readonly string[],
  ): number;
  /** Makes a message of the waiting alerts for these channels. */
  seal(wanted: readonly Channel[], now: number): void;
  /** The messages that are due, the oldest first. */
  due(now: number): readonly AlertMessage[];
  /** A channel has accepted a message. */
  accepted(id: string, channel: Channel): void;
  /** The mail server has accepted a message for these recipients, but not for all. */
  emailed(id: string, recipients: readonly string[]): void;
  /** An attempt failed. Returns whether the message was given up. */
  failed(id: string, now: number): boolean;
};

/**
 * Opens the outbox of a state folder. A damaged file begins a new one. `onFailure`: called when it cannot be written;
 * its content stays in memory until the next write, because a full disk is itself an alert.
 */
export const openAlertOutbox = (state: string, onFailure: (thrown: unknown) => void): AlertOutbox => {
  const file = join(state, 'alerts.json');
  const load = (): Stored => {
    if (!existsSync(file)) return empty;
    try {
      return storedSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    } catch {
      return empty;
    }
  };
  let stored = load();
  let hasFailed = false;
  const save = (changes: Partial<Stored>): void => {
    stored = { ...stored, ...changes };
    try {
      writeFileAtomicSync(file, `${JSON.stringify(stored)}\n`);
      hasFailed = false;
    } catch (thrown) {
      if (!hasFailed) onFailure(thrown);
      hasFailed = true;
    }
  };
  return {
    read: () => stored,
    add: (alerts, looked = {}, others = []) => {
      const known = new Set([...stored.known, ...others]);
      const added: IntakeAlert[] = [];
      for (const alert of alerts)
        if (!known.has(alert.id)) {
          known.add(alert.id);
          added.push(alert);
        }
      if (added.length + others.length === 0 && Object.keys(looked).length === 0) return 0;
      const room = maxListed - stored.waiting.length;
      save({
        ...looked,
        known: [...known].slice(-maxKnown),
        waiting: [...stored.waiting, ...added.slice(0, room)],
        more: stored.more + Math.max(0, added.length - room),
      });
      return added.length;
    },
    seal: (wanted, now) => {
      if (stored.waiting.length === 0) return;
      const message: AlertMessage = {
        id: randomUUID(),
        createdAt: now,
        alerts: stored.waiting,
        more: stored.more,
        channels: [...wanted],
        emailed: [],
        attempts: 0,
        nextAt: now,
      };
      save({ waiting: [], more: 0, messages: [...stored.messages, message].slice(-maxMessages) });
    },
    due: now => stored.messages.filter(({ nextAt }) => nextAt <= now),
    accepted: (id, channel) => {
      const messages = stored.messages.map(one =>
        one.id === id ? { ...one, channels: one.channels.filter(other => other !== channel) } : one,
      );
      save({ messages: messages.filter(one => one.channels.length > 0) });
    },
    emailed: (id, recipients) =>
      save({
        messages: stored.messages.map(one =>
          one.id === id ? { ...one, emailed: [...one.emailed, ...recipients] } : one,
        ),
      }),
    failed: (id, now) => {
      const message = stored.messages.find(one => one.id === id);
      if (!message) return false;
      const isGivenUp = now - message.createdAt >= maxMessageAgeMs;
      const delay = retryMs[Math.min(message.attempts, retryMs.length - 1)] ?? 0;
      const next = { ...message, attempts: message.attempts + 1, nextAt: now + delay };
      save({
        messages: stored.messages.flatMap(one => (one.id !== id ? [one] : isGivenUp ? [] : [next])),
      });
      return isGivenUp;
    },
  };
};
