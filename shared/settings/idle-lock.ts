/** Minutes without input after which the console locks; 0 = never. */
export const idleLockChoices = [0, 1, 5, 10, 15, 30] as const;
export type IdleLockMinutes = (typeof idleLockChoices)[number];

/** The minutes in effect. Until a choice is made (null): never without PINs, ten minutes once one person has a PIN. */
export const idleLockMinutes = (
  chosen: IdleLockMinutes | null,
  agents: readonly { hasPin: boolean }[],
): IdleLockMinutes => chosen ?? (agents.some(({ hasPin }) => hasPin) ? 10 : 0);
