import type { EventOf } from '../payments/evidence.ts';

const personalName =
  /^(customer|billing|payer)[_[]|e-?mail|phone|(^|[_[])(ip|zip|city|street|address|first_?name|last_?name)\b/i;

/** Cache limit, names. */
const maxRemembered = 2_000;

/** A cached test of names: every callback repeats the same names. */
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

/** Whether a parameter's value is a card's security code, which no one may store. */
export const isSecurityCode = nameTest(/^(?:card_?)?(?:cvv2?|cvc2?|cvn|csc|security_?code)$/i);

/** Whether a parameter's value is a token or a hash: stored as evidence, never shown. */
export const isSecretName = nameTest(/token|hash|password|secret/i);

/**
 * Distinguishes callbacks: the dedupe key and the personal values. The key itself must not contain these, since they
 * could be guessed from it after their erasure.
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
