import type { EventOf } from './evidence.ts';

const personalName =
  /^(customer|billing|payer)[_[]|e-?mail|phone|(^|[_[])(ip|zip|city|street|address|first_?name|last_?name)\b/i;

/** Names repeat from callback to callback: what was found once is remembered, up to this many. */
const remembered = 2_000;
const known = new Map<string, boolean>();

/** Whether a parameter, beyond §2.6's customer fields, names a person: billing and payer fields, custom data. */
export const isPersonalName = (name: string): boolean => {
  const before = known.get(name);
  if (before !== undefined) return before;
  const found = personalName.test(name);
  if (known.size < remembered) known.set(name, found);
  return found;
};

/** Whether a parameter's value is a token or a hash: kept as evidence, shown to nobody. */
export const isSecretName = (name: string): boolean => /token|hash|password|secret/i.test(name);

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
