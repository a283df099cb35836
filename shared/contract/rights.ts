import type { Right, Role } from '../agents/roles.ts';
import { rulesOf, type RequestNameWith, type RequestParsed, type RequestName } from './index.ts';
import { settingRights } from './settings.ts';

/** The person whose right is checked. */
type Self = { id: string; name: string; role: Role };

type SettingsChange = RequestParsed<'settings.change'>;

/** The right that an input needs. A request whose right depends on its input does not compile without its function. */
const rightsByInput: {
  [N in RequestNameWith<{ rightDependsOnInput: true }>]: (
    input: RequestParsed<N>,
    self: Self,
  ) => Right | 'everyone';
} = {
  'settings.change': change =>
    Object.keys(change).some(name => settingRights[name as keyof SettingsChange] === 'settings')
      ? 'settings'
      : 'everyone',
  // Everyone may change their own PIN.
  'agents.save': ({ id, name, role }, self) =>
    id === self.id && name === self.name && (role ?? self.role) === self.role ? 'everyone' : 'people',
  // A person who works on payments may take one, and release it.
  'review.assign': ({ assignee }, { name }) => (assignee === null || assignee === name ? 'links' : 'review'),
};

type ByInput = (input: unknown, self: Self) => Right | 'everyone';

const neededOrNull = (right: Right | 'everyone'): Right | null => (right === 'everyone' ? null : right);

/** The right that a request needs with any content; null if it needs none, or if its content decides. */
export const fixedRight = (name: RequestName): Right | null => {
  const { right, rightDependsOnInput = false } = rulesOf(name);
  return rightDependsOnInput ? null : neededOrNull(right);
};

/** The right that this request of this person needs; null = none. */
export const rightNeeded = (name: RequestName, input: unknown, self: Self): Right | null => {
  const byInput = (rightsByInput as Partial<Record<RequestName, ByInput>>)[name];
  return neededOrNull(byInput ? byInput(input, self) : rulesOf(name).right);
};
