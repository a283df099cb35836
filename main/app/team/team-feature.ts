import type { AppState } from '../../../shared/contract/index.ts';
import { paymentKey } from '../../../shared/payments/payment-key.ts';
import type { TeamPeople } from '../../team/people/team-people.ts';
import type { ActivityLog } from '../activity/activity-log.ts';
import type { AppDependencies } from '../common/app-context.ts';
import type { AppEvents } from '../common/app-events.ts';
import type { HeadSigner } from '../payment-log/head-signer.ts';
import type { PaymentLogManager } from '../payment-log/payment-log-manager.ts';
import type { AgentSession } from '../settings/agent-session.ts';
import { createSharingHandlers } from './create-team-people.ts';
import { raisedHere } from './raised-here.ts';
import { createTeamHandlers } from './team-handlers.ts';

/** The team: its people and profiles, what the others write, and the requests about the shared payment log. */
export const createTeamFeature = (
  parts: AppDependencies,
  events: AppEvents,
  given: {
    people: TeamPeople;
    session: Pick<AgentSession, 'isLeft' | 'expel'>;
    activityLog: Pick<ActivityLog, 'record'>;
    logManager: PaymentLogManager;
    heads: HeadSigner;
    publish: () => Promise<AppState>;
    showLock: () => void;
    followReceiver: () => Promise<void>;
  },
) => {
  const { people, session, activityLog, logManager, heads, publish, showLock, followReceiver } = given;

  people.onChange(({ isSignedInGone, isSignedInChanged, signedIn, areProfilesChanged }) => {
    const wasLeft = session.isLeft();
    if ((isSignedInGone || isSignedInChanged) && session.expel()) {
      if (!wasLeft)
        void activityLog.record([{ action: 'signed-out', details: { reason: 'team' } }], signedIn);
      showLock();
    }
    if (areProfilesChanged) void followReceiver();
    events.emit('stateChanged');
  });
  events.on('stateChanged', () => {
    if (parts.team.isConnected()) people.catchUp();
  });
  events.on('eventsElsewhere', (payments, written) => {
    void raisedHere(logManager.current(), payments ?? []).then(own => {
      const isOwn = (one: { profileId: string; orderNumber: string | null }): boolean =>
        one.orderNumber !== null &&
        own.has(paymentKey({ profileId: one.profileId, orderNumber: one.orderNumber }));
      events.emit('eventsElsewhereSorted', {
        ownPayments: (payments ?? []).filter(isOwn),
        own: written.filter(isOwn),
        others: written.filter(event => !isOwn(event)),
      });
    });
  });

  return {
    handlers: {
      ...createTeamHandlers(parts, logManager, heads, publish),
      ...createSharingHandlers(people, publish),
    },
    stop: () => people.close(),
  };
};
