import type { AppState, Handlers } from '../../../shared/contract/contract.ts';
import { fail, ok, type Result } from '../../../shared/errors.ts';
import { paymentKey, type PaymentKey } from '../../../shared/payments/payment-row.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import { openTeamPeople, type TeamPeople } from '../../team/people/team-people.ts';
import type { ActivityLog } from '../activity/activity-log.ts';
import type { AppDependencies, AppEvents, AppOptions } from '../common/app-context.ts';
import type { HeadSigner } from '../payment-log/head-signer.ts';
import type { PaymentLogManager } from '../payment-log/payment-log-manager.ts';
import type { AgentSession } from '../settings/agent-session.ts';
import { randomUUID } from 'node:crypto';
import { chooseLanguage, msg } from '../../../shared/messages/message.ts';
import { needsNewChain } from '../../../shared/team/team-standing.ts';
import { sharedLogName } from '../../../shared/team/shared-log-server.ts';
import { logFailure } from '../../payment-log/log-failures.ts';
import type { SharedLogSettings } from '../../payment-log/postgres/connection-settings.ts';
import { divergingEnd } from '../../team/diverging-end.ts';
import { isPinKnown } from '../../credentials/pin.ts';
import { readJoiningText } from '../../team/joining-text.ts';
import { createProgressReporter } from '../payment-log/log-progress.ts';
import { sharedLogAccount } from './create-team.ts';
import { formatterFor } from '../../../shared/messages/catalogues.ts';
import type { CredentialCache } from '../settings/credential-cache.ts';

/** The profiles and people of this console's team. */
export const createTeamPeople = (
  {
    settings,
    credentials,
    team,
    clock,
    requester,
    systemLocale,
  }: Pick<AppOptions, 'settings'> &
    Pick<AppDependencies, 'credentials' | 'team' | 'clock' | 'requester'> & { systemLocale: () => string },
  passwords: CredentialCache,
): TeamPeople =>
  openTeamPeople({
    shared: () => team.shared()?.people ?? null,
    isConnected: () => team.isConnected(),
    settings,
    requester: () => requester.name(),
    elapsed: () => performance.now(),
    formerName: name => {
      const { language, locale } = chooseLanguage(settings.read().settings.language, systemLocale());
      return formatterFor(language, locale)(msg('team.profile.former', { name, date: clock() }));
    },
    passwords: {
      copy: async (from, to) => {
        if ((await credentials.state(to)) !== 'missing') return;
        const where = await credentials.state(from);
        const password = await passwords.of(from);
        // Without a keychain it is entered again, as for a new profile.
        if (password.ok)
          await passwords.set(to, password.value, where === 'this-run-only' ? where : 'keychain');
      },
      remove: profileId => passwords.remove(profileId),
    },
  });

/** Events of one append. */
const batchSize = 200;

/**
 * The requests about the shared payment log: check, join, verify, leave. `publish` sends the state to the window, and
 * returns it.
 */
