import { randomUUID } from 'node:crypto';
import { fail, ok, type Result } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import type { Event, EventDraft, Verification } from '../../../shared/payments/evidence.ts';
import type { Profile } from '../../../shared/settings/profile.ts';
import type { Appended, PaymentLog } from '../../payment-log/payment-log.ts';
import { callbackDraft, storedBytes, verifyFields, type Candidate } from '../verify-callback.ts';
import type { Delivery } from '../receiver.ts';
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { writeFileAtomicSync } from '../../files/replace-file.ts';
import type { ReceiverHealth } from '../../../shared/contract/contract.ts';

/** How the receiver's deliveries become evidence: the same for the console and the intake. */

/** Limit of the quarantine's callbacks in the payment log, bytes (see `storedBytes`). */
const maxBytes = 64 * 1024 * 1024;
/** Delay between two writes of the count: a crash loses at most the callbacks of this time. */
const writeDelayMs = 1_000;

/** Limit of remembered resets. */
const maxRemembered = 100;

const stateSchema = z.object({
  /** Start of the current count, and the agent who reset it; null = from the beginning. */
  since: z.int(),
  by: z.string().nullable(),
  callbacks: z.int(),
  bytes: z.int(),
  /** Each reset, with the callbacks counted until then; the latest last. */
  made: z.array(z.object({ at: z.int(), by: z.string(), callbacks: z.int(), bytes: z.int() })).default([]),
});
type State = z.infer<typeof stateSchema>;

/**
 * Counts the unverified callbacks that were admitted. They are evidence and stay in the log. The count limits them,
 * because sending one requires no password and could fill the disk.
 */
export type Quarantine = ReturnType<typeof openQuarantine>;

/**
 * Opens the count stored in `file` (created if missing; an unreadable one counts from zero). `maxCallbacks`: limit of
 * callbacks, read each time. `changed` is called when it refuses the first one.
 */
export const openQuarantine = (
  file: string,
  maxCallbacks: () => number,
  clock: () => number,
  changed: () => void,
) => {
  let state: State = { since: clock(), by: null, callbacks: 0, bytes: 0, made: [] };
  try {
    state = stateSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // An unreadable count starts from zero; nothing else depends on it.
  }
  let refused = 0;
  let timer: NodeJS.Timeout | null = null;
  const write = (): void => {
    if (timer) clearTimeout(timer);
    timer = null;
    try {
      writeFileAtomicSync(file, JSON.stringify(state));
    } catch {
      // The payment log reports a full disk.
    }
  };
  const later = (): void => {
    timer ??= setTimeout(write, writeDelayMs).unref();
  };
  const full = (): boolean => state.callbacks >= maxCallbacks() || state.bytes >= maxBytes;

  const countRejected = (): void => {
    refused += 1;
    if (refused === 1) changed();
  };

  return {
    /** Counts one that was refused elsewhere: its order has too many already. */
    countRejected,
    /** Whether there is room for one more callback of this many bytes; counts it if so. */
    admits: (bytes: number): boolean => {
      if (full()) {
        countRejected();
        return false;
      }
      state = { ...state, callbacks: state.callbacks + 1, bytes: state.bytes + bytes };
      later();
      return true;
    },
    /** Removes counted ones that could not be written, or were verified since. */
    release: (callbacks: number, bytes: number): void => {
      state = {
        ...state,
        callbacks: Math.max(0, state.callbacks - callbacks),
        bytes: Math.max(0, state.bytes - bytes),
      };
      later();
    },
    /** Resets the count, and records who did it and when; all stored callbacks stay in the log. */
    resetQuarantine: (agent: string): void => {
      const { callbacks, bytes, made } = state;
      const at = clock();
      state = {
        since: at,
        by: agent,
        callbacks: 0,
        bytes: 0,
        made: [...made, { at, by: agent, callbacks, bytes }].slice(-maxRemembered),
      };
      refused = 0;
      write();
    },
    state: (): ReceiverHealth['quarantine'] => ({
      callbacks: state.callbacks,
      maxCallbacks: maxCallbacks(),
      bytes: state.bytes,
      maxBytes,
      full: full(),
      refused,
      since: state.since,
      by: state.by,
    }),
    close: (): void => {
      if (timer) write();
    },
  };
};

/** Batch size of one append, callbacks. */
export const batchSize = 500;

