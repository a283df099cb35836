import { expect, test } from 'vitest';
import { standingRequests } from '../../main/team/agreement.ts';
import { asEvent, refusedSession, requested } from '../../tools/evidence/evidence.ts';

const events = (...drafts: Parameters<typeof asEvent>[0][]) => drafts.map(draft => asEvent(draft));

test('a request counts until it is refused', () => {
  expect(standingRequests([])).toEqual([]);
  expect(standingRequests(events(requested(0)))).toHaveLength(1);
  expect(standingRequests(events(requested(0), refusedSession(1)))).toEqual([]);
});
