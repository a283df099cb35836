import { randomUUID } from 'node:crypto';
import { fail, ok, type Result } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import type { Event, EventDraft, Verification } from '../../../shared/payments/evidence.ts';
import type { Profile } from '../../../shared/settings/profile.ts';
import type { Appended, PaymentLog } from '../../payment-log/payment-log.ts';
import { callbackDraft, storedBytes } from '../callback-event.ts';
import type { Delivery } from '../receiver.ts';
import { verifyFields, type Candidate } from '../verify-callback.ts';
import type { Quarantine } from './quarantine.ts';

/** How the receiver's deliveries become evidence: the same for the console and the intake. */

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
