import { fail, ok, type Result } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import type { AddressLimits } from '../../pacing/address-limits.ts';
import type { Delivery } from '../../callbacks/receiver.ts';
import { storeDelivery, type Quarantine } from '../../callbacks/store/store-callback.ts';
import { verifyFields } from '../../callbacks/verify-callback.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import { isReachable, type Shipping } from '../../team/ship.ts';
import type { IntakeConfig } from '../config/intake-config.ts';
import type { IntakeMetrics, KeptIn } from './metrics.ts';

/**
 * What happens to a callback: it is verified, committed in the journal, and answered when it is in the shared log as
 * well, or after `acknowledgeWithinMs`. The journal is on this disk: the answer 200 is true in both cases.
 */
export const createStore = (given: {
  config: Pick<IntakeConfig, 'profiles' | 'acknowledgeWithinMs' | 'strict'>;
  /** Read for each callback: a signal replaces them. */
  passwords: () => ReadonlyMap<string, string>;
  journal: Pick<PaymentLog, 'append'>;
  /** The number of the last event of this intake's chain. */
  chainEnd: () => number;
  quarantine: Quarantine;
  shipping: Pick<Shipping, 'standing' | 'shipped'> | null;
  metrics: Pick<IntakeMetrics, 'countAnswer' | 'countCommit'>;
  /** Limits unverified callbacks of one sender. */
  addressLimits: AddressLimits;
}): ((delivery: Delivery) => Promise<Result<{ verified: boolean }>>) => {
  const { config, journal, quarantine, shipping, metrics } = given;
  const profiles = new Map(config.profiles.map(profile => [profile.id, profile]));

  /** Where the chain is safe up to `end`. Without a connection there is nothing to wait for. */
  const keptIn = async (end: number): Promise<KeptIn> => {
    if (shipping === null) return 'journal';
    const isShipped =
      isReachable(shipping.standing()) && (await shipping.shipped(end, config.acknowledgeWithinMs));
    if (isShipped) return 'shared';
    return config.strict ? 'refused' : 'journal';
  };

  return async delivery => {
    const startedAt = performance.now();
    const profile = profiles.get(delivery.profileId);
    const digest = profile?.digest ?? 'md5';
    const password = given.passwords().get(delivery.profileId);
    const verification =
      password === undefined
        ? ({ verdict: 'no-password', uppercasing: null, digest } as const)
        : verifyFields(delivery.fields, { profileId: delivery.profileId, password, digest });
    const count = (kept: KeptIn): void =>
      metrics.countAnswer(delivery.profileId, verification.verdict, kept, performance.now() - startedAt);

    if (verification.verdict !== 'verified' && !given.addressLimits.take(delivery.sender)) {
      count('refused');
      return fail('log.unavailable', msg('receiver.not-saved'));
    }
    const written = await storeDelivery(
      delivery,
      { verification, refundAmount: profile?.refundAmountInCallback },
      { log: journal, quarantine },
    );
    if (!written.ok) {
      count('refused');
      return written;
    }
    metrics.countCommit(performance.now() - startedAt);
    // A callback that was stored often enough adds no event: its earlier ones are in the chain.
    const kept = await keptIn(written.value.events.at(-1)?.writerSeq ?? given.chainEnd());
    count(kept);
    return kept === 'refused'
      ? fail('log.unavailable', msg('receiver.not-saved'))
      : ok({ verified: verification.verdict === 'verified' });
  };
};
