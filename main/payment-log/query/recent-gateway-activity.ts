import type { ErrorCode } from '../../../shared/errors.ts';
import type { Event } from '../../../shared/payments/evidence.ts';
import type { RecentGatewayActivity } from '../answers.ts';

/** Scan limit, events. Older events say nothing about whether the current password works. */
export const maxScannedEvents = 20_000;

const stopped: ErrorCode = 'gateway.cancelled';

const note = (calls: RecentGatewayActivity, event: Event): void => {
  switch (event.kind) {
    case 'session.accepted':
      calls.lastSuccess ??= event;
      break;
    case 'session.refused':
    case 'session.unanswered':
      // A wait that the user cancelled says nothing about the gateway.
      if (event.body.code !== stopped) calls.lastFailure ??= event;
      break;
    case 'status.observed':
      if (event.body.problem === null) calls.lastSuccess ??= event;
      else if (event.body.problem.code !== stopped) calls.lastFailure ??= event;
      break;
    case 'callback.received':
      if (event.body.verification.verdict === 'verified') calls.verified ??= event;
      else if (event.body.verification.verdict === 'invalid') calls.invalid ??= event;
      break;
    default:
      break;
  }
};

/** The latest requests and callbacks by outcome. `events`: newest first; `scanned`: how many are read at most. */
export const recentActivityOf = (events: Iterable<Event>, scanned: number): RecentGatewayActivity => {
  const calls: RecentGatewayActivity = {
    lastSuccess: null,
    lastFailure: null,
    verified: null,
    invalid: null,
    scanned,
  };
  for (const event of events) {
    note(calls, event);
    if (calls.lastSuccess && calls.lastFailure && calls.verified && calls.invalid) break;
  }
  return calls;
};