const createTeamHandlers = (
  parts: AppDependencies,
  logManager: Pick<PaymentLogManager, 'current' | 'whileClosed'>,
  heads: Pick<HeadSigner, 'readShared'>,
  publish: () => Promise<AppState>,
): Pick<Handlers, 'team.check' | 'team.join' | 'team.verify' | 'team.leave' | 'team.beginChain'> => {
  const { settings, credentials, sharedLogs, team } = parts;

  /** The settings of a joining text, with what the policy of this computer fixes. */
  const read = (text: string): Result<SharedLogSettings> => {
    const given = readJoiningText(text);
    const { isFixed, server } = settings.policy.managed.sharedLog;
    if (!given.ok || !isFixed) return given;
    return server && sharedLogName(server) === sharedLogName(given.value)
      ? ok({ ...given.value, tls: server.tls ?? given.value.tls, ca: server.ca ?? given.value.ca })
      : fail('policy.managed', msg('team.join.other-server'), {
          hint: msg('hint.policy.managed'),
          details: { file: settings.policy.file },
        });
  };

  /** The name of this installation's chain. */
  const ownWriter = (): string => settings.read().chain ?? settings.read().installation;

  /** The window reads again everything that it shows. */
  const changed = (): Promise<AppState> => {
    parts.notify('payments.changed', { payments: null });
    return publish();
  };

  return {
    'team.check': async ({ text }) => {
      const given = read(text);
      if (!given.ok) return given;
      const { steps, logId } = await sharedLogs.check(given.value, ownWriter());
      const { role } = given.value;
      return ok({ server: sharedLogName(given.value), role, steps, canJoin: logId !== null });
    },
    'team.join': async ({ text }) => {
      const given = read(text);
      if (!given.ok) return given;
      const { steps, logId } = await sharedLogs.check(given.value, ownWriter());
      const broken = steps.find(({ state }) => state === 'broken');
      if (logId === null)
        return fail('log.unavailable', broken?.finding ?? msg('team.join.failed'), {
          hint: broken?.todo ?? undefined,
        });
      const { password, role, logId: _none, ...server } = given.value;
      if (password !== null) {
        const keep = (next: string): Promise<Result<undefined>> =>
          credentials.set(sharedLogAccount, next, 'keychain');
        const kept = await keep(password);
        if (!kept.ok) return kept;
        const renewed = await sharedLogs.renewPassword(given.value, keep);
        if (!renewed.ok) return renewed;
      }
      settings.change(stored => ({
        ...stored,
        sharedLog: { ...server, role, hasPassword: password !== null, logId },
        team: stored.sharedLog?.logId === logId ? stored.team : null,
      }));
      await settings.flush();
      await team.restart();
      return ok(await changed());
    },
    'team.verify': async () => {
      const shared = team.shared();
      if (!shared || !parts.log.ok) return parts.log.ok ? logFailure('log.unreachable') : parts.log;
      const { writer } = parts.log.value.ownChain;
      const ends = await shared.chainEnds();
      if (!ends.ok) return ends;
      const here = (await parts.log.value.chainEnds()).find(end => end.writer === writer);
      const there = ends.value.find(end => end.writer === writer);
      const signed = await heads.readShared(settings.read().sharedLog?.logId ?? '');
      const report = await shared.verify(createProgressReporter(parts, 'shared-log'), signed);
      if (!report.ok) return report;
      return ok({ isComplete: here?.seq === there?.seq && here?.hash === there?.hash, report: report.value });
    },
    'team.beginChain': async () => {
      const journal = logManager.current();
      const shared = team.shared();
      if (!journal.ok) return journal;
      if (!shared || !needsNewChain(team.standing()?.problem ?? null))
        return fail('input.invalid', msg('team.begin-chain.not-needed'));
      const drafts = await divergingEnd(journal.value, shared);
      if (!drafts.ok) return drafts;
      settings.change(stored => ({ ...stored, chain: randomUUID() }));
      await settings.flush();
      await logManager.whileClosed(() => undefined);
      const reopened = logManager.current();
      if (!reopened.ok) return reopened;
      for (let from = 0; from < drafts.value.length; from += batchSize) {
        const written = await reopened.value.append(drafts.value.slice(from, from + batchSize));
        if (!written.ok) return written;
      }
      return ok(await changed());
    },
    'team.leave': async () => {
      if (settings.policy.managed.sharedLog.isFixed)
        return fail('policy.managed', msg('error.policy.managed'), {
          hint: msg('hint.policy.managed'),
          details: { file: settings.policy.file },
        });
      const self = settings.read().agents.find(({ id }) => id === parts.requester.person()?.id);
      // Otherwise this console might have no administrator who can sign in.
      if (self && !isPinKnown(self))
        return fail('input.invalid', msg('team.leave.pin'), { hint: msg('team.leave.pin.hint') });
      const writer = team.standing()?.writer ?? '';
      // People and profiles stay as this installation knows them.
      settings.change(stored => ({ ...stored, sharedLog: null, team: null }));
      await settings.flush();
      // Without a connection it stays noted there until its account is withdrawn.
      if (team.isConnected()) await team.shared()?.installations.forgetList(writer);
      await team.restart();
      // Without the settings it opens nothing; a keychain that cannot be used keeps an unused entry.
      await credentials.remove(sharedLogAccount);
      return ok(await changed());
    },
  };
};

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
      'team.plan': () => people.plan(),
      'team.share': async ({ adding }) => {
        const shared = await people.share(adding);
        return shared.ok ? ok(await publish()) : shared;
      },
    } satisfies Partial<Handlers>,
    stop: () => people.close(),
  };
};
