import type { Agent } from './agent.ts';

/** Who can be signed in as by anybody, while others need a PIN: their PINs protect nothing then. Empty if nobody has one. */
export const withoutPin = (agents: readonly Agent[]): readonly Agent[] =>
  agents.some(({ hasPin }) => hasPin) ? agents.filter(({ hasPin }) => !hasPin) : [];
