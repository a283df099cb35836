import type { SandboxFault } from '../../shared/contract.ts';

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
};

/** The embedded pretend gateway: §2 to §8 from the other side. It never takes a card number. */
export type Sandbox = {
  /** `http://127.0.0.1:PORT` */
  baseUrl: string;
  port: number;
  setCallbackUrl(url: string | null): void;
  setFaults(faults: readonly SandboxFault[]): void;
  faults(): readonly SandboxFault[];
  /** Sends every callback of an order again (§6.2.3); resolves to how many were sent. */
  resend(orderNumber: string): Promise<number>;
  close(): Promise<void>;
};

export type StartSandbox = (options: SandboxOptions) => Promise<Sandbox>;
