import { randomUUID } from 'node:crypto';
import { fail, ok, type Result } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import type { Profile } from '../../../shared/settings/profile.ts';
import { createGateway } from '../../gateway/create-gateway.ts';
import { createAutomaticLookUps, type AutomaticLookUp } from '../../look-ups/automatic-look-ups.ts';
import { createLookUpQueue } from '../../look-ups/look-up-queue.ts';
import { observationDraft } from '../../look-ups/observation-draft.ts';
import { startLoop } from '../../pacing/loop.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import type { SharedPeople } from '../../payment-log/postgres/shared-people.ts';
import { readProfile } from '../../team/people/read-profile.ts';
import type { IntakeLog } from './intake-log.ts';

/** How long one intake makes the look-ups of one kind of a payment: it does not read the evidence of the others. */
const claimMs = 2 * 60 * 60_000;
/** Interval of reading the shared profiles. */
const profilesEveryMs = 60_000;

const isFor = ({ baseUrl }: Profile, gateway: string | undefined): boolean =>
  gateway !== undefined && URL.parse(baseUrl)?.origin === URL.parse(gateway)?.origin;

/**
 * Looks up what a callback reported as paid, as a console does, so that "paid" has two sources without one. It needs the
 * merchant password and the shared profile. An account that may change that one does not decide where the password
 * counts: its server has to be the one of the configuration.
 */
export const startConfirming = ({
  journal,
  people,
  gateways,
  passwords,
  log,
  clock,
}: {
  journal: PaymentLog;
  people: Pick<SharedPeople, 'profiles' | 'claim'>;
  /** The server for which the password of each profile was entered. */
  gateways: ReadonlyMap<string, string>;
  passwords: () => ReadonlyMap<string, string>;
  log: IntakeLog;
  clock: () => number;
}) => {
  const gateway = createGateway({ clock });
  let profiles = new Map<string, Profile>();
  let otherServers: readonly string[] = [];
  let problem: string | null = null;

  const readProfiles = async (): Promise<void> => {
    const read = await people.profiles();
    const code = read.ok ? null : read.error.code;
    if (code !== null && code !== problem) log.warn('The shared profiles could not be read.', { code });
    problem = code;
    // Without a connection those of the last reading stay.
    if (!read.ok) return;
    const shared = read.value.flatMap(({ id, body }) => {
      const profile = gateways.has(id) ? readProfile(id, body) : null;
      return profile === null ? [] : [{ id, profile, isOther: !isFor(profile, gateways.get(id)) }];
    });
    profiles = new Map(shared.flatMap(({ id, profile, isOther }) => (isOther ? [] : [[id, profile]])));
    const others = shared.flatMap(({ id, isOther }) => (isOther ? [id] : []));
    for (const profile of others.filter(id => !otherServers.includes(id)))
      log.error('The shared profile names another server than the configuration: no status check.', {
        profile,
      });
    otherServers = others;
  };

  const lookUp: AutomaticLookUp = async (payment, key) => {
    const { profileId } = payment;
    const profile = profiles.get(profileId);
    const password = passwords().get(profileId);
    if (!profile || password === undefined) return fail('profile.missing', msg('error.profile.missing'));
    const outcome = await gateway.lookUp(profile, password, key);
    const header = (orderNumber: string | null, paymentId: string | null) => ({
      id: randomUUID(),
      profileId,
      orderNumber,
      paymentId,
      happenedAt: clock(),
      agent: 'console',
      dedupeKey: null,
    });
    // The journal of an intake has no list of payments.
    const orders = { ordersOf: async () => [payment] };
    const draft = await observationDraft(orders, profileId, key, outcome, 'console', header);
    const written = await journal.append([draft]);
    if (!written.ok) return written;
    return outcome.kind === 'failed' ? { ok: false, error: outcome.error } : ok(undefined);
  };

  const queue = createLookUpQueue(clock);
  const automatic = createAutomaticLookUps({
    queue,
    lookUp,
    eventsOf: ({ profileId, orderNumber }) => journal.events(profileId, orderNumber),
    wishesOf: async ({ profileId }) => {
      const profile = passwords().has(profileId) ? profiles.get(profileId) : undefined;
      return profile
        ? { automatic: true, watch: false, recheckDays: [], byOrder: profile.statusByOrder }
        : null;
    },
    // One installation asks for all; alone, this one does.
    claim: async task => {
      const claimed: Result<boolean> = await people.claim(task, journal.ownChain.writer, claimMs);
      return claimed.ok ? claimed.value : true;
    },
    seesOthers: false,
    zoneOf: profileId => profiles.get(profileId)?.gatewayZone ?? 'UTC',
    clock,
  });
  const stopListening = journal.onChange((_, events) => automatic.handleEvents(events));
  const reading = startLoop(readProfiles, { everyMs: profilesEveryMs, firstMs: 0 });
  return {
    /** Ids of the shared profiles that name another server than the one for which the password was entered. */
    otherServers: (): readonly string[] => otherServers,
    close: async (): Promise<void> => {
      void reading.close();
      stopListening();
      queue.stop();
      await gateway.close();
    },
  };
};
