import type { Refusal, RefusalReason } from '../../shared/callbacks/receiver-health.ts';
import type { CallbackFields, CallbackForm } from '../../shared/payments/evidence.ts';
import type { Result } from '../../shared/errors.ts';
import type { AddressLimits, SenderOf } from '../pacing/address-limits.ts';

export type Delivery = {
  profileId: string;
  fields: CallbackFields;
  form: CallbackForm;
  /** By the corrected clock, milliseconds. */
  arrivedAt: number;
  /** The address of the sender; a proxy's unless it is trusted. */
  sender: string;
};

export type ReceiverOptions = {
  host: string;
  /** 0 = any free port. */
  port: number;
  /** The profile of each path: `/<random>` → profile id. */
  routes: ReadonlyMap<string, string>;
  /** Must resolve only after the evidence is on disk; a failure is answered 503 (§6.2: the gateway tries again). */
  store: (delivery: Delivery) => Promise<Result<{ verified: boolean }>>;
  /** PEM key and certificate; without them the listener uses plain HTTP. */
  tls?: { key: string; cert: string } | undefined;
  /** The corrected clock, which every installation of a team shares, milliseconds. */
  clock: () => number;
  /** Finds the sender of a request; the address of its connection if left out. */
  senderOf?: SenderOf;
  /** Pages that anyone may read, by path: nothing of the request has an effect. */
  pages?: ReadonlyMap<string, { body: string; headers: Readonly<Record<string, string>> }>;
  /** Limits requests that are no callbacks: above them their connection is closed without an answer. */
  addressLimits?: AddressLimits;
  onRefused?: (reason: RefusalReason) => void;
};

/** The HTTP listener for callbacks (§4.3): POST only, 200 only after the evidence is durable. */
export type Receiver = {
  host: string;
  port: number;
  statistics(): {
    received: number;
    unverified: number;
    lastAt: number | null;
    /** The latest first. */
    refused: Refusal[];
    answerMs: { median: number; p99: number } | null;
  };
  /** Replaces the certificate for new connections; false if it cannot be used, and the old one stays. */
  renewCertificate(tls: { key: string; cert: string }): boolean;
  close(): Promise<void>;
};

export type StartReceiver = (options: ReceiverOptions) => Promise<Result<Receiver>>;
