import type { Agent } from './agent.ts';

/**
 * Agents that anyone can sign in as, while others need a PIN: this makes the PINs useless. Empty if no agent has a
 * PIN.
 */
export const withoutPin = (agents: readonly Agent[]): readonly Agent[] =>
  agents.some(({ hasPin }) => hasPin) ? agents.filter(({ hasPin }) => !hasPin) : [];
