import { basename } from 'node:path';
import { readFile, stat } from 'node:fs/promises';
import { decodeBytes, maxFileBytes, pastedBytes } from '../../../shared/callbacks/callback-file.ts';
import type { Handlers } from '../../../shared/contract/contract.ts';
import { fail, ok } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import type { FileInspection } from '../../../shared/callbacks/file-inspection.ts';
import { callbackDraft, orderNumberOf, type Candidate } from '../../callbacks/verify-callback.ts';
import type { FileText } from '../../callbacks/file-reading.ts';
import type { CallbackReader } from '../../callbacks/callback-reader.ts';
import { profileOfOrder } from '../common/profile-of-order.ts';
import { findProfile } from '../settings/find-profile.ts';
import type { AppDependencies } from '../common/app-context.ts';

/** Batch size when a file is stored, callbacks. */
const batchSize = 500;

type FileCalls =
  | 'callbacks.openFile'
  | 'callbacks.dropFile'
  | 'callbacks.file'
  | 'callbacks.fileRows'
  | 'callbacks.fileInspection'
  | 'callbacks.storeFile'
  | 'callbacks.closeFile';

/**
 * The requests about a file of many callbacks: one is open at a time, on the callback worker. `candidates`: the
 * passwords to try.
 */
export const createCallbackFileHandlers = (
  parts: AppDependencies,
  reader: CallbackReader,
  candidates: () => Promise<Candidate[]>,
) => {
  /** Identifies the open file; each file has a new object. */
  let opened: { via: 'paste' | 'file' } | null = null;
  let state: FileInspection | null = null;

  const emitState = (next: FileInspection | null): void => {
    state = next;
    parts.notify('callbacks.file', { file: next });
  };

  const close = async (): Promise<void> => {
    opened = null;
    await reader.closeFile();
    if (state !== null) emitState(null);
  };

  const begin = async (text: FileText, via: 'paste' | 'file' = 'file'): Promise<void> => {
    await close();
    const passwords = await candidates();
    emitState({ ...nothingYet, name: text.name, bytes: text.bytes });
    const file = { via };
    opened = file;
    await reader.openFile(text, passwords, {
      onState: next => {
        if (opened === file) emitState(next);
      },
      onFailed: problem => {
        if (opened === file && state) emitState({ ...state, phase: 'failed', problem });
      },
    });
  };

  /** Stores the callbacks in batches; stops if the file is closed or the log fails. */
  const storeCallbacks = async (file: { via: 'paste' | 'file' }, profileId: string): Promise<void> => {
    const agent = parts.requester.name();
    const digest = parts.settings.profile(profileId)?.digest ?? 'md5';
    const isOpen = (): boolean => opened === file;
    let stored = 0;
    let duplicates = 0;
    for (;;) {
      const batch = await reader.call('batch', stored, batchSize);
      if (batch.length === 0 || !isOpen() || !state) break;
      if (!parts.log.ok) return emitState({ ...state, phase: 'failed', problem: parts.log.error });
      const log = parts.log.value;
      const drafts: EventDraft[] = [];
      for (const { fields, form, verification, profileId: own } of batch) {
        const of = await profileOfOrder(parts.settings, log, own ?? profileId, orderNumberOf(fields));
        const draft = callbackDraft({
          profileId: of,
          refundAmount: parts.settings.profile(of)?.refundAmountInCallback,
          fields,
          form,
          via: file.via,
          arrivedAt: parts.clock(),
          agent,
          verification: verification.verdict === 'verified' ? verification : { ...verification, digest },
        });
        drafts.push(draft);
      }
      const written = await log.append(drafts);
      if (!isOpen()) return;
      if (!written.ok) return emitState({ ...state, phase: 'failed', problem: written.error });
      stored += drafts.length;
      duplicates += written.value.duplicates.filter(Boolean).length;
      emitState({ ...state, phase: 'storing', done: stored, total: state.found, stored, duplicates });
    }
    if (isOpen() && state) emitState({ ...state, phase: 'stored', stored, duplicates });
  };

  const handlers: Pick<Handlers, FileCalls> = {
    'callbacks.openFile': async () => {
      const file = await parts.system.chooseOpenFile();
      if (file === null) return ok({ opened: null });
      try {
        const { size } = await stat(file);
        if (size > maxFileBytes)
          return fail('callback.too-large', msg('file.too-large', { size: maxFileBytes / 1024 / 1024 }), {
            hint: msg('file.too-large.hint'),
          });
        const { text, problem } = decodeBytes(await readFile(file));
        const name = basename(file);
        if (size <= pastedBytes) await close();
        else await begin({ name, bytes: size, text, problem });
        return ok({ opened: { name, text: size <= pastedBytes ? text : null } });
      } catch {
        return fail('callback.unreadable', msg('file.unreadable'), { hint: msg('file.unreadable.hint') });
      }
    },
    'callbacks.dropFile': async ({ name, text, via }) => {
      await begin({ name, bytes: Buffer.byteLength(text), text, problem: null }, via);
      return ok({});
    },
    'callbacks.file': async () => ok({ file: state }),
    'callbacks.fileRows': async ({ show, from, limit }) => {
      if (opened === null) return ok({ rows: [], total: 0 });
      return ok(await reader.call('rows', show, from, limit).catch(() => ({ rows: [], total: 0 })));
    },
    'callbacks.fileInspection': async ({ index }) => {
      const found =
        opened === null ? null : await reader.call('inspectOne', index, await candidates()).catch(() => null);
      if (!found) return fail('callback.unreadable', msg('file.callback-not-open'));
      return ok(found);
    },
    'callbacks.storeFile': async ({ profileId }) => {
      const profile = findProfile(parts.settings, profileId);
      if (!profile.ok) return profile;
      if (opened && state && (state.phase === 'done' || state.phase === 'failed')) {
        emitState({ ...state, phase: 'storing', done: 0, total: state.found, problem: null });
        const file = opened;
        storeCallbacks(file, profileId).catch(() => {
          if (opened === file && state) emitState({ ...state, phase: 'done' });
        });
      }
      return ok({ file: state });
    },
    'callbacks.closeFile': async () => {
      await close();
      return ok({});
    },
  };
  return { handlers, isStoring: () => state?.phase === 'storing' };
};

const nothingYet: Omit<FileInspection, 'name' | 'bytes'> = {
  phase: 'reading',
  done: 0,
  total: 0,
  durationMs: 0,
  form: null,
  found: 0,
  verified: [],
  failed: 0,
  unsigned: 0,
  repeated: 0,
  parts: { valid: 0, repeated: 0, invalid: 0, unchecked: 0 },
  kinds: [],
  causes: [],
  searched: 0,
  tried: 0,
  problems: [],
  stored: 0,
  duplicates: 0,
  problem: null,
};
