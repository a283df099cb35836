import type { Event } from '../../../../shared/payments/evidence.ts';
import type { CallbackTypes } from '../../answers.ts';
import { callbackTypesOf } from '../../query/callback-types.ts';
import type { LogDatabase } from '../store/database.ts';
import { eventReading, selectEvents, type StoredEvent } from '../store/stored-event.ts';

/** Scan limit, callbacks of all profiles, newest first. */
const maxScanned = 20_000;

/** The types of a profile's latest verified callbacks, the last one to come first. */
export type ReadCallbackTypes = (profileId: string) => CallbackTypes;

export const createCallbackTypesReader = (database: LogDatabase): ReadCallbackTypes => {
  const select = database
    .prepare<[number], StoredEvent>(
      `${selectEvents} WHERE event.kind = 'callback.received' ORDER BY event.seq DESC LIMIT ?`,
    )
    .raw();
  const reading = eventReading(database);
  function* newest(): Generator<Event> {
    for (const row of select.iterate(maxScanned)) yield reading.event(row);
  }
  return profileId => callbackTypesOf(newest(), profileId, maxScanned);
};
