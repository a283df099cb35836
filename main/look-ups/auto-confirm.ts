import type { Result } from '../../shared/errors.ts';
import type { Event, EventBody, EventOf, LookUpKey } from '../../shared/payments/evidence.ts';
import { readGatewayTime } from '../../shared/gateway-time.ts';
import { reportFailure } from '../app-log/failure-report.ts';
import { createLimiter } from '../pacing/limiter.ts';
import { failureLimits, failureScope, requestPacing } from '../pacing/request-pacing.ts';

/** Delay before each look-up of one payment. After the last one there are no automatic look-ups. */
const delaysMs = [1_500, 10_000, 60_000, 300_000, 1_800_000];
/** Further delay for a payment that was raised at another installation, which comes first. */
const elsewhereDelayMs = 5_000;
/** How long one installation does the look-ups of a payment for all: longer than all delays. */
const claimMs = 2 * 60 * 60_000;
/** Limit of payments waiting for a look-up. The rest stays in the reconciliation queue. */
const maxWaiting = 2_000;
/** Pause after the gateway refused or could not be reached. */
const cooldownMs = 180_000;
/** Age up to which a callback that was pasted or read from a file is confirmed. */
const maxStoredAgeMs = 24 * 60 * 60 * 1000;
/** Difference between two clocks that does not make a callback one of the future. */
const clockToleranceMs = 5 * 60_000;

/** Statuses that name an outcome (§3.1; `void` by assumption): further look-ups add nothing. */
const outcomes = ['settled', 'decline', 'refund', 'reversal', 'chargeback', 'void'];

/** Looks up a payment and stores the answer. */
export type ConfirmingLookUp = (
  profileId: string,
  key: LookUpKey,
  requestedBy: 'console',
) => Promise<Result<EventOf<'status.observed'>>>;

export type ConfirmationOptions = {
  /** The setting; read before every look-up. */
  isWanted: () => boolean;
  /** Whether this installation can ask the gateway for a profile. */
  canAsk?: (profileId: string) => Promise<boolean>;
  /** Claims a task for all, for some milliseconds; see team.ts. */
  claim?: (task: string, milliseconds: number) => Promise<boolean>;
  /** IANA zone of a profile's gateway times. */
  zoneOf: (profileId: string) => string;
  clock: () => number;
};

/** `from`: where the payment was raised. */
type Raised = 'here' | 'elsewhere';
type DueLookUp = { profileId: string; paymentId: string; attempt: number; from: Raised };

const valueOf = ({ fields }: EventBody<'callback.received'>, name: string): string =>
  fields.find(([field]) => field === name)?.[1] ?? '';

/**
 * Looks up a payment after a verified sale + success, so that "paid" has two sources. Received callbacks count, and
 * pasted ones of the last day; older ones wait in the reconciliation queue for a user. Same rate limits as a bulk
 * look-up: few at once, delays between them, a cooldown after a refusal.
 */
export const createAutoConfirm = (
  lookUp: ConfirmingLookUp,
  { isWanted, canAsk = async () => true, claim = async () => true, zoneOf, clock }: ConfirmationOptions,
) => {
  const waiting = new Map<string, NodeJS.Timeout | null>();
  const limiter = createLimiter(requestPacing.concurrency);
  const pauses = new Map<NodeJS.Timeout, () => void>();
  let requests = 0;
  let failed = 0;
  let coolUntil = 0;
  let isStopped = false;

  const pause = (milliseconds: number): Promise<void> =>
    new Promise(resolve => {
      const timer = setTimeout(() => {
        pauses.delete(timer);
        resolve();
      }, milliseconds);
      timer.unref();
      pauses.set(timer, resolve);
    });

  const confirm = async ({ profileId, paymentId, attempt, from }: DueLookUp): Promise<void> => {
    waiting.delete(`${profileId} ${paymentId}`);
    if (!isWanted() || (from === 'elsewhere' && !(await canAsk(profileId)))) return;
    if (!(await claim(`confirm:${profileId}:${paymentId}`, claimMs))) return;
    const observed = await lookUp(profileId, { by: 'payment-id', value: paymentId }, 'console');
    if (observed.ok) failed = 0;
    else {
      const scope = failureScope(observed.error);
      if (scope !== 'payment') failed += 1;
      if (failed >= failureLimits[scope]) {
        failed = 0;
        coolUntil = clock() + cooldownMs;
      }
    }
    const isDecided =
      observed.ok && observed.value.body.answers.some(({ status }) => outcomes.includes(status));
    if (!isDecided) schedule(profileId, paymentId, attempt + 1, from);
  };

  const confirmPaced = async (due: DueLookUp): Promise<void> => {
    for (;;) {
      if (isStopped) return;
      const left = coolUntil - clock();
      if (left <= 0) break;
      await pause(left);
    }
    requests += 1;
    const isCooldownDue = requests % requestPacing.cooldownEvery === 0;
    // The window reports a failing log; the reconciliation queue contains unconfirmed payments.
    await confirm(due).catch((thrown: unknown) =>
      reportFailure('background', 'A payment could not be confirmed by a look-up.', thrown),
    );
    await pause(isCooldownDue ? requestPacing.cooldownMs : requestPacing.delayMs);
  };

  const schedule = (profileId: string, paymentId: string, attempt: number, from: Raised): void => {
    const delayMs = delaysMs[attempt];
    const key = `${profileId} ${paymentId}`;
    if (isStopped || delayMs === undefined || waiting.has(key) || waiting.size >= maxWaiting) return;
    const timer = setTimeout(
      () => {
        waiting.set(key, null);
        void limiter.run(() => confirmPaced({ profileId, paymentId, attempt, from }));
      },
      delayMs + (from === 'elsewhere' && attempt === 0 ? elsewhereDelayMs : 0),
    );
    timer.unref();
    waiting.set(key, timer);
  };

  /** Whether a callback is recent enough to be confirmed automatically. */
  const isRecent = ({ profileId }: Event, body: EventBody<'callback.received'>): boolean => {
    if (body.via === 'receiver') return true;
    const at = readGatewayTime(valueOf(body, 'date'), zoneOf(profileId));
    if (at === null) return false;
    const age = clock() - at;
    return age <= maxStoredAgeMs && age >= -clockToleranceMs;
  };

  return {
    /** Call it with every written event. */
    handleEvents(events: readonly Event[], from: Raised = 'here'): void {
      if (!isWanted()) return;
      for (const event of events) {
        if (event.kind !== 'callback.received' || event.paymentId === null) continue;
        const { body } = event;
        if (body.verification.verdict !== 'verified') continue;
        if (valueOf(body, 'type') !== 'sale' || valueOf(body, 'status') !== 'success') continue;
        if (isRecent(event, body)) schedule(event.profileId, event.paymentId, 0, from);
      }
    },
    /** Starts no further look-ups. */
    stop(): void {
      isStopped = true;
      for (const timer of waiting.values()) if (timer) clearTimeout(timer);
      for (const [timer, resolve] of pauses) {
        clearTimeout(timer);
        resolve();
      }
      waiting.clear();
      pauses.clear();
    },
  };
};
