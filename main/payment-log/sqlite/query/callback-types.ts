import type { EventHealth } from '../../../../shared/callbacks/event-health.ts';
import type { CallbackTypes } from '../../answers.ts';
import type { LogDatabase } from '../store/database.ts';
import { eventReading, selectEvents, type StoredEvent } from '../store/stored-event.ts';

/** Scan limit, callbacks of all profiles, newest first. */
const maxScanned = 20_000;
/** Limits of types, which the gateway names, and of a name's length, characters. */
const maxTypes = 30;
const maxTypeChars = 40;

/** The types of a profile's latest verified callbacks, the last one to come first. */
export type ReadCallbackTypes = (profileId: string) => CallbackTypes;

export const createCallbackTypesReader = (database: LogDatabase): ReadCallbackTypes => {
  const select = database
    .prepare<[number], StoredEvent>(
      `${selectEvents} WHERE event.kind = 'callback.received' ORDER BY event.seq DESC LIMIT ?`,
    )
    .raw();
  const reading = eventReading(database);
  return profileId => {
    const types = new Map<string, EventHealth['types'][number]>();
    let scanned = 0;
    for (const row of select.iterate(maxScanned)) {
      scanned += 1;
      const event = reading.event(row);
      if (event.kind !== 'callback.received' || event.profileId !== profileId) continue;
      if (event.body.verification.verdict !== 'verified') continue;
      const type = (event.body.fields.find(([name]) => name === 'type')?.[1] ?? '').slice(0, maxTypeChars);
      const known = types.get(type);
      if (known) known.count += 1;
      else if (types.size < maxTypes) types.set(type, { type, lastAt: event.happenedAt, count: 1 });
    }
    return { types: [...types.values()], more: scanned === maxScanned };
  };
};
