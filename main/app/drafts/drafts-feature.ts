import { dirname, join } from 'node:path';
import { containsCardNumber } from '../../../shared/card-number.ts';
import { fail, ok } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import { isCardInPhoneField } from '../../../shared/phone-number.ts';
import type { AppDependencies, AppEvents } from '../common/app-context.ts';
import type { Feature } from '../common/feature.ts';
import type { AgentSession } from '../settings/agent-session.ts';
import { createDraftFile, type DraftFile } from './draft-file.ts';
import { startLoop, type Loop } from '../../pacing/loop.ts';
import * as z from 'zod';
import { isDeepStrictEqual } from 'node:util';
import {
  draftSchema,
  maxDrafts,
  type StoredDraft,
} from '../../../shared/contract/payments/draft-requests.ts';

/** Time after which an unchanged draft is dropped, milliseconds: 7 days. */
const lifeMs = 7 * 86_400_000;

/** Limit of remembered keys of forms that were sent; the oldest are dropped. */
const maxSentKeys = 1_000;

const formsSchema = z.object({
  agentId: z.string(),
  profileId: z.string(),
  active: z.string().nullable(),
  /** `changedAt`: milliseconds since 1970. */
  drafts: z.array(z.object({ changedAt: z.number(), draft: draftSchema })).max(maxDrafts),
});
/** The open forms of one person and profile. */
type Forms = z.infer<typeof formsSchema>;
type Owner = Pick<Forms, 'agentId' | 'profileId'>;

const isOf =
  ({ agentId, profileId }: Owner) =>
  (forms: Owner): boolean =>
    forms.agentId === agentId && forms.profileId === profileId;

/** Whether nothing was typed between them: a form that is opened again has another key. */
const isUnchanged = (one: StoredDraft, other: StoredDraft): boolean =>
  isDeepStrictEqual({ ...one, idempotencyKey: '' }, { ...other, idempotencyKey: '' });

const parse = (content: string | null): Forms[] => {
  try {
    return z.array(formsSchema).parse(JSON.parse(content ?? '[]'));
  } catch {
    return [];
  }
};

/**
 * The open forms of all people. Changes are in memory at once and written in the background, the latest state only.
 * `exists`: whether a person and a profile are still there. `clock`: milliseconds since 1970.
 */
export const createDraftStore = (file: DraftFile, exists: (owner: Owner) => boolean, clock: () => number) => {
  let all: Forms[] = [];
  let isLoaded = false;
  /** Drafts of the file that no read has returned yet: the window does not know them. */
  const unread = new Set<string>();
  /** A window may save a form while its request is on its way, and the save may arrive later than the link. */
  const sentKeys = new Set<string>();
  let written = '[]';
  let loading: Promise<void> = Promise.resolve();
  let writing: Promise<void> = Promise.resolve();

  /** Without the drafts that are too old, and those of people and profiles that are gone. */
  const prune = (forms: readonly Forms[]): Forms[] =>
    forms.flatMap(one => {
      const drafts = one.drafts.filter(({ changedAt }) => clock() - changedAt < lifeMs);
      return drafts.length > 0 && exists(one) ? [{ ...one, drafts }] : [];
    });

  const loadOnce = async (): Promise<void> => {
    if (isLoaded) return;
    const content = await file.read();
    if (file.kept() !== 'restart') return;
    isLoaded = true;
    written = content ?? '[]';
    for (const stored of parse(content)) {
      for (const { draft } of stored.drafts) unread.add(draft.id);
      const current = all.find(isOf(stored));
      if (current === undefined) all.push(stored);
      else {
        const ids = new Set(current.drafts.map(({ draft }) => draft.id));
        const added = stored.drafts.filter(({ draft }) => !ids.has(draft.id));
        current.drafts = [...added, ...current.drafts].slice(-maxDrafts);
      }
    }
  };

  /**
   * Adds what the file holds to what was saved before it could be read. One after the other: an earlier read that failed
   * says nothing about this one.
   */
  const load = (): Promise<void> => {
    loading = loading.then(loadOnce);
    return loading;
  };

  const write = (): Promise<void> => {
    writing = writing.then(async () => {
      if (!isLoaded && all.length > 0) await load();
      const content = JSON.stringify(all);
      if (content === written || !isLoaded) return;
      const isWritten = await file.write(all.length === 0 ? null : content);
      written = isWritten ? content : '';
    });
    return writing;
  };

  return {
    /** The forms of one person and profile, in the order of their tabs. */
    read: async (owner: Owner): Promise<{ drafts: StoredDraft[]; active: string | null }> => {
      await load();
      all = prune(all);
      void write();
      const forms = all.find(isOf(owner));
      for (const { draft } of forms?.drafts ?? []) unread.delete(draft.id);
      return {
        drafts: (forms?.drafts ?? []).map(({ draft }) => draft),
        active: forms?.active ?? null,
      };
    },
    /** Replaces the forms of one person and profile. */
    save: (owner: Owner, drafts: readonly StoredDraft[], active: string | null): void => {
      const before = new Map(all.find(isOf(owner))?.drafts.map(one => [one.draft.id, one]));
      const open = drafts.filter(({ idempotencyKey }) => !sentKeys.has(idempotencyKey));
      const saved = open.map(draft => {
        const known = before.get(draft.id);
        before.delete(draft.id);
        return { changedAt: known && isUnchanged(known.draft, draft) ? known.changedAt : clock(), draft };
      });
      const unknown = [...before.values()].filter(({ draft }) => unread.has(draft.id));
      const forms = { ...owner, active, drafts: [...unknown, ...saved].slice(-maxDrafts) };
      all = prune([...all.filter(one => !isOf(owner)(one)), forms]);
      void write();
    },
    /** Removes the drafts that were sent with these keys; later ones with a key are not kept. */
    removeSent: (keys: ReadonlySet<string>): void => {
      for (const key of keys) sentKeys.add(key);
      for (const key of [...sentKeys].slice(0, -maxSentKeys)) sentKeys.delete(key);
      if (!all.some(({ drafts }) => drafts.some(({ draft }) => keys.has(draft.idempotencyKey)))) return;
      all = prune(
        all.map(one => ({
          ...one,
          drafts: one.drafts.filter(({ draft }) => !keys.has(draft.idempotencyKey)),
        })),
      );
      void write();
    },
    /** Removes what is too old, and the drafts of people and profiles that are gone. */
    tidy: (): void => {
      all = prune(all);
      void write();
    },
    /** Resolves once the latest state was written. */
    flush: (): Promise<void> => write(),
  };
};

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
