import type { EventHealth } from '../../../../shared/callbacks/event-health.ts';
import type { Event } from '../../../../shared/payments/evidence.ts';
import type { CallbackTypes } from '../../answers.ts';
import type { PaymentLogAnswers } from '../../payment-log.ts';
import type { Evidence } from '../list/merged-evidence.ts';

/** Limits of types, which the gateway names, and of a name's length, characters. */
const maxTypes = 30;
const maxTypeChars = 40;

/**
 * The types of a profile's verified callbacks, the last one to come first. `callbacks`: of all profiles, newest first;
 * `maxScanned`: how many of them are read at most.
 */
const callbackTypesOf = (
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

/** Scan limit, callbacks of all profiles, newest first. */
const maxScanned = 20_000;

/** Reads the types of a profile's latest verified callbacks, the last one to come first. */
export const createCallbackTypesReader = (evidence: Evidence): PaymentLogAnswers['callbackTypes'] => {
  const newest = evidence.newest("event.kind = 'callback.received'");
  function* latest(): Generator<Event> {
    let scanned = 0;
    for (const row of newest([])) {
      if (scanned === maxScanned) return;
      scanned += 1;
      yield evidence.event(row);
    }
  }
  return profileId => callbackTypesOf(latest(), profileId, maxScanned);
};
