/** Whether two payment ids are the same: UUIDs are equal in any letter case (RFC 9562, section 4). */
export const sameId = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** A payment id in the spellings that an index is asked for: as it is, and in either letter case. */
export const spellingsOfId = (id: string): [string, string, string] => [
  id,
  id.toLowerCase(),
  id.toUpperCase(),
];

/** Writes each payment id as it was first written: requests name a payment as the gateway does. */
export const spellingOfIds = (): (<T extends { paymentId: string | null }>(evidence: T) => T) => {
  const spellings = new Map<string, string>();
  return evidence => {
    const { paymentId } = evidence;
    if (paymentId === null) return evidence;
    const key = paymentId.toLowerCase();
    const spelling = spellings.get(key) ?? paymentId;
    spellings.set(key, spelling);
    return spelling === paymentId ? evidence : { ...evidence, paymentId: spelling };
  };
};
