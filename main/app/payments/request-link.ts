import { ok, type AppError, type Result } from '../../../shared/errors.ts';
import { inEnglish } from '../../../shared/messages/catalogues.ts';
import type { EventDraft, EventKind, EventOf } from '../../../shared/payments/evidence.ts';
import type { PaymentOptions } from '../../../shared/settings/offered-options.ts';
import type { Profile } from '../../../shared/settings/profile.ts';
import type { SessionOrder, SessionOutcome } from '../../gateway/gateway.ts';
import type { AppDependencies } from '../common/app-context.ts';
import { createEventHeader } from './event-header.ts';

/** Lifetime of a link unless the request set another, milliseconds: one hour (§3.3). */
const linkLifeMs = 60 * 60 * 1000;

/** The options as evidence: without the card token, which is a secret, and nothing if nothing differed. */
const recordedOptions = ({
  cardToken: _cardToken,
  ...options
}: NonNullable<SessionOrder['options']>): { options?: PaymentOptions } =>
  Object.keys(options).length > 0 ? { options } : {};

/** Kind and body of a draft, as a matching pair. */
type EventDraftBody = { [K in EventKind]: { kind: K; body: EventOf<K>['body'] } }[EventKind];

const outcomeDraft = (
  outcome: SessionOutcome,
  idempotencyKey: string,
  expiryMinutes: number | null,
  sentAt: number,
): Pick<EventDraft, 'kind' | 'body'> & EventDraftBody => {
  switch (outcome.kind) {
    case 'accepted':
      return {
        kind: 'session.accepted',
        body: {
          idempotencyKey,
          link: outcome.link,
          // The gateway starts the lifetime when it issues the link; counting from the request never overstates it.
          issuedAt: sentAt,
          expiresAt: sentAt + (expiryMinutes === null ? linkLifeMs : expiryMinutes * 60_000),
          answer: outcome.answer,
        },
      };
    case 'refused':
    case 'not-sent':
      return {
        kind: 'session.refused',
        body: {
          idempotencyKey,
          sent: outcome.kind === 'refused',
          code: outcome.error.code,
          message: inEnglish(outcome.error.message),
          fields: (outcome.error.fields ?? []).map(({ path, message }) => ({
            path,
            message: inEnglish(message),
          })),
          answer: outcome.kind === 'refused' ? outcome.answer : null,
        },
      };
    case 'unknown':
      return {
        kind: 'session.unanswered',
        body: {
          idempotencyKey,
          code: outcome.error.code,
          message: inEnglish(outcome.error.message),
          answer: outcome.answer,
        },
      };
  }
};

/** A request for a link. */
type LinkRequest = {
  profile: Profile;
  password: string;
  order: SessionOrder;
  idempotencyKey: string;
  /** Absent: the link is for a customer. */
  purpose?: 'connection-check';
  /** Runs the write of the request, or refuses it: then nothing was recorded. */
  record?: <T>(write: () => Promise<Result<T>>) => Promise<Result<T>>;
  /** Runs once the request is durable; an error ends it without sending. */
  beforeSending?: () => Promise<AppError | null>;
};

/**
 * Requests a link (§4.1): records the request, sends it once, records the outcome, which it returns. An error means
 * that the payment log could not be written, that `record` or `beforeSending` refused, or that the requester has left:
 * then nothing was sent.
 */
export const createLinkRequester = (
  parts: AppDependencies,
): ((request: LinkRequest, signal?: AbortSignal) => Promise<Result<SessionOutcome>>) => {
  const eventHeader = createEventHeader(parts);
  return async ({ profile, password, order, idempotencyKey, purpose, record, beforeSending }, signal) => {
    if (!parts.log.ok) return parts.log;
    const log = parts.log.value;
    const { number, amount, currency, description, methods, customer, options = {} } = order;
    const prepared = parts.gateway.prepareSession(profile, password, order);
    const request: EventDraft = {
      ...eventHeader(profile.id, number, null),
      kind: 'session.requested',
      body: {
        idempotencyKey,
        amount,
        currency,
        description,
        methods: [...methods],
        customer,
        endpoint: prepared.endpoint,
        request: prepared.redacted,
        expiryMinutes: prepared.expiryMinutes,
        ...recordedOptions(options),
        ...(purpose === undefined ? {} : { purpose }),
      },
    };
    const write = async () => {
      const error = parts.requester.refusalIfGone();
      return error ? { ok: false as const, error } : log.append([request]);
    };
    const written = await (record ? record(write) : write());
    if (!written.ok) return written;
    const refused = (await beforeSending?.()) ?? null;
    if (refused) {
      const closed = await log.append([
        {
          ...eventHeader(profile.id, number, null),
          kind: 'session.refused',
          body: {
            idempotencyKey,
            sent: false,
            code: refused.code,
            message: inEnglish(refused.message),
            fields: [],
            answer: null,
          },
        },
      ]);
      return closed.ok ? { ok: false, error: refused } : closed;
    }
    const sentAt = parts.clock();
    const outcome = await parts.gateway.sendSession(profile, prepared, signal);
    const outcomeWritten = await log.append([
      {
        ...eventHeader(profile.id, number, null),
        ...outcomeDraft(outcome, idempotencyKey, prepared.expiryMinutes, sentAt),
      },
    ]);
    return outcomeWritten.ok ? ok(outcome) : outcomeWritten;
  };
};