/** Minimum of recent callbacks that are verified again: the whole quarantine, as far as memory allows. */
const minReverified = 10_000;
const maxReverified = 100_000;

/**
 * Stores one delivery; resolves only when it is on disk (§4.3). Errors: `receiver.quarantine-full`, and those of the
 * append.
 */
export const storeDelivery = async (
  delivery: Delivery,
  verified: { verification: Verification; refundAmount: Profile['refundAmountInCallback'] | undefined },
  { log, quarantine }: { log: Pick<PaymentLog, 'append'>; quarantine: Quarantine },
): Promise<Result<Appended>> => {
  const isVerified = verified.verification.verdict === 'verified';
  const size = isVerified ? 0 : storedBytes(delivery.fields);
  if (!isVerified && !quarantine.admits(size))
    return fail('receiver.quarantine-full', msg('error.receiver.quarantine-full'), {
      hint: msg('hint.receiver.quarantine-full'),
    });
  const draft = callbackDraft({ ...delivery, ...verified, via: 'receiver', agent: 'console' });
  const written = await log.append([draft]);
  // A callback that the log holds often enough is answered without another event.
  const isStored = written.ok && written.value.events.length > 0;
  if (!isStored && !isVerified) quarantine.release(1, size);
  if (!written.ok && written.error.code === 'receiver.quarantine-full') quarantine.countRejected();
  return written;
};

const isVerified = (event: Event): boolean =>
  event.kind === 'callback.received' && event.body.verification.verdict === 'verified';

/**
 * Verifies the unverified callbacks of a profile again after its password was corrected: a new event each, the old
 * one stays. A verification counts only in the chain that holds the callback: one that another installation stored is
 * stored here once more, as this one verified it. `now` in milliseconds. `given`: the callbacks; the recent ones if left out.
 * Errors: those of the append; what was written before stays, and another run continues there.
 */
export const reverifyCallbacks = async (
  candidate: Candidate,
  { log, quarantine }: { log: PaymentLog; quarantine: Quarantine },
  now: number,
  given?: readonly Event[],
): Promise<Result<undefined>> => {
  const { profileId } = candidate;
  /** `counted`: bytes in the quarantine, which counts what was received here. */
  const found: { draft: EventDraft; counted: number | null }[] = [];
  const { callbacks, since } = quarantine.state();
  const most = Math.min(maxReverified, Math.max(minReverified, callbacks));
  for (const event of given ?? (await log.recentCallbacks(most))) {
    if (event.kind !== 'callback.received' || event.profileId !== profileId) continue;
    if (event.body.verification.verdict === 'verified') continue;
    const verification = verifyFields(event.body.fields, candidate);
    const dedupeKey = `reverified:${event.id}:verified`;
    if (verification.verdict !== 'verified') continue;
    const isOwn = event.writer === log.ownChain.writer;
    if (!isOwn) {
      const { orderNumber, dedupeKey: key, paymentId, body } = event;
      const known = orderNumber === null ? [] : await log.events(profileId, orderNumber);
      if (known.some(one => one.dedupeKey === key && isVerified(one))) continue;
      found.push({
        draft: {
          id: randomUUID(),
          profileId,
          orderNumber,
          paymentId,
          happenedAt: now,
          agent: 'console',
          dedupeKey: key,
          kind: 'callback.received',
          body: { ...body, verification },
        },
        counted: null,
      });
      continue;
    }
    if (await log.hasEvent(profileId, event.orderNumber, dedupeKey)) continue;
    const isCounted = event.body.via === 'receiver' && event.recordedAt >= since;
    found.push({
      draft: {
        id: randomUUID(),
        profileId,
        orderNumber: event.orderNumber,
        paymentId: event.paymentId,
        happenedAt: now,
        agent: 'console',
        dedupeKey,
        kind: 'callback.reverified',
        body: { callback: event.id, verification },
      },
      counted: isCounted ? storedBytes(event.body.fields) : null,
    });
  }
  for (let from = 0; from < found.length; from += batchSize) {
    const batch = found.slice(from, from + batchSize);
    const written = await log.append(batch.map(({ draft }) => draft));
    if (!written.ok) return written;
    const counted = batch.flatMap(one => one.counted ?? []);
    quarantine.release(
      counted.length,
      counted.reduce((sum, bytes) => sum + bytes, 0),
    );
  }
  return ok(undefined);
};
