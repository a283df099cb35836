/**
 * What a form's typed text becomes after it was saved as `sent`: `next`, unless the person typed on meanwhile. For a
 * state's setter.
 */
export const ifUnchanged =
  <T>(sent: T, next: T) =>
  (now: T): T =>
    now === sent ? next : now;
