import { dirname, join } from 'node:path';
import { containsCardNumber } from '../../../shared/card-number.ts';
import type { StoredDraft } from '../../../shared/contract/contract.ts';
import { fail, ok } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import { isCardInPhoneField } from '../../../shared/phone-number.ts';
import type { AppDependencies } from '../common/app-context.ts';
import type { AppEvents } from '../common/app-events.ts';
import type { Feature } from '../common/feature.ts';
import type { AgentSession } from '../settings/agent-session.ts';
import { createDraftFile } from './draft-file.ts';
import { createDraftStore } from './draft-store.ts';
import { startLoop, type Loop } from '../../pacing/loop.ts';

/** Interval of the removal of old drafts, milliseconds. */
const tidyMs = 3_600_000;

/** The texts of a draft that may hold no card number. A telephone number can look like one. */
const textsOf = ({ billing, customerPhone, ...draft }: StoredDraft): string[] =>
  [
    draft.amount,
    draft.orderNumber,
    draft.suggested,
    draft.description,
    draft.customerName,
    draft.customerEmail,
    draft.customData,
    ...draft.methods,
    ...(billing === null ? [] : [billing.address, billing.zip, billing.city, billing.state, billing.country]),
    ...[customerPhone, billing?.phone ?? ''].filter(isCardInPhoneField),
  ].filter(text => text !== '');

/**
 * The open forms for a new payment: kept for each person and profile, over a lock and a restart, encrypted with a key in
 * the keychain. They are no evidence: neither the payment log nor a copy of it contains them.
 */
export const createDraftsFeature = (
  { settings, requester, credentials, logFile, clock }: AppDependencies,
  events: AppEvents,
  session: Pick<AgentSession, 'agents'>,
): Feature<'drafts.read' | 'drafts.save'> => {
  const file = createDraftFile(join(dirname(logFile), 'drafts.bin'), credentials);
  const store = createDraftStore(
    file,
    ({ agentId, profileId }) =>
      session.agents().some(({ id }) => id === agentId) && settings.profile(profileId) !== null,
    clock,
  );
  const ownId = (): string => requester.person()?.id ?? '';
  events.on('eventsWritten', (_payments, written) => {
    // An unanswered request has made a payment too: sending its form again would be a second one.
    const keys = written.flatMap(({ kind, body }) =>
      kind === 'session.accepted' || kind === 'session.unanswered' ? [body.idempotencyKey] : [],
    );
    if (keys.length > 0) store.removeSent(new Set(keys));
  });
  // People and profiles may be gone.
  events.on('statePublished', store.tidy);
  let tidying: Loop | null = null;
  return {
    handlers: {
      'drafts.read': async ({ profileId }) => {
        const read = await store.read({ agentId: ownId(), profileId });
        return ok({ ...read, kept: file.kept() });
      },
      'drafts.save': async ({ profileId, agentId, drafts, active }) => {
        if (agentId !== ownId())
          return fail('input.invalid', msg('agents.changed'), { hint: msg('agents.changed.hint') });
        if (drafts.some(draft => textsOf(draft).some(containsCardNumber)))
          return fail('input.card-number', msg('card-number.found'));
        store.save({ agentId, profileId }, drafts, active);
        return ok({ kept: file.kept() });
      },
    },
    start: () => {
      tidying = startLoop(store.tidy, { everyMs: tidyMs });
    },
    stop: () => {
      void tidying?.close();
      return store.flush();
    },
  };
};
