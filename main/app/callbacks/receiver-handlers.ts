import { getCACertificates } from 'node:tls';
import { type AppState, type Handlers, paymentFilterSchema } from '../../../shared/contract/contract.ts';
import type { PaymentState } from '../../../shared/payments/payment.ts';
import { ok } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import { certificateFacts, readPems } from '../../callbacks/certificate.ts';
import { testFromOutside } from '../../callbacks/test-from-outside.ts';
import { findProfile } from '../settings/find-profile.ts';
import { sandboxProfileId } from '../../settings/settings-store.ts';
import type { AppDependencies } from '../common/app-context.ts';
import type { Quarantine } from '../../callbacks/store/quarantine.ts';
import type { CallbackListeners } from './callback-listeners.ts';

/** States of a payment whose money went back: a gateway reports each of them by a callback (§6.1). */
const returnedStates: PaymentState[] = ['refund-seen', 'part-refunded', 'refunded'];

/** The certificates that this computer trusts: a company's own authority is not built in. */
const systemCertificates = (): string[] => [...getCACertificates('default'), ...getCACertificates('system')];

/** The requests about the receiver: its certificate, its quarantine, and a test from outside. */
export const createReceiverHandlers = (
  parts: AppDependencies,
  listeners: CallbackListeners,
  quarantine: Quarantine,
  publish: () => Promise<AppState>,
): Pick<
  Handlers,
  'receiver.chooseCertificate' | 'receiver.resetQuarantine' | 'receiver.testOutside' | 'receiver.events'
> => {
  const { settings, system, clock } = parts;
  /** Servers that a person has named as their own in this run. */
  const confirmed = new Set<string>();
  return {
    'receiver.testOutside': async ({ profileId, url }) => {
      const profile = findProfile(settings, profileId);
      if (!profile.ok) return profile;
      // The request carries the secret path, and the answer shows what listens there.
      const { origin } = new URL(url);
      if (!confirmed.has(origin)) {
        const isOwn = await system.confirm(
          msg('outside.confirm', { origin }),
          msg('outside.confirm.detail'),
          msg('outside.do'),
        );
        if (!isOwn) return ok({ steps: [] });
        confirmed.add(origin);
      }
      const { mark, hasArrived, end } = listeners.expectProbe();
      const address = new URL(settings.callbackPath(profileId), url);
      const body = new URLSearchParams({ order_number: mark, type: 'test' }).toString();
      try {
        return ok({ steps: await testFromOutside(address, body, hasArrived, systemCertificates()) });
      } finally {
        end();
      }
    },
    'receiver.events': async () => {
      if (!parts.log.ok) return parts.log;
      const log = parts.log.value;
      const profiles = settings.read().profiles.filter(({ id }) => id !== sandboxProfileId);
      return ok({
        profiles: await Promise.all(
          profiles.map(async ({ id }) => {
            const filter = paymentFilterSchema.parse({ profileId: id, states: returnedStates });
            const { rows } = await log.list(filter, null, 1);
            return { profileId: id, ...(await log.callbackTypes(id)), isRefundKnown: rows.length > 0 };
          }),
        ),
      });
    },
    'receiver.chooseCertificate': async () => {
      const certificate = await system.chooseOpenFile('certificate');
      const key = certificate === null ? null : await system.chooseOpenFile('certificate');
      if (certificate === null || key === null) return ok({ certificate: null });
      const pems = await readPems({ certificate, key });
      if (!pems.ok) return pems;
      const facts = certificateFacts(pems.value, clock());
      if (!facts.ok) return facts;
      settings.change(stored => ({
        ...stored,
        settings: {
          ...stored.settings,
          receiver: { ...stored.settings.receiver, tls: { certificate, key } },
        },
      }));
      await listeners.follow();
      await publish();
      return ok({ certificate: facts.value });
    },
    'receiver.resetQuarantine': async () => {
      quarantine.resetQuarantine(parts.requester.name());
      return ok(await publish());
    },
  };
};
