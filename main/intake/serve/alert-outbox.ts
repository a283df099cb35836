import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hash, randomUUID } from 'node:crypto';
import * as z from 'zod';
import { createKnownFacts } from '../../alerts/alert-facts.ts';
import { writeFileAtomicSync } from '../../files/replace-file.ts';
import { retryDelay } from '../../pacing/retry.ts';
import { intakeAlertKinds } from '../config/intake-config.ts';

/**
 * What has to be sent, on disk before it is sent: an event is in one message, however often it is found, and a message
 * is sent until it is accepted or too old. A file in the state folder, readable by its user only.
 */

const paymentKeySchema = z.object({ profileId: z.string(), orderNumber: z.string() });

/** Limit of a stored id, characters. */
const maxIdChars = 500;

const intakeAlertSchema = z.object({
  id: z.string().max(maxIdChars),
  kind: z.enum(intakeAlertKinds),
  /** Milliseconds. */
  at: z.int(),
  payment: paymentKeySchema.nullable(),
  /** Null unless amounts are sent. */
  amount: z.string().nullable(),
  currency: z.string().nullable(),
});
export type IntakeAlert = z.infer<typeof intakeAlertSchema>;

const messageSchema = z.object({
  /** Stays the same in every attempt, so that a receiver can drop repetitions. */
  id: z.uuid(),
  createdAt: z.int(),
  alerts: z.array(intakeAlertSchema),
  /** Further alerts that are only counted. */
  more: z.int(),
  attempts: z.int(),
  /** Milliseconds. */
  nextAt: z.int(),
});
export type AlertMessage = z.infer<typeof messageSchema>;

/** A list without the entries that cannot be read: one of them loses no other one. */
const listOf = <T>(schema: z.ZodType<T>) =>
  z
    .array(z.unknown())
    .catch([])
    .transform(all =>
      all.flatMap(one => {
        const read = schema.safeParse(one);
        return read.success ? [read.data] : [];
      }),
    );

const storedSchema = z.object({
  version: z.literal(1),
  /** The last event of each chain that was looked at, by writer. */
  positions: z.record(z.string(), z.int()).catch({}),
  /** Payments whose callback may be overdue, with when they were looked up, milliseconds. */
  suspects: listOf(paymentKeySchema.extend({ at: z.int() })),
  /** Ids of alerts, the latest last. */
  known: listOf(z.string()),
  /** Alerts of the next message. */
  waiting: listOf(intakeAlertSchema),
  more: z.int().catch(0),
  messages: listOf(messageSchema),
});
type Stored = z.infer<typeof storedSchema>;

/** Limits: of remembered ids, of alerts in one message, of messages that wait. */
const maxKnown = 10_000;
export const maxListed = 100;
const maxMessages = 200;
/** Delays between attempts, milliseconds. */
export const alertRetryMs = [5_000, 30_000, 2 * 60_000, 10 * 60_000, 30 * 60_000] as const;
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

export type AlertOutbox = ReturnType<typeof openAlertOutbox>;

/**
 * Opens the outbox of a state folder. A damaged file begins a new one. `onFailure`: called when it cannot be written;
 * its content stays in memory until the next write, because a full disk is itself an alert.
 */
export const openAlertOutbox = (
  state: string,
  onFailure: (thrown: unknown) => void,
  retryMs: readonly number[] = alertRetryMs,
) => {
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
  const known = createKnownFacts(maxKnown, stored.known);
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
  /** An id holds an order number, which is as long as a gateway makes it. */
  const short = (alert: IntakeAlert): IntakeAlert =>
    alert.id.length <= maxIdChars ? alert : { ...alert, id: `${alert.kind} ${hash('sha256', alert.id)}` };
  return {
    read: (): Readonly<Pick<Stored, 'positions' | 'suspects' | 'waiting' | 'messages'>> => stored,
    /**
     * Adds alerts that were never added, together with what was looked at; returns how many were new. `others`: alerts
     * that another intake sends, which are never added either.
     */
    add: (
      alerts: readonly IntakeAlert[],
      looked: Partial<Pick<Stored, 'positions' | 'suspects'>> = {},
      others: readonly IntakeAlert[] = [],
    ): number => {
      known.add(others.map(short));
      const added = known.add(alerts.map(short));
      if (added.length + others.length === 0 && Object.keys(looked).length === 0) return 0;
      const room = maxListed - stored.waiting.length;
      save({
        ...looked,
        known: known.ids(),
        waiting: [...stored.waiting, ...added.slice(0, room)],
        more: stored.more + Math.max(0, added.length - room),
      });
      return added.length;
    },
    /** Makes a message of the waiting alerts. */
    seal: (now: number): void => {
      if (stored.waiting.length === 0) return;
      const { waiting: alerts, more } = stored;
      const message = { id: randomUUID(), createdAt: now, alerts, more, attempts: 0, nextAt: now };
      save({ waiting: [], more: 0, messages: [...stored.messages, message].slice(-maxMessages) });
    },
    /** The messages that are due, the oldest first. */
    due: (now: number): readonly AlertMessage[] => stored.messages.filter(({ nextAt }) => nextAt <= now),
    accepted: (id: string): void => save({ messages: stored.messages.filter(one => one.id !== id) }),
    /** An attempt failed. Returns whether the message was given up. */
    failed: (id: string, now: number): boolean => {
      const message = stored.messages.find(one => one.id === id);
      if (!message) return false;
      const isGivenUp = now - message.createdAt >= maxMessageAgeMs;
      const attempts = message.attempts + 1;
      const next = { ...message, attempts, nextAt: now + retryDelay(retryMs, attempts) };
      save({
        messages: stored.messages.flatMap(one => (one.id !== id ? [one] : isGivenUp ? [] : [next])),
      });
      return isGivenUp;
    },
  };
};
