import type { Right, Role } from '../agents/roles.ts';
import {
  requestNames,
  rulesOf,
  type RequestNameWith,
  type RequestParsed,
  type RequestName,
} from './contract.ts';
import { decidesForEveryone } from '../settings/descriptors.ts';

/** The person whose right is checked. */
type Self = { id: string; name: string; role: Role };

/** The right that an input needs. A request whose right depends on its input does not compile without its function. */
const rightsByInput: {
  [N in RequestNameWith<{ rightDependsOnInput: true }>]: (
    input: RequestParsed<N>,
    self: Self,
  ) => Right | 'everyone';
} = {
  'settings.change': change => (Object.keys(change).some(decidesForEveryone) ? 'settings' : 'everyone'),
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

/** The requests that need the same right with any input. */
export type GuardedRequest = Exclude<
  RequestName,
  RequestNameWith<{ right: 'everyone' }> | RequestNameWith<{ rightDependsOnInput: true }>
>;

type AreaOf<N> = N extends `${infer A}.${string}` ? A : never;
/** An area of the contract with a guarded request, such as `log`. */
export type GuardedArea = AreaOf<GuardedRequest>;

/** The right of each area, and of each request that needs another one than its area. */
export type RequestRights = Readonly<Record<GuardedArea, Right> & Partial<Record<GuardedRequest, Right>>>;

/** The most frequent of these rights. */
const mostFrequent = (rights: readonly Right[]): Right | undefined =>
  [...Map.groupBy(rights, right => right).values()].toSorted((a, b) => b.length - a.length)[0]?.[0];

/**
 * The rights of all guarded requests, by area, because the window's first screen loads them; renderer/vite.config.ts
 * inserts them there.
 */
export const requestRights: RequestRights = Object.fromEntries(
  [
    ...Map.groupBy(
      requestNames.flatMap(name => {
        const right = fixedRight(name);
        return right === null ? [] : [{ name, right }];
      }),
      ({ name }) => name.split('.')[0],
    ),
  ].flatMap(([area, requests]) => {
    const ofArea = mostFrequent(requests.map(({ right }) => right));
    return [
      [area, ofArea],
      ...requests.filter(({ right }) => right !== ofArea).map(({ name, right }) => [name, right]),
    ];
  }),
) as RequestRights;

/** The right that this request of this person needs; null = none. */
export const rightNeeded = (name: RequestName, input: unknown, self: Self): Right | null => {
  const byInput = (rightsByInput as Partial<Record<RequestName, ByInput>>)[name];
  return neededOrNull(byInput ? byInput(input, self) : rulesOf(name).right);
};
