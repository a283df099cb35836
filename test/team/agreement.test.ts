import { expect, test } from 'vitest';
import { readAgreement, standingRequests } from '../../main/team/agreement.ts';
import { asEvent, refusedSession, requested } from '../../tools/evidence/evidence.ts';

const events = (...drafts: Parameters<typeof asEvent>[0][]) => drafts.map(draft => asEvent(draft));

test('a request counts until it is refused', () => {
  expect(standingRequests([])).toEqual([]);
  expect(standingRequests(events(requested(0)))).toHaveLength(1);
  expect(standingRequests(events(requested(0), refusedSession(1)))).toEqual([]);
});

test('a server that is known to be away is not waited for', async () => {
  type Given = Parameters<typeof readAgreement>[0];
  const never = () => new Promise<never>(() => undefined);
  const given = {
    journal: { ownChain: { writer: 'console-1' }, chainEnds: () => Promise.resolve([]) },
    shared: { events: never },
    shipping: { standing: () => ({ state: 'unreachable' }), shipped: never },
  } as unknown as Given;
  expect(await readAgreement(given, 'shop', 'ORDER-1', 60_000)).toBe('unknown');
});
