import type { EventHealth } from '../../../shared/callbacks/event-health.ts';
import type { Event } from '../../../shared/payments/evidence.ts';
import type { CallbackTypes } from '../answers.ts';

/** Limits of types, which the gateway names, and of a name's length, characters. */
const maxTypes = 30;
const maxTypeChars = 40;

/**
 * The types of a profile's verified callbacks, the last one to come first. `callbacks`: of all profiles, newest first;
 * `maxScanned`: how many of them are read at most.
 */
export const callbackTypesOf = (
  callbacks: Iterable<Event>,
  profileId: string,
  maxScanned: number,
): CallbackTypes => {
  const types = new Map<string, EventHealth['types'][number]>();
  let scanned = 0;
  for (const event of callbacks) {
    scanned += 1;
    if (event.kind !== 'callback.received' || event.profileId !== profileId) continue;
    if (event.body.verification.verdict !== 'verified') continue;
    const type = (event.body.fields.find(([name]) => name === 'type')?.[1] ?? '').slice(0, maxTypeChars);
    const known = types.get(type);
    if (known) known.count += 1;
    else if (types.size < maxTypes) types.set(type, { type, lastAt: event.happenedAt, count: 1 });
  }
  return { types: [...types.values()], more: scanned === maxScanned };
};
