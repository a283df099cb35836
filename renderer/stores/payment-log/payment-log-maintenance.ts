import { create } from 'zustand';
import type { CallOutput, Notice, RestoreCandidate, VerifyReport } from '../../../shared/contract/index.ts';
import type { DeskError } from '../../../shared/errors.ts';
import { call, subscribe } from '../../ipc-client.ts';

type Job = Notice<'log.progress'>['job'];

/** The care of the payment log: what runs, what it found, what can be restored. */
type LogCareState = {
  /** What runs now, and how far it has come; `total` is 0 until that is known. */
  running: { job: Job | 'other'; done: number; total: number } | null;
  report: (VerifyReport & { at: number }) | null;
  copies: CallOutput<'log.copies'> | null;
  candidate: RestoreCandidate | null;
  /** What was done last, for a sentence. */
  done: { what: 'backed-up' | 'restored' | 'started-new'; name: string } | null;
  problem: DeskError | null;
  listen: () => () => void;
  readCopies: () => Promise<void>;
  verify: () => Promise<void>;
  rebuild: () => Promise<void>;
  tryAgain: () => Promise<void>;
  backUp: () => Promise<void>;
  checkCopy: (name: string | null) => Promise<void>;
  forgetCandidate: () => void;
  restore: () => Promise<void>;
  startNew: () => Promise<void>;
};

export const useLogCare = create<LogCareState>()((set, get) => {
  /** One thing at a time; its error is kept until the next thing. */
  const run = async <T>(
    job: Job | 'other',
    work: () => Promise<{ ok: true; value: T } | { ok: false; error: DeskError }>,
    then: (value: T) => Partial<LogCareState>,
  ): Promise<void> => {
    if (get().running) return;
    set({ running: { job, done: 0, total: 0 }, problem: null, done: null });
    const result = await work();
    set({ running: null, ...(result.ok ? then(result.value) : { problem: result.error }) });
  };
  return {
    running: null,
    report: null,
    copies: null,
    candidate: null,
    done: null,
    problem: null,
    listen: () =>
      subscribe('log.progress', ({ job, done, total }) =>
        set(({ running }) => (running?.job === job ? { running: { job, done, total } } : {})),
      ),
    readCopies: async () => {
      const read = await call('log.copies', {});
      if (read.ok) set({ copies: read.value });
    },
    verify: () =>
      run(
        'verify',
        () => call('log.verify', {}),
        value => ({ report: { ...value, at: Date.now() } }),
      ),
    rebuild: () =>
      run(
        'verify',
        () => call('log.rebuild', {}),
        value => ({ report: { ...value, at: Date.now() } }),
      ),
    tryAgain: () =>
      run(
        'other',
        () => call('log.tryAgain', {}),
        () => ({}),
      ),
    backUp: () =>
      run(
        'copy',
        () => call('log.backUp', {}),
        ({ file }) => (file === null ? {} : { done: { what: 'backed-up', name: file } }),
      ),
    checkCopy: name =>
      run(
        'check',
        () => call('log.checkCopy', { name }),
        ({ candidate }) => ({ candidate }),
      ),
    forgetCandidate: () => set({ candidate: null }),
    restore: async () => {
      const { candidate } = get();
      if (!candidate) return;
      await run(
        'other',
        () => call('log.restore', { token: candidate.token }),
        ({ setAside }) => ({ done: { what: 'restored', name: setAside } }),
      );
      set({ candidate: null, report: null });
    },
    startNew: () =>
      run(
        'other',
        () => call('log.startNew', {}),
        ({ setAside }) => ({ done: { what: 'started-new', name: setAside } }),
      ),
  };
});
