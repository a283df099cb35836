import type { EventOf } from '../payments/evidence.ts';

const personalName =
  /^(customer|billing|payer)[_[]|e-?mail|phone|(^|[_[])(ip|zip|city|street|address|first_?name|last_?name)\b/i;

/** Names remembered, at most. */
const maxRemembered = 2_000;

/** A test of names that remembers its answers: the same names come again in every callback. */
export const nameTest = (pattern: RegExp): ((name: string) => boolean) => {
  const known = new Map<string, boolean>();
  return name => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const found = pattern.test(name);
    if (known.size < maxRemembered) known.set(name, found);
    return found;
  };
};

/** Whether a parameter, beyond §2.6's customer fields, names a person: billing and payer fields, custom data. */
export const isPersonalName = nameTest(personalName);

/** Whether a parameter's value is a token or a hash: kept as evidence, shown to nobody. */
export const isSecretName = nameTest(/token|hash|password|secret/i);

/**
 * What tells one callback from another: its dedupe key, and its personal values, which the key must not hold
 * (whoever has the key could guess them back after they were erased).
 */
export const deliveryKey = (event: EventOf<'callback.received'>): string =>
  event.dedupeKey === null
    ? `id ${event.id}`
    : JSON.stringify([
        event.profileId,
        event.dedupeKey,
        event.body.fields
          .filter(([name, value]) => isPersonalName(name) && value !== '')
          .map(([name, value]) => `${name}=${value}`)
          .sort(),
      ]);
