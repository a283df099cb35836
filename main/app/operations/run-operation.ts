import { fail, ok, type AppError, type Result } from '../../../shared/errors.ts';
import { inEnglish } from '../../../shared/messages/catalogues.ts';
import { msg } from '../../../shared/messages/message.ts';
import type { EventBody, EventDraft } from '../../../shared/payments/evidence.ts';
import type { Profile } from '../../../shared/settings/profile.ts';
import type { OperationOutcome, OperationRequest } from '../../gateway/operation.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import type { Claim } from '../../payment-log/postgres/shared-operations.ts';
import type { AppDependencies } from '../common/app-context.ts';
import { createEventHeader } from '../payments/event-header.ts';

/** One decision of a person, checked: what is claimed, recorded and sent. */
export type DecidedOperation = {
  profile: Profile;
  password: string;
  orderNumber: string;
  /** The payment that it acts on; of a charge the first payment of the series. */
  paymentId: string;
  request: OperationRequest;
  decision: Omit<EventBody<'operation.requested'>, 'operation' | 'endpoint' | 'request'>;
  claim: Omit<Claim, 'id'>;
  /** Whether it is still within the limits, now that the team knows of it. */
  withinLimits: () => Promise<Result<unknown>>;
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

/** The refusal while the team's server cannot decide. */
export const teamAway = (error: AppError) =>
  fail('operation.team-away', msg('operation.team-away'), {
    hint: msg('operation.team-away.hint'),
    details: error.details,
  });

/**
 * Makes sure that no other installation sends an operation for the same payment, records it, sends it once and records
 * the answer. A request that was recorded and not answered is never sent again: its result is unknown. Returns the
 * outcome's error, if any; the evidence is stored either way. Errors: every `log.*` and `gateway.*` code,
 * `operation.under-way`, `operation.team-away`, `agent.not-allowed` once the requester is gone, and those of `withinLimits`.
 */
export const createOperationRunner = (
  parts: Pick<AppDependencies, 'gateway' | 'requester' | 'clock'> & {
    team: Pick<AppDependencies['team'], 'begin' | 'end'>;
  },
) => {
  const { gateway, team, requester } = parts;
  const eventHeader = createEventHeader(parts);

  /** Records the operation and sends it; `sent`: whether it may have left this computer. */
  const carryOut = async (
    log: PaymentLog,
    operation: DecidedOperation,
    signal: AbortSignal | undefined,
  ): Promise<{ result: Result<undefined>; sent: boolean }> => {
    const { profile, password, orderNumber, paymentId, request, decision } = operation;
    const { intent } = decision;
    const prepared = gateway.prepareOperation(profile, password, request);
    const actsOn = request.operation === 'recurring' ? null : paymentId;
    const append = async (content: Pick<EventDraft, 'kind' | 'body'>, dedupeKey: string | null = null) =>
      log.append([{ ...eventHeader(profile.id, orderNumber, actsOn), dedupeKey, ...content } as EventDraft]);
    const gone = requester.refusalIfGone();
    if (gone) return { result: { ok: false, error: gone }, sent: false };
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
    if (!written.ok) return { result: written, sent: false };
    const outcome = await gateway.sendOperation(profile, prepared, request.operation, signal);
    const sent = outcome.kind !== 'refused' && outcome.kind !== 'not-sent';
    const ended = await append(outcomeDraft(outcome, intent));
    if (!ended.ok || sent) return { result: ended.ok ? ok(undefined) : ended, sent };
    const { error } = outcome;
    const details = { ...error.details, orderNumber, stored: true };
    return { result: { ok: false, error: { ...error, details } }, sent };
  };

  return async (
    log: PaymentLog,
    operation: DecidedOperation,
    signal?: AbortSignal,
  ): Promise<Result<undefined>> => {
    const { intent } = operation.decision;
    const begun = await team.begin({ ...operation.claim, id: intent });
    if (!begun.ok) return teamAway(begun.error);
    if (begun.value !== null) {
      const { agent, installation } = begun.value;
      return underWay({ agent, installation });
    }
    let isSent = false;
    try {
      const within = await operation.withinLimits();
      if (!within.ok) return within;
      // Until the answer is recorded it may have been sent.
      isSent = true;
      const { result, sent } = await carryOut(log, operation, signal);
      isSent = sent;
      return result;
    } finally {
      void team.end(intent, isSent);
    }
  };
};
