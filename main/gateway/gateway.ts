import type { AnswerExcerpt, LookUpKey, StatusAnswer } from '../../shared/payments/evidence.ts';
import type { PaymentOptions } from '../../shared/settings/offered-options.ts';
import type { AppError } from '../../shared/errors.ts';
import type { CheckStep } from '../../shared/contract/contract.ts';
import type { OperationKind } from '../../shared/operations/operation-kinds.ts';
import type { BetterSetting, CheckedField } from '../../shared/settings/connection-check.ts';
import type { Profile } from '../../shared/settings/profile.ts';
import type { OperationOutcome, OperationProbe, OperationRequest, PreparedOperation } from './operation.ts';

export type {
  OperationOutcome,
  OperationProbe,
  OperationReport,
  OperationRequest,
  PreparedOperation,
} from './operation.ts';

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
  /** The gateway accepts this key and password, and would not accept another password. */
  isProven: boolean;
  /** A setting that works in place of the profile's; null if none was found. */
  better: BetterSetting | null;
  /** The fields of the profile that may be wrong, the likeliest first. */
  suspects: readonly CheckedField[];
  /** The gateway's answer to the look-up of the known payment: evidence. Null without such a look-up. */
  observed: StatusOutcome | null;
};

/** A link of a connection check. `impossible`: the profile cannot make one, and nothing was sent. */
export type CheckLink = {
  outcome: SessionOutcome | { kind: 'impossible'; error: AppError };
  orderNumber: string;
  /** Wire form. */
  amount: string;
  currency: string;
  description: string;
};

/**
 * Makes a link of the smallest amount, records it and withdraws it. `better`: what differs from the profile; null =
 * nothing. Never rejects.
 */
export type CheckLinkMaker = (better: BetterSetting | null) => Promise<CheckLink>;

/** The gateway's client (§4): sends a prepared request once; never throws. */
export type Gateway = {
  /** Builds and signs the request (§2.1) without sending it, so that it can be recorded first. */
  prepareSession(profile: Profile, password: string, order: SessionOrder): PreparedSession;
  /** POST, never retried automatically (§4.1). */
  sendSession(profile: Profile, prepared: PreparedSession, signal?: AbortSignal): Promise<SessionOutcome>;
  /** §4.2, by payment id or (assumption) by order number; retried with backoff. */
  lookUp(profile: Profile, password: string, key: LookUpKey, signal?: AbortSignal): Promise<StatusOutcome>;
  /** Builds and signs an operation (assumption) without sending it, so that it can be recorded first. */
  prepareOperation(profile: Profile, password: string, request: OperationRequest): PreparedOperation;
  /** POST, sent once, never retried: a second one may be carried out too. */
  sendOperation(
    profile: Profile,
    prepared: PreparedOperation,
    operation: OperationKind,
    signal?: AbortSignal,
  ): Promise<OperationOutcome>;
  /** A void of a made-up payment, which moves no money; only when a person asks for it. */
  probeOperation(profile: Profile, password: string): Promise<OperationProbe>;
  /** The connection check; see connection/connection-check.ts. */
  check(
    profile: Profile,
    password: string | null,
    known: KnownPayment | null,
    makeLink: CheckLinkMaker | null,
  ): Promise<CheckResult>;
  close(): Promise<void>;
};
