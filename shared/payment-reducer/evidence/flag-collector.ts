import { flagKinds, type FlagKind } from '../../payments/payment-kinds.ts';
import type { Flag } from '../../payments/payment.ts';
import { compareTexts } from '../../compare-texts.ts';

/** Limit of flags per kind: many forged callbacks must not create as many flags. */
const maxPerKind = 20;

/** Collects flags; the same flag from several events is one flag with all of them. */
export type FlagCollector = ReturnType<typeof createFlagCollector>;

/** The flags of one kind, by their values. */
type FlagsOfKind = Map<string, { values: Record<string, string>; events: Set<string> }>;

export const createFlagCollector = () => {
  const found = new Map<FlagKind, FlagsOfKind>();
  return {
    add: (kind: FlagKind, values: Record<string, string>, events: readonly string[]): void => {
      const ofKind: FlagsOfKind = found.get(kind) ?? new Map();
      found.set(kind, ofKind);
      const key = JSON.stringify(values);
      const known = ofKind.get(key);
      if (known) for (const event of events) known.events.add(event);
      else if (ofKind.size < maxPerKind) ofKind.set(key, { values, events: new Set(events) });
    },
    /** Gravest first. */
    flags: (): Flag[] =>
      flagKinds.flatMap(kind =>
        [...(found.get(kind) ?? [])]
          .sort(([one], [other]) => compareTexts(one, other))
          .map(([, { values, events }]) => ({ kind, values, events: [...events].sort() })),
      ),
  };
};
