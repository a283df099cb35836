/** 1 January 2020, milliseconds. */
export const epoch = 1_577_836_800_000;
/** Ids, or positions of events, of one millisecond. */
export const perMillisecond = 4_096;

/**
 * The id of a payment whose first event was recorded then: the newer the payment, the greater. `attempt`: raised while
 * the id is in use.
 */
export const paymentId = (recordedAt: number, writerSeq: number, attempt: number): number =>
  Math.max(0, recordedAt - epoch) * perMillisecond + ((writerSeq + attempt) % perMillisecond);

/** Ids of one hour. */
const perHour = 3_600_000 * perMillisecond;

/** A range of ids in whole hours, so that it seldom has to be widened. */
export const hoursOf = (payment: number): { low: number; high: number } => {
  const low = Math.floor(payment / perHour) * perHour;
  return { low, high: low + perHour - 1 };
};
