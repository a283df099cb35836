/** The way of the journal's chain to the shared log, as the intake uses it. */

export type ShippingStanding = {
  isConnected: boolean;
  /** Events of the journal that are not in the shared log yet. */
  waiting: number;
  /** When the first of them was recorded, milliseconds; null if none waits. */
  oldestWaitingAt: number | null;
};

export type Shipping = {
  standing(): ShippingStanding;
  /** Whether the writer's event of this number was committed in the shared log within this time, milliseconds. */
  shipped(writerSeq: number, milliseconds: number): Promise<boolean>;
  close(): Promise<void>;
};
