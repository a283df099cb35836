/** The instants to which a payment can be snoozed. */
export const snoozeTimes = ['hour', 'afternoon', 'tomorrow', 'monday', 'week'] as const;
export type SnoozeTime = (typeof snoozeTimes)[number];

const hour = 3_600_000;

/** The start of a working day, local time. */
const morning = 9;
/** The next look during a working day, local time. */
const later = 15;

/** The instant, milliseconds, in the local time zone; null if it has passed today, or is another of them. `now`: milliseconds. */
export const snoozeUntil = (time: SnoozeTime, now: number): number | null => {
  const at = (days: number, clock: number): number => {
    const day = new Date(now);
    day.setDate(day.getDate() + days);
    return day.setHours(clock, 0, 0, 0);
  };
  switch (time) {
    case 'hour':
      return now + hour;
    case 'afternoon':
      return at(0, later) > now + hour ? at(0, later) : null;
    case 'tomorrow':
      return at(1, morning);
    case 'monday': {
      const days = ((7 - new Date(now).getDay()) % 7) + 1;
      return days === 1 || days === 7 ? null : at(days, morning);
    }
    case 'week':
      return at(7, morning);
  }
};
