import type { Handlers } from '../../../shared/contract/contract.ts';
import { fail, ok, type Result } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import { paymentsOf } from '../../../shared/payments/payment-row.ts';
import type { CallbackFields, Event, EventDraft, Verification } from '../../../shared/payments/evidence.ts';
import { sandboxProfileId } from '../../settings/settings-store.ts';
import {
  callbackDraft,
  orderNumberOf,
  verifyFields,
  type Candidate,
} from '../../callbacks/verify-callback.ts';
import { createCallbackReader } from '../../callbacks/callback-reader.ts';
import type { Delivery } from '../../callbacks/receiver.ts';
import { withPaymentLog, type AppDependencies } from '../common/app-context.ts';
import { profileOfOrder } from '../common/profile-of-order.ts';
import { maskEvent } from '../payments/mask-event.ts';
import { findProfile } from '../settings/find-profile.ts';
import type { CredentialCache } from '../settings/credential-cache.ts';
import {
  batchSize,
  reverifyCallbacks,
  storeDelivery,
  type Quarantine,
} from '../../callbacks/store/store-callback.ts';
import { formulas, sign } from '../../signatures/signature.ts';

/** The order of the sample. */
const order = {
  id: '0e4a7c1e-9d3b-4f57-8a66-2f1f0c9b7d10',
  order_number: 'EXAMPLE-1',
  order_amount: '12.50',
  order_currency: 'EUR',
  order_description: 'Two tickets',
};

/**
 * A callback as in a merchant's server log (§5), to try the inspector without a real one. If it is not valid, its amount
 * was changed after it was signed: the most frequent fault between a gateway and a merchant.
 */
const sampleCallback = (password: string, isValid: boolean): string => {
  const hash = sign(formulas.callback, order, password, { digest: 'md5', uppercasing: 'ascii' });
  const sent = { ...order, order_amount: isValid ? order.order_amount : '12.5' };
  return Object.entries({ ...sent, type: 'sale', status: 'success', customer_ip: '192.0.2.7', hash })
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');
};

type CallbackHandlers = Pick<
  Handlers,
  'callbacks.inspect' | 'callbacks.sample' | 'callbacks.store' | 'callbacks.recent'
>;

const unreadable = () =>
  fail('callback.unreadable', msg('callbacks.too-long'), { hint: msg('callbacks.too-long.hint') });

/** The requests about callbacks, and the receiver's handling of a delivery: verify, store, answer. */
export const createCallbackHandlers = (
  parts: AppDependencies,
  passwords: CredentialCache,
  quarantine: Quarantine,
) => {
  const { settings, clock } = parts;

  const candidate = async (profileId: string): Promise<Candidate | null> => {
    const profile = settings.profile(profileId);
    const password = await passwords.of(profileId);
    return profile && password.ok
      ? {
          profileId,
          name: msg('profile.with-kind', { profile: profile.name, kind: msg(`kind.${profile.kind}`) }),
          password: password.value,
          digest: profile.digest,
        }
      : null;
  };

  const candidates = async (): Promise<Candidate[]> => {
    const all = await Promise.all(settings.read().profiles.map(profile => candidate(profile.id)));
    return all.filter(one => one !== null);
  };

  const verifyFor = async (profileId: string, fields: CallbackFields): Promise<Verification> => {
    const own = await candidate(profileId);
    const digest = settings.profile(profileId)?.digest ?? 'md5';
    return own ? verifyFields(fields, own) : { verdict: 'no-password', uppercasing: null, digest };
  };

  /** Stores one delivery of the receiver; resolves only when it is on disk (§4.3). */
  const store = async (delivery: Delivery): Promise<Result<{ verified: boolean }>> => {
    if (!parts.log.ok) return parts.log;
    const verification = await verifyFor(delivery.profileId, delivery.fields);
    const refundAmount = settings.profile(delivery.profileId)?.refundAmountInCallback;
    const log = parts.log.value;
    const profileId = await profileOfOrder(settings, log, delivery.profileId, orderNumberOf(delivery.fields));
    const written = await storeDelivery(
      { ...delivery, profileId },
      { verification, refundAmount },
      { log, quarantine },
    );
    return written.ok ? ok({ verified: verification.verdict === 'verified' }) : written;
  };

  /** Verifies unverified callbacks of a profile again: all, after its password was corrected, or the given ones. */
  const reverify = async (profileId: string, given?: readonly Event[]): Promise<Result<undefined>> => {
    if (!parts.log.ok) return parts.log;
    const own = await candidate(profileId);
    return own ? reverifyCallbacks(own, { log: parts.log.value, quarantine }, clock(), given) : ok(undefined);
  };

  const reader = createCallbackReader({
    orderRecordOf: async (...key) => (parts.log.ok ? parts.log.value.orderRecord(...key) : null),
    hasEvent: async (...key) => parts.log.ok && parts.log.value.hasEvent(...key),
  });

  const handlers: CallbackHandlers = {
    'callbacks.inspect': async ({ text, form }) => {
      const inspection = await reader.inspect(text, form, await candidates()).catch(() => null);
      return inspection === null ? unreadable() : ok(inspection);
    },
    'callbacks.sample': async ({ isValid }) => {
      const password = await passwords.of(sandboxProfileId);
      return password.ok ? ok({ text: sampleCallback(password.value, isValid) }) : password;
    },
    'callbacks.store': async ({ text, form, via, profileId }) => {
      if (!parts.log.ok) return parts.log;
      const profile = findProfile(settings, profileId);
      if (!profile.ok) return profile;
      const all = await candidates();
      const own = all.find(one => one.profileId === profileId);
      const ordered = own ? [own, ...all.filter(one => one !== own)] : all;
      const found = await reader.read(text, form, ordered).catch(() => null);
      if (found === null) return unreadable();
      if (found.length === 0)
        return fail('callback.unreadable', msg('callbacks.nothing-saved'), {
          hint: msg('hint.callback.unreadable'),
        });
      const digest = settings.profile(profileId)?.digest ?? 'md5';
      const { value: log } = parts.log;
      const drafts: EventDraft[] = [];
      for (const { fields, form: read, verification, profileId: signer } of found) {
        const isVerified = verification.verdict === 'verified';
        const named = isVerified ? (signer ?? profileId) : profileId;
        const of = await profileOfOrder(settings, log, named, orderNumberOf(fields));
        const draft = callbackDraft({
          profileId: of,
          refundAmount: settings.profile(of)?.refundAmountInCallback,
          fields,
          form: read,
          via,
          arrivedAt: clock(),
          agent: parts.requester.name(),
          verification:
            isVerified || own ? verification : { verdict: 'no-password', uppercasing: null, digest },
        });
        drafts.push(draft);
      }
      let duplicates = 0;
      for (let from = 0; from < drafts.length; from += batchSize) {
        const written = await log.append(drafts.slice(from, from + batchSize));
        if (!written.ok) return written;
        duplicates += written.value.duplicates.filter(Boolean).length;
      }
      return ok({ stored: drafts.length, duplicates, orders: paymentsOf(drafts).slice(0, 200) });
    },
    'callbacks.recent': withPaymentLog(parts, async (log, { limit }) => {
      const events = await log.recentCallbacks(limit);
      return ok({ events: events.map((event: Event) => maskEvent(event)) });
    }),
  };

  const hasPassword = async (profileId: string): Promise<boolean> => (await candidate(profileId)) !== null;

  return { handlers, store, reverify, hasPassword, candidates, reader };
};
