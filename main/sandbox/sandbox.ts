import type { SandboxFault } from '../../shared/contract/index.ts';

/** The event types of §6.1, in its order. */
export const eventTypes = ['sale', '3ds', 'redirect', 'refund', 'void', 'recurring', 'chargeback'] as const;
export type EventType = (typeof eventTypes)[number];

/** What `order_amount` of a refund callback is: the order's amount, or the refunded one. The interface does not show it. */
export const refundAmounts = ['order', 'refunded'] as const;
export type RefundAmount = (typeof refundAmounts)[number];

/** What the merchant sets in the dashboard. */
export type SandboxChoices = {
  /** Event types that are sent as callbacks (§6). */
  events: readonly EventType[];
  /** Sends the payer's browser to success_url or cancel_url (§1) instead of showing a page with the link back. */
  redirectBack: boolean;
  /** Puts payment_id, trans_id, order_id and a hash on the return URL (assumption). */
  signReturnUrl: boolean;
  refundAmount: RefundAmount;
};

/** One try at delivering a callback (§6.2), as it ended. */
export type SandboxDelivery = {
  orderNumber: string;
  type: string;
  status: string;
  /** 1 for the first try, up to 4; a resend and a duplicate count from 1 again. */
  attempt: number;
  /** Null when nobody answered. */
  httpStatus: number | null;
  outcome: 'confirmed' | 'will-retry' | 'given-up';
};

export type SandboxOptions = {
  /** 0 = any free port; always on 127.0.0.1. */
  port: number;
  merchantKey: string;
  merchantPassword: string;
  /** Where callbacks are delivered; null = nowhere until set. */
  callbackUrl: string | null;
  faults?: readonly SandboxFault[];
  /** Milliseconds between delivery attempts (§6.2: up to three more, growing). */
  retryIntervals?: readonly number[];
  /** The inner digest of every signature: `md5` by the interface (§5.3), `sha256` seen on some accounts (assumption). */
  digest?: 'md5' | 'sha256';
  /** How callbacks are upper-cased before hashing; requests are accepted either way. */
  uppercasing?: 'unicode' | 'ascii';
  /** Milliseconds since 1970; lets a test grow links old. */
  clock?: () => number;
  /** Milliseconds that the fault `delay` keeps an answer back. */
  faultDelayMs?: number;
  /** Milliseconds that the fault `callback-late` keeps a callback back. */
  callbackLateMs?: number;
  /** Milliseconds a receiver may take to answer a callback. */
  deliveryTimeoutMs?: number;
  /** The dashboard's choices to begin with: all events, a page with the link back, unsigned, the order's amount. */
  choices?: Partial<SandboxChoices>;
  /** Payments kept in memory; the oldest are forgotten first. */
  capacity?: number;
  /** Told of every delivery try. */
  onDelivery?: (delivery: SandboxDelivery) => void;
  /** Told of every request answered: never with a link, a key or a hash. */
  onRequest?: (line: string) => void;
};

/** The embedded pretend gateway: §2 to §8 from the other side. It never takes a card number. */
export type Sandbox = {
  /** `http://127.0.0.1:PORT` */
  baseUrl: string;
  port: number;
  /** The merchant dashboard's page: payments, refunds, resends. Its random path is its only protection. */
  dashboardUrl: string;
  setCallbackUrl(url: string | null): void;
  setFaults(faults: readonly SandboxFault[]): void;
  faults(): readonly SandboxFault[];
  /** Sends every callback of an order again (§6.2.3); resolves to how many were sent. */
  resend(orderNumber: string): Promise<number>;
  /** Pays an order of its own and sends its `sale` callback once; resolves to how it was answered. */
  testCallback(): Promise<{ orderNumber: string; httpStatus: number | null }>;
  close(): Promise<void>;
};

export type StartSandbox = (options: SandboxOptions) => Promise<Sandbox>;
