import { msg, type MessageValue } from '../messages/message.ts';

/** What a person may do, by their role. Without schemas, so that the window's first screen can import it cheaply. */

/** In the order in which they are offered. */
export const roles = ['agent', 'supervisor', 'accountant', 'administrator'] as const;
export type Role = (typeof roles)[number];

/**
 * `links`: create and share links, write notes. `look-up`: ask the gateway, keep callbacks.
 * `operations`: refund, cancel, collect, charge again. `review`: close what needs
 * review. `handover`: the handover note. `export`: files for others. `activity`: read who did what. `erase`: erase
 * customer details. `log`: copy, restore and rebuild the payment log. `settings`, `profiles`, `people`: change them.
 */
export const rights = [
  'links',
  'look-up',
  'operations',
  'review',
  'handover',
  'export',
  'activity',
  'erase',
  'log',
  'settings',
  'profiles',
  'people',
] as const;
export type Right = (typeof rights)[number];

/** The rights of each role. Reading payments and the display settings of one's own need none. */
export const rightsOf: Readonly<Record<Role, readonly Right[]>> = {
  agent: ['links', 'look-up'],
  supervisor: ['links', 'look-up', 'operations', 'review', 'handover', 'export', 'activity'],
  accountant: ['export'],
  administrator: rights,
};

export const hasRight = (role: Role, right: Right): boolean => rightsOf[role].includes(right);

/** Limit of names in an answer to "whom can I ask?". */
const maxNamed = 3;

/** The people to ask for something that one may not do oneself. */
export const whoMay = (agents: readonly { name: string; role: Role }[], right: Right): MessageValue => {
  const names = agents
    .filter(({ role }) => hasRight(role, right))
    .map(({ name }) => name)
    .slice(0, maxNamed);
  const last = names.pop() ?? '';
  return names.length === 0 ? last : msg('agents.names', { names: names.join(', '), last });
};
