import type * as z from 'zod';
import type { SandboxFault } from '../../shared/contract/contract.ts';
import { documentedTypes } from '../../shared/callbacks/callback-meaning.ts';
import { kindsWithCallback, type OperationKind } from '../../shared/operations/operation-kinds.ts';
import type { choicesSchema } from './choices.ts';

/** The event types of §6.1, in its order, and those of further operations (assumption). */
export const eventTypes = [...new Set([...documentedTypes, ...kindsWithCallback])];
export type EventType = (typeof eventTypes)[number];

/** The merchant's settings in the dashboard; `events`: the types that are sent as callbacks (§6). */
export type SandboxChoices = z.infer<typeof choicesSchema> & { events: readonly EventType[] };

/** An operation that the gateway accepted; `amount` in wire form, null for a void or a retry, `at` in milliseconds. */
export type SandboxOperation = {
  operation: OperationKind;
  paymentId: string;
  amount: string | null;
  at: number;
};

/** One attempt to deliver a callback (§6.2), with its result. */
export type SandboxDelivery = {
  orderNumber: string;
  type: string;
  status: string;
  /** 1 for the first attempt, up to 4; a resend and a duplicate count from 1 again. */
  attempt: number;
  /** Null if there was no response. */
  httpStatus: number | null;
  outcome: 'confirmed' | 'will-retry' | 'given-up';
};

export type SandboxOptions = {
  /** 0 = any free port; always on 127.0.0.1. */
  port: number;
  merchantKey: string;
  merchantPassword: string;
  /** The delivery address of callbacks; null = not set yet. */
  callbackUrl: string | null;
  faults?: readonly SandboxFault[];
  /** Delays between delivery attempts, milliseconds (§6.2: up to three more, growing). */
  retryIntervals?: readonly number[];
  /** The inner digest of every signature: `md5` by the interface (§5.3), `sha256` on some accounts (assumption). */
  digest?: 'md5' | 'sha256';
  /**
   * The response to a status request for a payment that does not exist, with a valid signature: as if the signature
   * were wrong (assumption), or in words. The interface does not specify it.
   */
  unknownPayment?: 'refused' | 'named';
  /** The upper-casing of callbacks before hashing; requests are accepted with either. */
  uppercasing?: 'unicode' | 'ascii';
  /** Milliseconds since 1970; tests use it to age links. */
  clock?: () => number;
  /** Delay of a response with the fault `delay`. */
  faultDelayMs?: number;
  /** Delay of an operation's callback after its request, and of the next one after a callback `waiting`. */
  operationDelayMs?: number;
  /** Delay of a callback with the fault `callback-late`. */
  callbackLateMs?: number;
  /** Timeout of a receiver's response to a callback. */
  deliveryTimeoutMs?: number;
  /**
   * The dashboard's initial choices: all events, a page with the link back, unsigned, the order's amount, operations
   * succeed.
   */
  choices?: Partial<SandboxChoices>;
  /** Limit of payments in memory; the oldest are evicted first. */
  capacity?: number;
  /** Called after every delivery attempt. */
  onDelivery?: (delivery: SandboxDelivery) => void;
  /** Called after every request: never with a link, a key or a hash. */
  onRequest?: (line: string) => void;
};

/** The embedded test gateway: §2 to §8 from the gateway's side. It never accepts a card number. */
export type Sandbox = {
  /** `http://127.0.0.1:PORT` */
  baseUrl: string;
  port: number;
  /** The merchant dashboard's page: payments, refunds, resends. Its random path is its only protection. */
  dashboardUrl: string;
  setCallbackUrl(url: string | null): void;
  setFaults(faults: readonly SandboxFault[]): void;
  /** Changes some of the dashboard's choices. */
  setChoices(changes: Partial<SandboxChoices>): void;
  /** The accepted requests for operations, oldest first: a request that was sent twice is there twice. */
  operations(): readonly SandboxOperation[];
  faults(): readonly SandboxFault[];
  /** Sends every callback of an order again (§6.2.3); resolves to the number sent. */
  resend(orderNumber: string): Promise<number>;
  /** Pays a test order and sends its `sale` callback once; resolves to the response. */
  testCallback(): Promise<{ orderNumber: string; httpStatus: number | null }>;
  close(): Promise<void>;
};

export type StartSandbox = (options: SandboxOptions) => Promise<Sandbox>;
