import { flagKinds, type FlagKind } from '../payments/payment-kinds.ts';
import type { Flag } from '../payments/payment.ts';

const severity: ReadonlyMap<FlagKind, number> = new Map(flagKinds.map((kind, index) => [kind, index]));

/** Limit of flags per kind: many forged callbacks must not create as many flags. */
const maxPerKind = 20;

/** Collects flags; the same flag from several events is one flag with all of them. */
export type FlagNotes = {
  add(kind: FlagKind, values: Record<string, string>, events: readonly string[]): void;
  /** Gravest first. */
  flags(): Flag[];
};

export const flagNotes = (): FlagNotes => {
  const found = new Map<string, { kind: FlagKind; values: Record<string, string>; events: Set<string> }>();
  const ofAKind = new Map<FlagKind, number>();
  return {
    add: (kind, values, events) => {
      const key = `${kind} ${JSON.stringify(values)}`;
      const known = found.get(key);
      if (known) {
        for (const event of events) known.events.add(event);
        return;
      }
      const others = ofAKind.get(kind) ?? 0;
      if (others >= maxPerKind) return;
      ofAKind.set(kind, others + 1);
      found.set(key, { kind, values, events: new Set(events) });
    },
    flags: () => {
      if (found.size === 0) return [];
      return [...found]
        .sort(
          ([oneKey, one], [otherKey, other]) =>
            (severity.get(one.kind) ?? 0) - (severity.get(other.kind) ?? 0) || (oneKey < otherKey ? -1 : 1),
        )
        .map(([, { kind, values, events }]) => ({ kind, values, events: [...events].sort() }));
    },
  };
};
