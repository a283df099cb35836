import type { AppState } from '../../../shared/contract/contract.ts';
import type { Result } from '../../../shared/errors.ts';
import { paymentKey, type PaymentKey } from '../../../shared/payments/payment-key.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import type { TeamPeople } from '../../team/people/team-people.ts';
import type { ActivityLog } from '../activity/activity-log.ts';
import type { AppDependencies } from '../common/app-context.ts';
import type { AppEvents } from '../common/app-events.ts';
import type { HeadSigner } from '../payment-log/head-signer.ts';
import type { PaymentLogManager } from '../payment-log/payment-log-manager.ts';
import type { AgentSession } from '../settings/agent-session.ts';
import { createSharingHandlers } from './create-team-people.ts';
import { createTeamHandlers } from './team-handlers.ts';

/** Limit of payments that are looked up; larger batches cause no notification. */
const maxPayments = 200;

/** The keys, as texts, of those payments about which this installation has written itself. */
const writtenHere = async (
  journal: Result<PaymentLog>,
  payments: readonly PaymentKey[],
): Promise<ReadonlySet<string>> => {
  const found = new Set<string>();
  if (!journal.ok || payments.length > maxPayments) return found;
  for (const key of payments) {
    const isOwn = await journal.value.hasWritten(key.profileId, key.orderNumber).catch(() => false);
    if (isOwn) found.add(paymentKey(key));
  }
  return found;
};

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
    void writtenHere(logManager.current(), payments ?? []).then(own => {
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
