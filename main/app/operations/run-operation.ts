import { setTimeout as wait } from 'node:timers/promises';
import { fail, ok, type AppError, type Result } from '../../../shared/errors.ts';
import { inEnglish } from '../../../shared/messages/catalogues.ts';
import { msg } from '../../../shared/messages/message.ts';
import { isOperationOpen } from '../../../shared/operations/operation-kinds.ts';
import type { Event, EventBody, EventDraft, EventOf } from '../../../shared/payments/evidence.ts';
import { reducePayment } from '../../../shared/payment-reducer/reduce.ts';
import type { Profile } from '../../../shared/settings/profile.ts';
import type { OperationOutcome, OperationRequest } from '../../gateway/operation.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import type { AppDependencies } from '../common/app-context.ts';
import { createEventHeader } from '../payments/event-header.ts';

/** How long a request waits until the team agrees that it is the only one, milliseconds. */
const agreementMs = 1_500;
/** How long the payment is claimed for this installation, milliseconds. */
const claimMs = 60_000;
/** How long to wait before the team is asked again, milliseconds. */
const agreementPauseMs = 50;

/** One decision of a person, checked: what is recorded and sent. */
export type DecidedOperation = {
  profile: Profile;
  password: string;
  orderNumber: string;
  /** The payment that it acts on; of a charge the first payment of the series. */
  paymentId: string;
  request: OperationRequest;
  decision: Omit<EventBody<'operation.requested'>, 'operation' | 'endpoint' | 'request'>;
  /** Whether to send although another operation has no result, or the team's server does not respond. */
  insist: boolean;
};

/** The key under which the log knows that an intent was used. */
export const intentKey = (intent: string): string => `operation:${intent}`;

const outcomeDraft = (outcome: OperationOutcome, intent: string): Pick<EventDraft, 'kind' | 'body'> => {
  switch (outcome.kind) {
    case 'answered':
      return {
        kind: 'operation.answered',
        body: { intent, report: outcome.report, answer: outcome.answer },
      };
    case 'refused':
    case 'not-sent':
      return {
        kind: 'operation.refused',
        body: {
          intent,
          sent: outcome.kind === 'refused',
          code: outcome.error.code,
          message: inEnglish(outcome.error.message),
          answer: outcome.kind === 'refused' ? outcome.answer : null,
        },
      };
    case 'unknown':
      return {
        kind: 'operation.unanswered',
        body: {
          intent,
          code: outcome.error.code,
          message: inEnglish(outcome.error.message),
          answer: outcome.answer,
        },
      };
  }
};

/** The refusal while another operation of the payment has no result. */
export const underWay = (more: { agent: string; installation: string } | null = null) =>
  fail(
    'operation.under-way',
    more === null ? msg('operation.under-way') : msg('operation.under-way.elsewhere', more),
    { hint: msg('operation.under-way.hint') },
  );

/** Whether a requested operation was not sent, and never will be. */
const isGivenUp = (events: readonly Event[], { body: { intent } }: EventOf<'operation.requested'>): boolean =>
  events.some(
    event => event.kind === 'operation.refused' && event.body.intent === intent && !event.body.sent,
  );

/**
 * Records an operation, makes sure that no other installation sends one for the same payment, sends it once and records
 * the answer. A request that was recorded and not answered is never sent again: its result is unknown. Returns the
 * outcome's error, if any; the evidence is stored either way. Errors: every `log.*` and `gateway.*` code,
 * `operation.under-way`, `input.invalid` for an intent that was used.
 */
