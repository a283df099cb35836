import type { AnswerExcerpt, LookUpKey, StatusAnswer } from '../../shared/payments/evidence.ts';
import type { PaymentOptions } from '../../shared/settings/offered-options.ts';
import type { AppError } from '../../shared/errors.ts';
import type { CheckStep } from '../../shared/contract/index.ts';
import type { Profile } from '../../shared/settings/profile.ts';

export type SessionOrder = {
  number: string;
  /** Wire form. */
  amount: string;
  currency: string;
  description: string;
  methods: readonly string[];
  customer: { name?: string | undefined; email?: string | undefined } | null;
  /** What differs from the profile for this payment. */
  options?: PaymentOptions & { cardToken?: string | undefined };
};

export type PreparedSession = {
  endpoint: string;
  /** The exact JSON bytes to send. */
  body: string;
  /** The same with the hash masked: the form that may be recorded. */
  redacted: string;
  /** Requested minutes; null if `session_expiry` is not sent. */
  expiryMinutes: number | null;
};

/**
 * The result of a session request. `unknown`: it may have arrived; only `not-sent` and `refused` prove that there is
 * no link.
 */
export type SessionOutcome =
  | { kind: 'accepted'; link: string; answer: AnswerExcerpt }
  | { kind: 'refused'; error: AppError; answer: AnswerExcerpt | null }
  | { kind: 'not-sent'; error: AppError }
  | { kind: 'unknown'; error: AppError; answer: AnswerExcerpt | null };

export type StatusOutcome =
  | { kind: 'answered'; answers: readonly StatusAnswer[]; answer: AnswerExcerpt }
  | { kind: 'failed'; error: AppError; answer: AnswerExcerpt | null };

/** A payment of a profile that the gateway knows. */
export type KnownPayment = { key: LookUpKey; orderNumber: string };

/** The result of a connection check. */
export type CheckResult = {
  steps: CheckStep[];
  /** The gateway accepted a signature of this key and password. */
  isProven: boolean;
  /** A form of the status request that works better than the profile's; null if none was found. */
  betterForm: Profile['statusForm'] | null;
  /** The gateway's answer to the look-up of the known payment: evidence. Null without such a look-up. */
  observed: StatusOutcome | null;
};

/** The gateway's client (§4): sends a prepared request once; never throws. */
export type Gateway = {
  /** Builds and signs the request (§2.1) without sending it, so that it can be recorded first. */
  prepareSession(profile: Profile, password: string, order: SessionOrder): PreparedSession;
  /** POST, never retried automatically (§4.1). */
  sendSession(profile: Profile, prepared: PreparedSession, signal?: AbortSignal): Promise<SessionOutcome>;
  /** §4.2, by payment id or (assumption) by order number; retried with backoff. */
  lookUp(profile: Profile, password: string, key: LookUpKey, signal?: AbortSignal): Promise<StatusOutcome>;
  /** The connection check; see connection-check.ts. */
  check(profile: Profile, password: string | null, known: KnownPayment | null): Promise<CheckResult>;
  close(): Promise<void>;
};