export const createOperationRunner = (
  parts: Pick<AppDependencies, 'gateway' | 'requester' | 'clock'> & {
    team: Pick<AppDependencies['team'], 'standing' | 'claim' | 'agreed'>;
  },
) => {
  const { gateway, team, requester } = parts;
  const eventHeader = createEventHeader(parts);

  /** Another installation's operation of this payment that may still be carried out; null if there is none. */
  const openElsewhere = (
    events: readonly Event[],
    paymentId: string,
    writer: string,
  ): EventOf<'operation.requested'> | null => {
    const open = new Set(
      reducePayment(events)
        .operations.filter(one => one.paymentId === paymentId && isOperationOpen(one))
        .map(({ intent }) => intent),
    );
    return (
      events.find(
        (event): event is EventOf<'operation.requested'> =>
          event.kind === 'operation.requested' && event.writer !== writer && open.has(event.body.intent),
      ) ?? null
    );
  };

  /** Who requested an operation, and where. */
  const nameOf = ({ agent, writer }: Event): { agent: string; installation: string } => ({
    agent,
    installation: team.standing()?.installations.find(one => one.writer === writer)?.label ?? writer,
  });

  /** What is known of the payment's order here and elsewhere. */
  const allEvidence = async (
    log: PaymentLog,
    { profile, orderNumber }: DecidedOperation,
    agreed: readonly Event[],
  ): Promise<Event[]> => {
    const own = await log.events(profile.id, orderNumber);
    const known = new Set(own.map(({ id }) => id));
    return [...own, ...agreed.filter(({ id }) => !known.has(id))];
  };

  /**
   * The reason not to send what was recorded; null: send it. Of two installations at least one sees the other's request
   * (see `readAgreement`), which is what keeps a second one from being sent. Where both see each other, the one without
   * the claim gives up, and the other one waits for that.
   */
  const objection = async (log: PaymentLog, operation: DecidedOperation): Promise<AppError | null> => {
    const { profile, orderNumber, paymentId, insist, request } = operation;
    if (insist || team.standing() === null) return null;
    const isFirst = await team.claim(`operation:${profile.id}:${paymentId}`, claimMs);
    // Two charges of one series have different orders, so that neither sees the other's request.
    if (request.operation === 'recurring' && !isFirst) return underWay().error;
    const until = performance.now() + agreementMs;
    let rival: EventOf<'operation.requested'> | null = null;
    for (;;) {
      const agreed = await team.agreed(profile.id, orderNumber, agreementMs);
      if (agreed === 'alone') return null;
      if (agreed === 'unknown')
        return fail('operation.under-way', msg('operation.team-away'), {
          hint: msg('operation.team-away.hint'),
        }).error;
      const events = await allEvidence(log, operation, agreed);
      const found = openElsewhere(events, paymentId, log.ownChain.writer);
      // A rival operation that was carried out meanwhile may have changed what this person decided about.
      if (found === null && (rival === null || isGivenUp(events, rival))) return null;
      rival ??= found;
      if (rival && (found === null || !isFirst || performance.now() > until))
        return underWay(nameOf(rival)).error;
      await wait(agreementPauseMs);
    }
  };

  return async (
    log: PaymentLog,
    operation: DecidedOperation,
    signal?: AbortSignal,
  ): Promise<Result<undefined>> => {
    const { profile, password, orderNumber, paymentId, request, decision } = operation;
    const { intent } = decision;
    if (await log.hasEvent(profile.id, orderNumber, intentKey(intent)))
      return fail('input.invalid', msg('operation.intent-used'), { hint: msg('operation.intent-used.hint') });
    const gone = requester.refusalIfGone();
    if (gone) return { ok: false, error: gone };
    const prepared = gateway.prepareOperation(profile, password, request);
    const actsOn = request.operation === 'recurring' ? null : paymentId;
    const append = async (content: Pick<EventDraft, 'kind' | 'body'>, dedupeKey: string | null = null) =>
      log.append([{ ...eventHeader(profile.id, orderNumber, actsOn), dedupeKey, ...content } as EventDraft]);
    const written = await append(
      {
        kind: 'operation.requested',
        body: {
          ...decision,
          operation: request.operation,
          endpoint: prepared.endpoint,
          request: prepared.redacted,
        },
      },
      intentKey(intent),
    );
    if (!written.ok) return written;
    const objected = await objection(log, operation);
    const outcome: OperationOutcome = objected
      ? { kind: 'not-sent', error: objected }
      : await gateway.sendOperation(profile, prepared, request.operation, signal);
    const ended = await append(outcomeDraft(outcome, intent));
    if (!ended.ok) return ended;
    if (outcome.kind !== 'refused' && outcome.kind !== 'not-sent') return ok(undefined);
    const { error } = outcome;
    return { ok: false, error: { ...error, details: { ...error.details, orderNumber, stored: true } } };
  };
};
